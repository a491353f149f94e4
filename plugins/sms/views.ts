import type { Static } from "@sinclair/typebox";
import { compact } from "../../core/compact.ts";
import type { CapturedEvent } from "../../core/events/event.ts";
import { envelopeShape, toEnvelope } from "../../core/http/messages.ts";
import { Type } from "../../core/shape_type.ts";
import type { SmsMessage } from "./model.ts";
import { SmsMessageShape } from "./schema.ts";

/** Location of one attachment: a path on this server if it is stored, else the sender's link. */
export const MediaRefShape = Type.Object({
  index: Type.Integer(),
  stored: Type.Boolean({ description: "Whether the bytes are here" }),
  url: Type.String({ description: "Path on this server, or the sender's link" }),
  content_type: Type.Optional(Type.String()),
  filename: Type.Optional(Type.String()),
  size: Type.Optional(Type.Integer({ description: "Bytes; only when stored" })),
}, { $id: "sms.MediaRef" });

export const SmsEnvelopeShape = envelopeShape("sms.MessageEnvelope", {
  message: SmsMessageShape,
  media: Type.Optional(Type.Array(MediaRefShape)),
});

/** One captured message. */
export type SmsEnvelope = Static<typeof SmsEnvelopeShape>;

/** A captured message. */
export type SmsEvent = CapturedEvent<SmsMessage>;

/** Returns an event as a list or fetch shows it; `url` is the address of its page. */
export function toSmsEnvelope(event: SmsEvent, url: string): SmsEnvelope {
  const media = toMediaRefs(event);
  return toEnvelope(event, url, {
    message: event.payload,
    ...(media.length > 0 ? { media } : {}),
  });
}

function toMediaRefs({ id, payload }: SmsEvent): Static<typeof MediaRefShape>[] {
  return (payload.media ?? []).map((media, index) => ({
    index,
    stored: media.blob !== undefined,
    url: media.blob === undefined ? media.url ?? "" : `/api/v1/sms/messages/${id}/media/${index}`,
    ...compact({
      content_type: media.content_type || undefined,
      filename: media.filename || undefined,
      size: media.blob?.size,
    }),
  }));
}
