// Made from schema.ts by `deno task docs`: change the shapes there.
import type { BlobRef } from "../../core/blobs/blob.ts";

/** Segments of the body. */
export interface Segments {
  /** Number of segments; at least one. */
  readonly count: number;
  /** Encoding of the whole message. */
  readonly encoding: "GSM-7" | "UCS-2";
  /** Septets (GSM-7) or UTF-16 code units (UCS-2). */
  readonly units: number;
  /** Units per segment: 160 or 153, 70 or 67. */
  readonly capacity: number;
  /** Units still free in the last segment. */
  readonly remaining: number;
  /** Where each segment but the last ends, in UTF-16 code units of the body. */
  readonly ends?: number[];
  /** First character that GSM-7 lacks, which forces UCS-2 for the whole message. */
  readonly forced_by?: string;
}

/** One MMS attachment: its bytes, or only the link that the sender gave. */
export interface SmsMedia {
  /** As stated by the sender. */
  readonly content_type?: string;
  /** As stated by the sender; hostile text. */
  readonly filename?: string;
  /** The sender's link; never fetched. */
  readonly url?: string;
  /** Where the bytes are, if the sender gave bytes. */
  readonly blob?: BlobRef;
}

/** The canonical text or media message. Empty optional properties are absent. */
export interface SmsMessage {
  /** E.164, or the ARN of a topic. */
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
    | "scheduled"
    | "sending"
    | "sent"
    | "delivered"
    | "undelivered"
    | "failed"
    | "received";
  /** As seen from the application. */
  readonly direction?: "outbound" | "inbound";
  /** Derived from the body. */
  readonly segments: Segments;
}
