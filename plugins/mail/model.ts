import { Type } from "@sinclair/typebox";
import type { BlobRef } from "../../core/blobs/blob.ts";
import { BlobRefShape } from "../../core/blobs/schema.ts";

/** JSON shape of `Address`. */
export const AddressShape = Type.Object({
  email: Type.String(),
  name: Type.Optional(Type.String()),
}, { $id: "mail.Address" });

/** JSON shape of `Attachment`. */
export const AttachmentShape = Type.Object({
  blob: BlobRefShape,
  size: Type.Integer({ description: "Bytes" }),
  filename: Type.Optional(Type.String()),
  content_type: Type.Optional(Type.String()),
  inline: Type.Boolean({ description: "True when Content-Disposition is inline" }),
  content_id: Type.Optional(
    Type.String({ description: "The cid the HTML body refers to, without angle brackets" }),
  ),
}, { $id: "mail.Attachment" });

/** JSON shape of `MailMessage`. */
export const MailMessageShape = Type.Object({
  from: AddressShape,
  to: Type.Optional(Type.Array(AddressShape)),
  cc: Type.Optional(Type.Array(AddressShape)),
  bcc: Type.Optional(Type.Array(AddressShape)),
  reply_to: Type.Optional(Type.Array(AddressShape)),
  subject: Type.Optional(Type.String()),
  text: Type.Optional(Type.String({ description: "The text/plain part" })),
  html: Type.Optional(Type.String({ description: "The text/html part" })),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.Array(Type.String()), {
      description: "Header fields by name as spelled by the sender",
    }),
  ),
  attachments: Type.Optional(Type.Array(AttachmentShape)),
}, { $id: "mail.Message" });

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

/** The canonical message, whichever API it came through. Empty optional properties are absent. */
export interface MailMessage {
  /** Sender; its `email` is empty when the message names none. */
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
