import type { CapturedEvent, StoryKey } from "../../core/plugin.ts";
import type { Path } from "./codec/path.ts";
import { valuesOf } from "./message.ts";
import type { Hl7Message } from "./model.ts";

/** MSA-2, of the first acknowledgement. */
const ACKNOWLEDGED: Path = { segment: "MSA", occurrence: 1, field: 2, repetition: 1, component: 1 };

/**
 * Returns the patient, and the control ids that a message and its acknowledgement share: MSH-10 and
 * MSA-2 (HL7 v2.5.1, section 2.14.8.2). Senders may reuse control ids, so these have a time limit.
 */
export function storyKeysOfHl7(event: CapturedEvent): StoryKey[] {
  const message = (event as CapturedEvent<Hl7Message>).payload;
  const keys: StoryKey[] = [];
  const add = (kind: StoryKey["kind"], name: string, value: string | undefined): void => {
    if (value !== undefined && value !== "") keys.push({ kind, name, value });
  };
  add("recipient", "patient", message.patient?.id);
  add("object", "control id", message.header.control_id);
  add("object", "control id", valuesOf(message, ACKNOWLEDGED).next().value?.value);
  return keys;
}
