import type { Static } from "@sinclair/typebox";
import { compact } from "../../core/compact.ts";
import { envelopeShape, toEnvelope } from "../../core/http/messages.ts";
import { Type } from "../../core/shape_type.ts";
import { displayName } from "./capture.ts";
import type { ChatMessage } from "./model.ts";
import { CHAT_FORMATS, type ChatFormat, ChatMessageShape } from "./schema.ts";
import { type Channel, channelRef, type ChatEvent, countOrphans, type Place } from "./threads.ts";

export const ChatEnvelopeShape = envelopeShape("chat.MessageEnvelope", {
  message: ChatMessageShape,
  channel_key: Type.String({ description: "Derived from the channel id" }),
  thread_key: Type.String({ description: "Derived from channel and thread" }),
  root_id: Type.String({
    description: "Event id of the thread's first message; empty when it is not held",
  }),
  reply: Type.Boolean(),
  formats: Type.Optional(
    Type.Array(Type.Union(CHAT_FORMATS.map((word) => Type.Literal(word)))),
  ),
});

export const ChannelSummaryShape = Type.Object({
  id: Type.String({ description: "Id in the provider's terms" }),
  key: Type.String({ description: "Derived from the id; names the channel in filters" }),
  display: Type.String({ description: "Name, or id without one" }),
  name: Type.Optional(Type.String({ description: "Display name" })),
  provider: Type.String({ description: "Of the newest message" }),
  messages: Type.Integer({ description: "Messages in it, replies included" }),
  threads: Type.Integer({ description: "A message without replies is a thread of one" }),
  replies: Type.Integer({ description: "Messages that answer another one" }),
  orphans: Type.Integer({ description: "Threads whose first message is not held" }),
  last_message_at: Type.String({ description: "Time of the newest message", format: "date-time" }),
  last_author: Type.Optional(Type.String({ description: "Author of the newest message" })),
  last_message_id: Type.Optional(Type.String({ description: "Event id of the newest message" })),
  last_preview: Type.Optional(Type.String({ description: "Beginning of the newest message" })),
  messages_url: Type.String({ description: "List of its messages" }),
  ui_url: Type.String({ description: "Page of the channel in the browser UI" }),
}, { $id: "chat.ChannelSummary" });

/** A captured message with its channel and thread. */
export type ChatEnvelope = Static<typeof ChatEnvelopeShape>;
/** A channel, with counts of its held messages. */
export type ChannelSummary = Static<typeof ChannelSummaryShape>;

/** Returns an event as a list or fetch shows it; `url` is the address of its page. */
export function toChatEnvelope(
  event: ChatEvent,
  about: { readonly place: Place; readonly url: string },
): ChatEnvelope {
  const formats = [...formatsOf(event.payload)];
  return toEnvelope(event, about.url, {
    message: event.payload,
    ...about.place,
    ...(formats.length > 0 && { formats }),
  });
}

/** Returns a channel as the list shows it. */
export function toChannelSummary(channel: Channel): ChannelSummary {
  const { newest } = channel;
  return {
    id: channel.id,
    key: channel.key,
    display: displayName(channelRef(channel)),
    ...compact({ name: channel.name }),
    provider: newest.provider,
    messages: channel.messages,
    threads: channel.threads.size,
    replies: channel.replies,
    orphans: countOrphans(channel),
    last_message_at: newest.received_at.toISOString(),
    ...compact({ last_author: newest.payload.author.name || undefined }),
    last_message_id: newest.id,
    ...compact({ last_preview: newest.summary_parts.snippet || undefined }),
    messages_url: `/api/v1/chat/messages?channel=${channel.key}`,
    ui_url: `/ui/chat/?channel=${channel.key}`,
  };
}

/** Returns the distinct formats of a message's contents. */
export function formatsOf({ contents = [] }: ChatMessage): ReadonlySet<ChatFormat> {
  return new Set(contents.map(({ format }) => format));
}
