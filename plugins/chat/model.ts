// Made from schema.ts by `deno task docs`: change the shapes there.

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

/** Where a message was posted. */
export interface ChannelRef {
  /** As the provider names it. */
  readonly id: string;
  /** As people see it. */
  readonly name?: string;
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
