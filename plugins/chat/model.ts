// Made from schema.ts by `deno task docs`: change the shapes there.

/** The author of a message. */
export interface Author {
  /** Id in the provider's terms. */
  readonly id?: string;
  /** Display name; hostile text. */
  readonly name?: string;
  /** The sender's link; never fetched. */
  readonly icon_url?: string;
  /** Whether a bot posted it. */
  readonly bot: boolean;
}

/** The channel of a message. */
export interface ChannelRef {
  /** Id in the provider's terms. */
  readonly id: string;
  /** Display name. */
  readonly name?: string;
}

/** The canonical chat message. Empty optional properties are absent. */
export interface ChatMessage {
  /** Channel. */
  readonly channel: ChannelRef;
  /** Author. */
  readonly author: Author;
  /** As sent, or readable text made from the contents. */
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
  /** Format of `data`. */
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
