/** How captured HL7 messages read in the API. */
import { type Static, Type } from "@sinclair/typebox";
import type { CapturedEvent } from "../../core/events/event.ts";
import { envelopeShape, toEnvelope } from "../../core/http/messages.ts";
import { type Path, valuesAt } from "./codec/path.ts";
import { segmentsNamed } from "./message.ts";
import { type Hl7Message, Hl7MessageShape } from "./model.ts";

/** One captured message. */
export const MessageEnvelopeShape = envelopeShape("hl7.MessageEnvelope", {
  title: Type.String({ description: "Message type and trigger, such as ADT^A01" }),
  message: Hl7MessageShape,
  raw_url: Type.String({ description: "The bytes between the frame characters" }),
  ack_url: Type.Optional(Type.String({ description: "The acknowledgement, when one was sent" })),
  preview: Type.Optional(Type.String({ description: "The patient, or the first observed value" })),
});

/** One value at a place in a message. */
export const PlacedValueShape = Type.Object({
  path: Type.String({
    description: "The place with every number filled in, such as PID[1]-3[2].1",
  }),
  value: Type.String({ description: "As sent for a field or repetition, decoded for its parts" }),
}, { $id: "hl7.PlacedValue" });

/** One captured message. */
export type MessageEnvelope = Static<typeof MessageEnvelopeShape>;

/** A captured message. */
export type Hl7Event = CapturedEvent<Hl7Message>;

/** How an event is shown. */
export interface EnvelopeOptions {
  /** Address of its page. */
  readonly url: string;
  /** Whether its segments are taken apart. */
  readonly segments: boolean;
}

/** An event as a list or fetch shows it. */
export function toMessageEnvelope(
  event: Hl7Event,
  { url, segments }: EnvelopeOptions,
): MessageEnvelope {
  const { id, payload, summary_parts: { title = "", snippet = "" } } = event;
  const path = `/api/v1/hl7/messages/${id}`;
  return toEnvelope(event, url, {
    title,
    message: segments ? payload : withoutSegments(payload),
    raw_url: `${path}/raw`,
    ...(payload.ack.sent ? { ack_url: `${path}/ack` } : {}),
    ...(snippet === "" ? {} : { preview: snippet }),
  });
}

/** Without looking at the segments, which would take the message apart. */
function withoutSegments(message: Hl7Message): Hl7Message {
  const { segments: _, ...properties } = Object.getOwnPropertyDescriptors(message);
  return Object.defineProperties({}, properties) as Hl7Message;
}

/** Conditions of the message list; all given ones must hold. */
export interface Hl7Filter {
  /** `ADT^A01`, `ADT` or `A01`. */
  readonly message_type?: string | undefined;
  readonly trigger_event?: string | undefined;
  readonly control_id?: string | undefined;
  readonly sending_application?: string | undefined;
  readonly sending_facility?: string | undefined;
  readonly receiving_application?: string | undefined;
  readonly receiving_facility?: string | undefined;
  readonly version?: string | undefined;
  readonly patient_id?: string | undefined;
  /** Name of a segment it has. */
  readonly segment?: string | undefined;
  /** Code of the acknowledgement sent, or `none`. */
  readonly ack?: string | undefined;
  /** Whether something is wrong with it. */
  readonly issue?: boolean | undefined;
  /** A place that has a value. */
  readonly path?: Path | undefined;
  /** The value at that place. */
  readonly value?: string | undefined;
}

const HEADER_FILTERS = [
  "trigger_event",
  "control_id",
  "sending_application",
  "sending_facility",
  "receiving_application",
  "receiving_facility",
  "version",
] as const;

/** Whether a message meets the conditions; text is compared whole, in any case. */
export function matchesHl7(message: Hl7Message, filter: Hl7Filter): boolean {
  const { header, patient, ack, issues = [] } = message;
  return HEADER_FILTERS.every((name) => equals(header[name], filter[name])) &&
    equals(patient?.id, filter.patient_id) &&
    equals(ack.code ?? "none", filter.ack) &&
    (filter.issue === undefined || filter.issue === issues.length > 0) &&
    hasType(message, filter.message_type) &&
    hasContent(message, filter);
}

function hasType(
  { header: { code = "", trigger_event = "" } }: Hl7Message,
  type?: string,
): boolean {
  return type === undefined ||
    [code, trigger_event, `${code}^${trigger_event}`].some((name) => equals(name, type));
}

/** Last, as it takes segments apart. */
function hasContent(message: Hl7Message, { segment, path, value }: Hl7Filter): boolean {
  if (segment !== undefined && segmentsNamed(message, segment).length === 0) return false;
  return path === undefined ||
    valuesAt(segmentsNamed(message, path.segment), path).some((found) =>
      equals(found.value, value)
    );
}

function equals(text: string | undefined, wanted: string | undefined): boolean {
  return wanted === undefined || (text ?? "").toLowerCase() === wanted.toLowerCase();
}
