/** JSON shapes of what the plugin captures. `model.ts` is made from them, with the texts that they give. */
import { Type } from "@sinclair/typebox";
import { described, flag, text, words } from "../../core/shapes.ts";

/** What structured contents are written in. They are not made alike: a reader switches on the format. */
export const CHAT_FORMATS = [
  "chat1.blocks",
  "chat1.attachments",
  "chat2.messagecard",
  "chat2.adaptivecard",
] as const;

/** One of `CHAT_FORMATS`. */
export type ChatFormat = typeof CHAT_FORMATS[number];

export const ChannelRefShape = Type.Object({
  id: text("As the provider names it"),
  name: Type.Optional(text("As people see it")),
}, { $id: "chat.ChannelRef", description: "Where a message was posted" });

export const AuthorShape = Type.Object({
  id: Type.Optional(text("As the provider names it")),
  name: Type.Optional(text("As people see it; hostile text")),
  icon_url: Type.Optional(text("The sender's link; never fetched")),
  bot: flag("Whether a program posted it"),
}, { $id: "chat.Author", description: "Who a message was posted as" });

export const ContentShape = Type.Object({
  format: words(CHAT_FORMATS, "What `data` is written in"),
  data: Type.String({ description: "Base64 of the original JSON, byte for byte", format: "byte" }),
  json: Type.Optional(Type.Unknown({ description: "The same, parsed; `data` is authoritative" })),
}, { $id: "chat.Content", description: "One structured payload, exactly as sent" });

export const ChatMessageShape = Type.Object({
  channel: described(ChannelRefShape, "Where it was posted"),
  author: described(AuthorShape, "Who posted it"),
  text: text("As sent, or a readable line made from the contents"),
  contents: Type.Optional(Type.Array(ContentShape, { description: "In order" })),
  ts: Type.Optional(text("The message's own id in the provider's terms")),
  thread_ts: Type.Optional(text("The parent's `ts`; absent for a top-level message")),
}, {
  $id: "chat.Message",
  description: "The canonical chat message. Empty optional properties are absent",
});
