import { type Static, Type } from "@sinclair/typebox";
import { BlobRefShape } from "../../core/blobs/schema.ts";

/** States a message can be in. Fixed at capture. */
export const SMS_STATUSES = [
  "queued",
  "accepted",
  "sending",
  "sent",
  "delivered",
  "undelivered",
  "failed",
  "received",
] as const;

/** Which way a message goes, seen from the application. */
export const SMS_DIRECTIONS = ["outbound", "inbound"] as const;

/** Alphabets a message can be sent in. */
export const SMS_ENCODINGS = ["GSM-7", "UCS-2"] as const;

/** One of `SMS_STATUSES`. */
export type SmsStatus = typeof SMS_STATUSES[number];
/** One of `SMS_DIRECTIONS`. */
export type SmsDirection = typeof SMS_DIRECTIONS[number];

/** One MMS attachment: its bytes, or only the link that the sender gave. Links are never fetched. */
export const SmsMediaShape = Type.Object({
  content_type: Type.Optional(Type.String()),
  filename: Type.Optional(Type.String()),
  url: Type.Optional(Type.String({ description: "The sender's link; never fetched" })),
  blob: Type.Optional(BlobRefShape),
}, { $id: "sms.Media" });

/** What the body costs to send. */
export const SegmentsShape = Type.Object({
  count: Type.Integer({ description: "Segments needed; an empty body still costs one" }),
  encoding: Type.Union(SMS_ENCODINGS.map((word) => Type.Literal(word))),
  units: Type.Integer({ description: "Septets (GSM-7) or UTF-16 code units (UCS-2)" }),
  capacity: Type.Integer({ description: "Units per segment: 160 or 153, 70 or 67" }),
  remaining: Type.Integer({ description: "Units still free in the last segment" }),
  ends: Type.Optional(Type.Array(Type.Integer(), {
    description: "Where each segment but the last ends, in UTF-16 code units of the body",
  })),
  forced_by: Type.Optional(Type.String({
    description: "First character that GSM-7 lacks, which makes the whole message UCS-2",
  })),
}, { $id: "sms.Segments" });

/** The canonical text or media message. Empty optional properties are absent. */
export const SmsMessageShape = Type.Object({
  to: Type.String({ description: "E.164" }),
  from: Type.Optional(Type.String({ description: "E.164 or alphanumeric sender id" })),
  messaging_service: Type.Optional(
    Type.String({ description: "Sender pool used instead of an explicit from" }),
  ),
  body: Type.String({ description: "Decoded text, untrusted" }),
  media: Type.Optional(Type.Array(SmsMediaShape)),
  status: Type.Optional(Type.Union(SMS_STATUSES.map((word) => Type.Literal(word)))),
  direction: Type.Optional(Type.Union(SMS_DIRECTIONS.map((word) => Type.Literal(word)))),
  segments: SegmentsShape,
}, { $id: "sms.Message" });

/** One MMS attachment. */
export type SmsMedia = Static<typeof SmsMediaShape>;
/** What the body costs to send. */
export type Segments = Static<typeof SegmentsShape>;
/** The canonical text or media message. */
export type SmsMessage = Static<typeof SmsMessageShape>;
