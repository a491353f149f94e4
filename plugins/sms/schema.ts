/** JSON shapes of captured items. `deno task docs` generates `model.ts` from them. */
import { BlobRefShape } from "../../core/blobs/schema.ts";
import { Type } from "../../core/shape_type.ts";
import { described, text, whole, words } from "../../core/shapes.ts";

/** States of a message. Fixed at capture. */
export const SMS_STATUSES = [
  "queued",
  "accepted",
  "scheduled",
  "sending",
  "sent",
  "delivered",
  "undelivered",
  "failed",
  "received",
] as const;

/** Directions of a message, seen from the application. */
export const SMS_DIRECTIONS = ["outbound", "inbound"] as const;

/** Alphabets a message can be sent in. */
export const SMS_ENCODINGS = ["GSM-7", "UCS-2"] as const;

/** One of `SMS_STATUSES`. */
export type SmsStatus = typeof SMS_STATUSES[number];

/** One of `SMS_DIRECTIONS`. */
export type SmsDirection = typeof SMS_DIRECTIONS[number];

export const SmsMediaShape = Type.Object({
  content_type: Type.Optional(text("As stated by the sender")),
  filename: Type.Optional(text("As stated by the sender; hostile text")),
  url: Type.Optional(text("The sender's link; never fetched")),
  blob: Type.Optional(described(BlobRefShape, "Where the bytes are, if the sender gave bytes")),
}, {
  $id: "sms.Media",
  description: "One MMS attachment: its bytes, or only the link that the sender gave",
});

export const SegmentsShape = Type.Object({
  count: whole("Number of segments; at least one"),
  encoding: words(SMS_ENCODINGS, "Encoding of the whole message"),
  units: whole("Septets (GSM-7) or UTF-16 code units (UCS-2)"),
  capacity: whole("Units per segment: 160 or 153, 70 or 67"),
  remaining: whole("Units still free in the last segment"),
  ends: Type.Optional(
    Type.Array(Type.Integer(), {
      description: "Where each segment but the last ends, in UTF-16 code units of the body",
    }),
  ),
  forced_by: Type.Optional(
    text("First character that GSM-7 lacks, which forces UCS-2 for the whole message"),
  ),
}, { $id: "sms.Segments", description: "Segments of the body" });

export const SmsMessageShape = Type.Object({
  to: text("E.164, or the ARN of a topic"),
  from: Type.Optional(text("E.164 or alphanumeric sender id")),
  messaging_service: Type.Optional(text("Sender pool used instead of an explicit from")),
  body: text("Decoded text, untrusted"),
  media: Type.Optional(Type.Array(SmsMediaShape, { description: "In order" })),
  status: Type.Optional(words(SMS_STATUSES, "Fixed at capture")),
  direction: Type.Optional(words(SMS_DIRECTIONS, "As seen from the application")),
  segments: described(SegmentsShape, "Derived from the body"),
}, {
  $id: "sms.Message",
  description: "The canonical text or media message. Empty optional properties are absent",
});
