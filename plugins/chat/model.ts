import { Type } from "@sinclair/typebox";

/** What structured contents are written in. They are not made alike: a reader switches on the format. */
export const CHAT_FORMATS = [
  "chat1.blocks",
  "chat1.attachments",
  "chat2.messagecard",
  "chat2.adaptivecard",
] as const;

/** One of `CHAT_FORMATS`. */
export type ChatFormat = typeof CHAT_FORMATS[number];

/** Where a message was posted. */
export const ChannelRefShape = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
}, { $id: "chat.ChannelRef" });

/** Who a message was posted as. */
export const AuthorShape = Type.Object({
  id: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  icon_url: Type.Optional(Type.String({ description: "The sender's link; never fetched" })),
  bot: Type.Boolean(),
}, { $id: "chat.Author" });

/** One structured payload, exactly as sent. */
export const ContentShape = Type.Object({
  format: Type.Union(CHAT_FORMATS.map((word) => Type.Literal(word))),
  data: Type.String({ description: "Base64 of the original JSON, byte for byte", format: "byte" }),
  json: Type.Optional(Type.Unknown({ description: "The same, parsed; data is authoritative" })),
}, { $id: "chat.Content" });

/** The canonical chat message. Empty optional properties are absent. */
export const ChatMessageShape = Type.Object({
  channel: ChannelRefShape,
  author: AuthorShape,
  text: Type.String({ description: "As sent, or a readable line made from the contents" }),
  contents: Type.Optional(Type.Array(ContentShape)),
  ts: Type.Optional(Type.String({ description: "The message's own id in the provider's terms" })),
  thread_ts: Type.Optional(Type.String({ description: "The parent's ts" })),
}, { $id: "chat.Message" });

/** Where a message was posted. */
export interface ChannelRef {
  /** As the provider names it. */
  readonly id: string;
  /** As people see it. */
  readonly name?: string;
}

/** Who a message was posted as. */
export interface Author {
  /** As the provider names it. */
  readonly id?: string;
  /** As people see it; hostile text. */
  readonly name?: string;
  /** The sender's link; never fetched. */
  readonly icon_url?: string;
  /** Whether a program posted it. */
  readonly bot: boolean;
}

/** One structured payload, exactly as sent. */
export interface Content {
  /** What `data` is written in. */
  readonly format:
    | "chat1.blocks"
    | "chat1.attachments"
    | "chat2.messagecard"
    | "chat2.adaptivecard";
  /** Base64 of the original JSON, byte for byte. */
  readonly data: string;
  /** The same, parsed; `data` is authoritative. */
  readonly json?: unknown;
}

/** The canonical chat message. Empty optional properties are absent. */
export interface ChatMessage {
  /** Where it was posted. */
  readonly channel: ChannelRef;
  /** Who posted it. */
  readonly author: Author;
  /** As sent, or a readable line made from the contents. */
  readonly text: string;
  /** In order. */
  readonly contents?: Content[];
  /** The message's own id in the provider's terms. */
  readonly ts?: string;
  /** The parent's `ts`; absent for a top-level message. */
  readonly thread_ts?: string;
}
