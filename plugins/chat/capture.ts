import { encodeBase64 } from "@std/encoding/base64";
import { toLine } from "../../core/bytes/text.ts";
import { parseJson } from "../../core/codec/json_lenient.ts";
import { compact } from "../../core/compact.ts";
import type { CapturedEvent, NewEvent } from "../../core/events/event.ts";
import type { OptionSet } from "../../core/options/spec.ts";
import type { PluginState, ProviderEnv } from "../../core/plugin.ts";
import type { Author, ChannelRef, ChatChange, ChatFile, ChatMessage, Content } from "./model.ts";
import type { ChatEventType, ChatFormat } from "./schema.ts";

/** A structured payload of the request. */
export interface DraftContent {
  readonly format: ChatFormat;
  /** JSON text, unchanged. */
  readonly json: string;
}

/** A message to capture, from any provider. Empty texts count as absent. */
export interface ChatDraft {
  readonly channel: ChannelRef;
  readonly author: Author;
  /** As sent, or derived from the contents. */
  readonly text: string;
  readonly contents: readonly DraftContent[];
  readonly ts?: string | undefined;
  readonly thread_ts?: string | undefined;
  /** Stored files; the event takes over the reference to each. */
  readonly files?: readonly ChatFile[];
  readonly visible_to?: string | undefined;
  readonly change?: ChatChange;
}

/** State of the chat plugin: listeners for resets. Everything else is in the events. */
export interface ChatState extends PluginState {
  /** Calls `listener` at each reset. */
  onReset(listener: () => void): void;
}

/** Opens the state of the plugin. */
export function openChat(): ChatState {
  const listeners: (() => void)[] = [];
  return {
    onReset: (listener) => void listeners.push(listener),
    reset() {
      for (const listener of listeners) listener();
    },
  };
}

/** Type, request and notes of an event. */
export interface ChatAbout extends Pick<NewEvent, "raw" | "meta"> {
  /** By default `chat.message`, or the type of the change. */
  readonly type?: ChatEventType;
}

const CHANGE_TYPES = {
  edit: "chat.edit",
  deletion: "chat.deletion",
  reaction_added: "chat.reaction",
  reaction_removed: "chat.reaction",
} as const satisfies Readonly<Record<ChatChange["kind"], ChatEventType>>;

/**
 * Records a message or a change as one event. Without a text, the summary names its contents and
 * files.
 */
export function captureChat(
  env: Pick<ProviderEnv<OptionSet, ChatState>, "capture">,
  given: ChatDraft,
  { type, ...about }: ChatAbout,
): CapturedEvent<ChatMessage> {
  const draft = { ...given, text: textOf(given) };
  const { change, files = [] } = draft;
  const display = displayName(draft.channel);
  const author = draft.author.name ?? "";
  const what = wordsOf(draft, about.meta);
  return env.capture({
    type: type ?? (change === undefined ? "chat.message" : CHANGE_TYPES[change.kind]),
    summary: `${display}${author === "" ? "" : ` ${author}`}: ${what}`,
    summary_parts: {
      from: author,
      to: [display],
      title: display,
      snippet: toLine(what),
    },
    payload: toMessage(draft),
    ...(files.length > 0 && { blobs: files.map(({ blob }) => blob.id) }),
    ...about,
  });
}

/** The summary: the change, then the text; without its markup if the provider has read that. */
function wordsOf({ change, text: sent }: ChatDraft, meta: ChatAbout["meta"]): string {
  const text = typeof meta?.plain === "string" && meta.plain !== "" ? meta.plain : sent;
  switch (change?.kind) {
    case undefined:
      return text;
    case "edit":
      return `edited: ${text}`;
    case "deletion":
      return text === "" ? "deleted" : `deleted: ${text}`;
    case "reaction_added":
      return `reaction ${emojiOf(change)}`;
    case "reaction_removed":
      return `reaction ${emojiOf(change)} removed`;
  }
}

/** The emoji, or its name as in a text. */
function emojiOf({ reaction = "" }: ChatChange): string {
  return /^[\w+'-]+$/.test(reaction) ? `:${reaction}:` : reaction;
}

/** Returns the name of a channel, or its id. */
export function displayName(channel: ChannelRef): string {
  return channel.name || channel.id;
}

/** Returns the subject of fault rules: a message before its capture. */
export function toFaultSubject(draft: ChatDraft): Pick<NewEvent, "payload" | "summary_parts"> {
  return { payload: toMessage(draft), summary_parts: { to: [displayName(draft.channel)] } };
}

/** Returns the text or, without one, the formats of the contents and the names of the files. */
function textOf({ text, contents, files = [], change }: ChatDraft): string {
  if (text !== "" || (change !== undefined && change.kind !== "edit")) return text;
  return [
    ...contents.map(({ format }) => `[${format}]`),
    ...files.map(({ filename = "file" }) => `[${filename}]`),
  ].join(" ");
}

/** Returns the message in the form of an event. */
function toMessage(draft: ChatDraft): ChatMessage {
  const { id, name, icon_url, bot } = draft.author;
  return {
    channel: { id: draft.channel.id, ...compact({ name: draft.channel.name || undefined }) },
    author: {
      ...compact({ id: id || undefined, name: name || undefined, icon_url: icon_url || undefined }),
      bot,
    },
    text: textOf(draft),
    ...compact({
      contents: draft.contents.length > 0 ? draft.contents.map(toContent) : undefined,
      files: draft.files?.length ? [...draft.files] : undefined,
      ts: draft.ts || undefined,
      thread_ts: draft.thread_ts || undefined,
      visible_to: draft.visible_to || undefined,
      change: draft.change === undefined ? undefined : { ...draft.change },
    }),
  };
}

function toContent({ format, json }: DraftContent): Content {
  return { format, data: encodeBase64(new TextEncoder().encode(json)), json: parseJson(json) };
}
