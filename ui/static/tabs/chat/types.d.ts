/** Types of the chat tab. */
import type { CapturedView } from "../../lib/types.d.ts";
import type { ChatMessage } from "../../../../plugins/chat/model.ts";

export type * from "../../../../plugins/chat/model.ts";

/** One captured message with its place. */
export interface ChatView extends CapturedView<ChatMessage> {
  readonly channel_key: string;
  readonly thread_key: string;
  /** Empty when the thread's first message is not held. */
  readonly root_id: string;
  readonly reply: boolean;
  readonly formats?: readonly string[];
}

/** One channel. */
export interface ChannelView {
  /** Of the newest message. */
  readonly provider: string;
  readonly id: string;
  readonly key: string;
  readonly display: string;
  readonly messages: number;
  readonly threads: number;
  readonly replies: number;
  readonly orphans: number;
  readonly last_message_at: string;
  readonly last_author?: string;
  readonly last_preview?: string;
}

/** Markup of a text. */
export type Markup = "mrkdwn" | "markdown" | "plain";

/** A message with its replies, oldest first. */
export interface Thread {
  readonly key: string;
  /** Edits, deletions and reactions by the `ts` of their message, oldest first. */
  readonly changes: ReadonlyMap<string, readonly ChatView[]>;
  /** Absent when it is not among the messages shown. */
  readonly root?: ChatView;
  readonly replies: readonly ChatView[];
}

/** A part of formatted text. */
export type Token =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code" | "pre" | "mention"; readonly text: string }
  | {
    readonly kind: "strong" | "em" | "strike" | "quote" | "heading";
    readonly children: readonly Token[];
  }
  | { readonly kind: "link"; readonly href: string; readonly children: readonly Token[] };

/** A JSON object whose members are not known. */
export type Json = Readonly<Record<string, unknown>>;
