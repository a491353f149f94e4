import type { CapturedEvent, StoryKey } from "../../core/plugin.ts";
import { segmentsNamed } from "./message.ts";
import type { Hl7Message } from "./model.ts";

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
  const field = segmentsNamed(message, "MSA")[0]?.fields.find(({ position }) => position === 2);
  add("object", "control id", field?.repetitions?.[0]?.components[0]?.value);
  return keys;
}
