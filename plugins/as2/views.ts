/** Captured AS2 messages as the API shows them. */
import type { Static } from "@sinclair/typebox";
import { toLine } from "../../core/bytes/text.ts";
import { compact } from "../../core/compact.ts";
import type { CapturedEvent } from "../../core/events/event.ts";
import { envelopeShape, toEnvelope } from "../../core/http/messages.ts";
import { Type } from "../../core/shape_type.ts";
import type { As2Message } from "./model.ts";
import { As2MessageShape } from "./schema.ts";

/** One captured message. */
export const MessageEnvelopeShape = envelopeShape("as2.MessageEnvelope", {
  title: Type.String({ description: "Subject, file name or message id" }),
  message: As2MessageShape,
  raw_url: Type.String({ description: "The request body as received" }),
  mdn_url: Type.Optional(Type.String({ description: "The receipt, if one was sent" })),
  payload_url: Type.Optional(Type.String({ description: "The document inside" })),
  preview: Type.Optional(Type.String({ description: "Beginning of the document" })),
});

/** One captured message. */
export type MessageEnvelope = Static<typeof MessageEnvelopeShape>;

/** A captured message. */
export type As2Event = CapturedEvent<As2Message>;

/** Returns an event as a list or fetch shows it; `url` is the address of its page. */
export function toMessageEnvelope(event: As2Event, url: string): MessageEnvelope {
  const { id, payload: message } = event;
  const path = `/api/v1/as2/messages/${id}`;
  const preview = toLine(message.payload.preview);
  return toEnvelope(event, url, {
    title: event.summary_parts.title ?? "",
    message,
    raw_url: `${path}/raw`,
    ...compact({
      mdn_url: message.mdn === undefined ? undefined : `${path}/mdn`,
      payload_url: message.payload.blob === undefined ? undefined : `${path}/payload`,
      preview: preview || undefined,
    }),
  });
}

/** Returns a message for lists, without its layers, digests and receipt. */
export function withoutDetails({ message, ...about }: MessageEnvelope): MessageEnvelope {
  const { payload, receipt, security, mdn } = message;
  return {
    ...about,
    message: {
      ...pick(message, ["from", "to", "as2_version", "message_id", "subject", "issues"]),
      payload: pick(payload, ["size", "blob", "content_type", "filename", "format", "recovered"]),
      receipt: pick(receipt, ["requested", "signed_requested"]),
      security: pick(security, ["compressed", "encrypted", "signed"]),
      ...(mdn === undefined
        ? {}
        : { mdn: pick(mdn, ["disposition", "message_id", "signed", "size", "status"]) }),
    },
  };
}

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  const found = keys.filter((key) => key in from).map((key) => [key, from[key]]);
  return Object.fromEntries(found) as Pick<T, K>;
}
