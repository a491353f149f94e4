import { Type } from "@sinclair/typebox";
import type { BlobRef } from "../../core/blobs/blob.ts";
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

/** One MMS attachment: its bytes, or only the link that the sender gave. */
export interface SmsMedia {
  /** As stated by the sender. */
  readonly content_type?: string;
  /** As stated by the sender; hostile text. */
  readonly filename?: string;
  /** The sender's link; never fetched. */
  readonly url?: string;
  /** Where the bytes are, when the sender gave bytes. */
  readonly blob?: BlobRef;
}

/** What the body costs to send. */
export interface Segments {
  /** Segments needed; an empty body still costs one. */
  readonly count: number;
  /** Alphabet of the whole message. */
  readonly encoding: "GSM-7" | "UCS-2";
  /** Septets (GSM-7) or UTF-16 code units (UCS-2). */
  readonly units: number;
  /** Units per segment: 160 or 153, 70 or 67. */
  readonly capacity: number;
  /** Units still free in the last segment. */
  readonly remaining: number;
  /** Where each segment but the last ends, in UTF-16 code units of the body. */
  readonly ends?: number[];
  /** First character that GSM-7 lacks, which makes the whole message UCS-2. */
  readonly forced_by?: string;
}

/** The canonical text or media message. Empty optional properties are absent. */
export interface SmsMessage {
  /** E.164. */
  readonly to: string;
  /** E.164 or alphanumeric sender id. */
  readonly from?: string;
  /** Sender pool used instead of an explicit from. */
  readonly messaging_service?: string;
  /** Decoded text, untrusted. */
  readonly body: string;
  /** In order. */
  readonly media?: SmsMedia[];
  /** Fixed at capture. */
  readonly status?:
    | "queued"
    | "accepted"
    | "sending"
    | "sent"
    | "delivered"
    | "undelivered"
    | "failed"
    | "received";
  /** Seen from the application. */
  readonly direction?: "outbound" | "inbound";
  /** Derived from the body. */
  readonly segments: Segments;
}
