/** JSON shapes of captured items. `deno task docs` generates `model.ts` from them. */
import { BlobRefShape } from "../../core/blobs/schema.ts";
import { Type } from "../../core/shape_type.ts";
import { described, flag, text, whole } from "../../core/shapes.ts";

export const AddressShape = Type.Object({
  email: text("`local@domain`, as sent"),
  name: Type.Optional(text("Display name, decoded")),
}, { $id: "mail.Address", description: "A mailbox" });

export const AttachmentShape = Type.Object({
  blob: described(BlobRefShape, "Where the bytes are"),
  size: whole("In bytes"),
  filename: Type.Optional(text("As stated by the sender; hostile text")),
  content_type: Type.Optional(text("As stated by the sender")),
  inline: flag("Whether Content-Disposition is inline"),
  content_id: Type.Optional(text("The cid the HTML body refers to, without angle brackets")),
}, { $id: "mail.Attachment", description: "One attachment; its bytes are in the blob store" });

export const MailMessageShape = Type.Object({
  from: described(AddressShape, "Sender; its `email` is empty if the message has none"),
  to: Type.Optional(
    Type.Array(AddressShape, { description: "Recipients of the To header or field" }),
  ),
  cc: Type.Optional(
    Type.Array(AddressShape, { description: "Recipients of the Cc header or field" }),
  ),
  bcc: Type.Optional(
    Type.Array(AddressShape, {
      description: "Recipients of the Bcc field, and envelope recipients that no header names",
    }),
  ),
  reply_to: Type.Optional(Type.Array(AddressShape, { description: "Where answers go" })),
  subject: Type.Optional(text("Decoded")),
  text: Type.Optional(text("The text/plain part")),
  html: Type.Optional(text("The text/html part; hostile markup")),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.Array(Type.String()), {
      description: "Header fields by name as spelled by the sender",
    }),
  ),
  attachments: Type.Optional(Type.Array(AttachmentShape, { description: "In order" })),
}, {
  $id: "mail.Message",
  description:
    "The canonical message, whatever API it arrived through. Empty optional properties are absent",
});
