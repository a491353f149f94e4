// Made from schema.ts by `deno task docs`: change the shapes there.
import type { BlobRef } from "../../core/blobs/blob.ts";

/** A mailbox. */
export interface Address {
  /** `local@domain`, as sent. */
  readonly email: string;
  /** Display name, decoded. */
  readonly name?: string;
}

/** One attachment; its bytes are in the blob store. */
export interface Attachment {
  /** Where the bytes are. */
  readonly blob: BlobRef;
  /** In bytes. */
  readonly size: number;
  /** As stated by the sender; hostile text. */
  readonly filename?: string;
  /** As stated by the sender. */
  readonly content_type?: string;
  /** Whether Content-Disposition is inline. */
  readonly inline: boolean;
  /** The cid the HTML body refers to, without angle brackets. */
  readonly content_id?: string;
}

/** The canonical message, whatever API it arrived through. Empty optional properties are absent. */
export interface MailMessage {
  /** Sender; its `email` is empty if the message has none. */
  readonly from: Address;
  /** Recipients of the To header or field. */
  readonly to?: Address[];
  /** Recipients of the Cc header or field. */
  readonly cc?: Address[];
  /** Recipients of the Bcc field, and envelope recipients that no header names. */
  readonly bcc?: Address[];
  /** Where answers go. */
  readonly reply_to?: Address[];
  /** Decoded. */
  readonly subject?: string;
  /** The text/plain part. */
  readonly text?: string;
  /** The text/html part; hostile markup. */
  readonly html?: string;
  /** Header fields by name as spelled by the sender. */
  readonly headers?: Record<string, string[]>;
  /** In order. */
  readonly attachments?: Attachment[];
}
