/** JSON shapes of captured items. `deno task docs` generates `model.ts` from them. */
import { BlobRefShape } from "../../core/blobs/schema.ts";
import { Type } from "../../core/shape_type.ts";
import { described, flag, text, whole, words } from "../../core/shapes.ts";

/** Types of chat events. Their payloads have one shape. */
export const CHAT_EVENTS = [
  "chat.message",
  "chat.scheduled",
  "chat.edit",
  "chat.deletion",
  "chat.reaction",
  "chat.view",
  "chat.call",
] as const;

/** One of `CHAT_EVENTS`. */
export type ChatEventType = typeof CHAT_EVENTS[number];

/** Formats of structured contents. They have nothing in common: readers switch on the format. */
export const CHAT_FORMATS = [
  "chat1.blocks",
  "chat1.attachments",
  "chat1.view",
  "chat2.messagecard",
  "chat2.adaptivecard",
  "chat3.embeds",
  "chat3.components",
  "chat3.poll",
  "chat4.reply_markup",
  "chat4.content",
] as const;

/** One of `CHAT_FORMATS`. */
export type ChatFormat = typeof CHAT_FORMATS[number];

/** Changes of a message that was captured before. */
export const CHAT_CHANGES = ["edit", "deletion", "reaction_added", "reaction_removed"] as const;

export const ChannelRefShape = Type.Object({
  id: text("Id in the provider's terms"),
  name: Type.Optional(text("Display name")),
}, { $id: "chat.ChannelRef", description: "The channel of a message" });

export const AuthorShape = Type.Object({
  id: Type.Optional(text("Id in the provider's terms")),
  name: Type.Optional(text("Display name; hostile text")),
  icon_url: Type.Optional(text("The sender's link; never fetched")),
  bot: flag("Whether it was posted by a bot"),
}, { $id: "chat.Author", description: "The author of a message" });

export const ContentShape = Type.Object({
  format: words(CHAT_FORMATS, "Format of `data`"),
  data: Type.String({ description: "Base64 of the original JSON, byte for byte", format: "byte" }),
  json: Type.Optional(Type.Unknown({ description: "`data`, parsed; `data` is authoritative" })),
}, { $id: "chat.Content", description: "One structured payload, exactly as sent" });

export const ChatFileShape = Type.Object({
  blob: described(BlobRefShape, "Where the bytes are"),
  size: whole("In bytes"),
  filename: Type.Optional(text("As stated by the sender; hostile text")),
  content_type: Type.Optional(text("As stated by the sender")),
  title: Type.Optional(text("As stated by the sender")),
}, { $id: "chat.File", description: "One file; its bytes are in the blob store" });

export const ChatChangeShape = Type.Object({
  kind: words(CHAT_CHANGES, "Kind of change"),
  event_id: Type.Optional(text("Event id of the message; absent when it is not held")),
  reaction: Type.Optional(text("Name or character of the emoji")),
}, { $id: "chat.Change", description: "A change of a message that was captured before" });

export const ChatMessageShape = Type.Object({
  channel: described(ChannelRefShape, "Channel"),
  author: described(AuthorShape, "Author"),
  text: text("As sent, or readable text derived from the contents"),
  contents: Type.Optional(Type.Array(ContentShape, { description: "In order" })),
  files: Type.Optional(Type.Array(ChatFileShape, { description: "In order" })),
  ts: Type.Optional(
    text("The message's own id in the provider's terms; of a change, that of the changed message"),
  ),
  thread_ts: Type.Optional(text("The parent's `ts`; absent for a top-level message")),
  visible_to: Type.Optional(text("The only user who sees it, in the provider's terms")),
  change: Type.Optional(
    described(ChatChangeShape, "Absent for a message; present if the event changes one"),
  ),
}, {
  $id: "chat.Message",
  description: "The canonical chat message. Empty optional properties are absent",
});
