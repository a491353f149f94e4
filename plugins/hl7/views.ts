/** Captured HL7 messages as the API shows them. */
import type { Static } from "@sinclair/typebox";
import { compact } from "../../core/compact.ts";
import type { CapturedEvent } from "../../core/events/event.ts";
import { envelopeShape, toEnvelope } from "../../core/http/messages.ts";
import { Type } from "../../core/shape_type.ts";
import type { Hl7Message } from "./model.ts";
import { Hl7MessageShape } from "./schema.ts";

/** One captured message. */
export const MessageEnvelopeShape = envelopeShape("hl7.MessageEnvelope", {
  title: Type.String({ description: "Message type and trigger, such as ADT^A01" }),
  message: Hl7MessageShape,
  raw_url: Type.String({ description: "The bytes between the frame characters" }),
  ack_url: Type.Optional(Type.String({ description: "The acknowledgement, if one was sent" })),
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

/** Options of {@link toMessageEnvelope}. */
export interface EnvelopeOptions {
  /** Address of its page. */
  readonly url: string;
  /** Whether to include its segments. */
  readonly segments: boolean;
}

/** Returns an event as a list or fetch shows it. */
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
    ...compact({
      ack_url: payload.ack.sent ? `${path}/ack` : undefined,
      preview: snippet || undefined,
    }),
  });
}

/** Leaves out the segments without reading them, which would parse the message. */
function withoutSegments(message: Hl7Message): Hl7Message {
  const { segments: _segments, toJSON: _toJSON, ...properties } = Object.getOwnPropertyDescriptors(
    message as Hl7Message & { readonly toJSON?: unknown },
  );
  return Object.defineProperties({}, properties) as Hl7Message;
}
