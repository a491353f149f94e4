/** JSON shapes of captured items. `deno task docs` generates `model.ts` from them. */
import { Type } from "@sinclair/typebox";
import { described, flag, text, words } from "../../core/shapes.ts";

/** Formats of structured contents. They have nothing in common: readers switch on the format. */
export const CHAT_FORMATS = [
  "chat1.blocks",
  "chat1.attachments",
  "chat2.messagecard",
  "chat2.adaptivecard",
] as const;

/** One of `CHAT_FORMATS`. */
export type ChatFormat = typeof CHAT_FORMATS[number];

export const ChannelRefShape = Type.Object({
  id: text("Id in the provider's terms"),
  name: Type.Optional(text("Display name")),
}, { $id: "chat.ChannelRef", description: "The channel of a message" });

export const AuthorShape = Type.Object({
  id: Type.Optional(text("Id in the provider's terms")),
  name: Type.Optional(text("Display name; hostile text")),
  icon_url: Type.Optional(text("The sender's link; never fetched")),
  bot: flag("Whether a bot posted it"),
}, { $id: "chat.Author", description: "The author of a message" });

export const ContentShape = Type.Object({
  format: words(CHAT_FORMATS, "Format of `data`"),
  data: Type.String({ description: "Base64 of the original JSON, byte for byte", format: "byte" }),
  json: Type.Optional(Type.Unknown({ description: "The same, parsed; `data` is authoritative" })),
}, { $id: "chat.Content", description: "One structured payload, exactly as sent" });

export const ChatMessageShape = Type.Object({
  channel: described(ChannelRefShape, "Channel"),
  author: described(AuthorShape, "Author"),
  text: text("As sent, or readable text made from the contents"),
  contents: Type.Optional(Type.Array(ContentShape, { description: "In order" })),
  ts: Type.Optional(text("The message's own id in the provider's terms")),
  thread_ts: Type.Optional(text("The parent's `ts`; absent for a top-level message")),
}, {
  $id: "chat.Message",
  description: "The canonical chat message. Empty optional properties are absent",
});
