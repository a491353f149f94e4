import { type Static, Type } from "@sinclair/typebox";
import { BlobRefShape } from "../../core/blobs/schema.ts";

/** A mailbox: address and display name. */
export const AddressShape = Type.Object({
  email: Type.String(),
  name: Type.Optional(Type.String()),
}, { $id: "mail.Address" });

/** One attachment; its bytes are in the blob store. */
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

/** The canonical message, whichever API it came through. Empty optional properties are absent. */
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

/** A mailbox: address and display name. */
export type Address = Static<typeof AddressShape>;
/** One attachment; its bytes are in the blob store. */
export type Attachment = Static<typeof AttachmentShape>;
/** The canonical message, whichever API it came through. */
export type MailMessage = Static<typeof MailMessageShape>;
