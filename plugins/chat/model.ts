// Made from schema.ts by `deno task docs`: change the shapes there.
import type { BlobRef } from "../../core/blobs/blob.ts";

/** The author of a message. */
export interface Author {
  /** Id in the provider's terms. */
  readonly id?: string;
  /** Display name; hostile text. */
  readonly name?: string;
  /** The sender's link; never fetched. */
  readonly icon_url?: string;
  /** Whether it was posted by a bot. */
  readonly bot: boolean;
}

/** The channel of a message. */
export interface ChannelRef {
  /** Id in the provider's terms. */
  readonly id: string;
  /** Display name. */
  readonly name?: string;
}

/** A change of a message that was captured before. */
export interface ChatChange {
  /** Kind of change. */
  readonly kind: "edit" | "deletion" | "reaction_added" | "reaction_removed";
  /** Event id of the message; absent when it is not held. */
  readonly event_id?: string;
  /** Name or character of the emoji. */
  readonly reaction?: string;
}

/** One file; its bytes are in the blob store. */
export interface ChatFile {
  /** Where the bytes are. */
  readonly blob: BlobRef;
  /** In bytes. */
  readonly size: number;
  /** As stated by the sender; hostile text. */
  readonly filename?: string;
  /** As stated by the sender. */
  readonly content_type?: string;
  /** As stated by the sender. */
  readonly title?: string;
}

/** The canonical chat message. Empty optional properties are absent. */
export interface ChatMessage {
  /** Channel. */
  readonly channel: ChannelRef;
  /** Author. */
  readonly author: Author;
  /** As sent, or readable text derived from the contents. */
  readonly text: string;
  /** In order. */
  readonly contents?: Content[];
  /** In order. */
  readonly files?: ChatFile[];
  /** The message's own id in the provider's terms; of a change, that of the changed message. */
  readonly ts?: string;
  /** The parent's `ts`; absent for a top-level message. */
  readonly thread_ts?: string;
  /** The only user who sees it, in the provider's terms. */
  readonly visible_to?: string;
  /** Absent for a message; present if the event changes one. */
  readonly change?: ChatChange;
}

/** One structured payload, exactly as sent. */
export interface Content {
  /** Format of `data`. */
  readonly format:
    | "chat1.blocks"
    | "chat1.attachments"
    | "chat1.view"
    | "chat2.messagecard"
    | "chat2.adaptivecard"
    | "chat3.embeds"
    | "chat3.components"
    | "chat3.poll"
    | "chat4.reply_markup"
    | "chat4.content";
  /** Base64 of the original JSON, byte for byte. */
  readonly data: string;
  /** `data`, parsed; `data` is authoritative. */
  readonly json?: unknown;
}
