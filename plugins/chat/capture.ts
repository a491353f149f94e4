import { encodeBase64 } from "@std/encoding/base64";
import { toLine } from "../../core/bytes/line.ts";
import { parseJson } from "../../core/codec/json_lenient.ts";
import { compact } from "../../core/compact.ts";
import type { CapturedEvent, NewEvent } from "../../core/events/event.ts";
import type { OptionSet } from "../../core/options/spec.ts";
import type { PluginState, ProviderEnv } from "../../core/plugin.ts";
import type { Author, ChannelRef, ChatMessage, Content } from "./model.ts";
import type { ChatFormat } from "./schema.ts";

/** A structured payload of the request. */
export interface DraftContent {
  readonly format: ChatFormat;
  /** JSON text, unchanged. */
  readonly json: string;
}

/** A message on its way into the log, from any provider. Empty texts count as absent. */
export interface ChatDraft {
  readonly channel: ChannelRef;
  readonly author: Author;
  /** As sent, or made from the contents. */
  readonly text: string;
  readonly contents: readonly DraftContent[];
  readonly ts?: string | undefined;
  readonly thread_ts?: string | undefined;
}

/** State of the chat plugin: the events are all it has. */
export type ChatState = PluginState;

/** Records a message as one `chat.message` event. Without a text it names the formats of its contents. */
export function captureChat(
  env: Pick<ProviderEnv<OptionSet, ChatState>, "capture">,
  given: ChatDraft,
  about: Pick<NewEvent, "raw" | "meta">,
): CapturedEvent<ChatMessage> {
  const formats = given.contents.map(({ format }) => `[${format}]`).join(" ");
  const draft = given.text === "" ? { ...given, text: formats } : given;
  const display = displayName(draft.channel);
  const author = draft.author.name ?? "";
  return env.capture({
    type: "chat.message",
    summary: `${display}${author === "" ? "" : ` ${author}`}: ${draft.text}`,
    summary_parts: {
      from: author,
      to: [display],
      title: display,
      snippet: toLine(draft.text),
    },
    payload: toMessage(draft),
    ...about,
  });
}

/** Name of a channel, or its id without one. */
export function displayName(channel: ChannelRef): string {
  return channel.name || channel.id;
}

/** The message as an event has it. */
export function toMessage(draft: ChatDraft): ChatMessage {
  const { id, name, icon_url, bot } = draft.author;
  return {
    channel: { id: draft.channel.id, ...compact({ name: draft.channel.name || undefined }) },
    author: {
      ...compact({ id: id || undefined, name: name || undefined, icon_url: icon_url || undefined }),
      bot,
    },
    text: draft.text,
    ...compact({
      contents: draft.contents.length > 0 ? draft.contents.map(toContent) : undefined,
      ts: draft.ts || undefined,
      thread_ts: draft.thread_ts || undefined,
    }),
  };
}

function toContent({ format, json }: DraftContent): Content {
  return { format, data: encodeBase64(new TextEncoder().encode(json)), json: parseJson(json) };
}
