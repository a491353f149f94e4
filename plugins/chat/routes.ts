/** The chat read-back API, under `/api/v1/chat`. */
import { Type } from "@sinclair/typebox";
import {
  clearRoute,
  findEvent,
  LIST_PARAMS,
  listEvents,
  removeRoute,
} from "../../core/http/list.ts";
import { boolean, text, word } from "../../core/http/params.ts";
import { errorDoc, json } from "../../core/http/reply.ts";
import { type Route, type RouteContext, routeFor } from "../../core/http/route.ts";
import type { ChatState } from "./capture.ts";
import { CHAT_FORMATS, type ChatMessage } from "./model.ts";
import {
  type Channel,
  type ChatEvent,
  gatherChannels,
  isReply,
  namesChannel,
  placeOf,
} from "./threads.ts";
import {
  ChannelSummaryShape,
  ChatEnvelopeShape,
  formatsOf,
  toChannelSummary,
  toChatEnvelope,
} from "./views.ts";

const route = routeFor<ChatState>();

const BAD_PARAMETER = errorDoc("A query parameter cannot be read");
const UNKNOWN = errorDoc("Unknown id, or the id of another plugin's event");

/** Every route of the chat read-back API. */
export const routes: readonly Route<ChatState>[] = [
  route({
    method: "GET",
    path: "/channels",
    summary: "Channels that messages were posted to, most recently used first",
    replies: {
      200: {
        about: "The channels",
        content: { "application/json": Type.Array(ChannelSummaryShape) },
      },
    },
    handle({ ctx }) {
      return json([...channelsOf(ctx).values()].map(toChannelSummary));
    },
  }),
  route({
    method: "GET",
    path: "/messages",
    summary: "Captured messages, newest first",
    query: {
      ...LIST_PARAMS,
      channel: text("Id, display name or derived key of a channel"),
      author: text("Substring of the author's name or id"),
      thread: text("Derived key of a thread"),
      format: word("Only messages with contents of this format", CHAT_FORMATS),
      bot: boolean("Only posts of bots, or only others"),
      replies: boolean("Only replies, or only others"),
    },
    replies: {
      200: {
        about: "The messages",
        content: { "application/json": Type.Array(ChatEnvelopeShape) },
      },
      400: BAD_PARAMETER,
    },
    handle({ query, ctx }) {
      const channels = channelsOf(ctx);
      const wanted = query.channel === undefined ? undefined : new Set(
        [...channels.values()].filter((channel) => namesChannel(query.channel!, channel)),
      );
      const found = listEvents(ctx, query, (event) => {
        const chat = event as ChatEvent;
        const channel = channels.get(chat.payload.channel.id)!;
        return (wanted === undefined || wanted.has(channel)) &&
          (query.thread === undefined || placeOf(chat, channel).thread_key === query.thread) &&
          matchesChat(chat.payload, query);
      }) as ChatEvent[];
      return json(
        found.map((event) => toEnvelope(ctx, event, channels.get(event.payload.channel.id)!)),
      );
    },
  }),
  clearRoute("Clear every message"),
  route({
    method: "GET",
    path: "/messages/{id}",
    summary: "One message, with its channel, thread and root",
    replies: {
      200: { about: "The message", content: { "application/json": ChatEnvelopeShape } },
      404: UNKNOWN,
    },
    handle({ params, ctx }) {
      const event = findEvent(ctx, params.id) as ChatEvent;
      return json(toEnvelope(ctx, event, channelsOf(ctx).get(event.payload.channel.id)!));
    },
  }),
  removeRoute("Remove one message"),
];

/** Conditions of the message list that concern the message alone; all given ones must hold. */
interface ChatFilter {
  readonly author?: string | undefined;
  readonly format?: typeof CHAT_FORMATS[number] | undefined;
  readonly bot?: boolean | undefined;
  readonly replies?: boolean | undefined;
}

function matchesChat(message: ChatMessage, filter: ChatFilter): boolean {
  const { author, format, bot, replies } = filter;
  const { id = "", name = "" } = message.author;
  return (author === undefined || includes(name, author) || includes(id, author)) &&
    (format === undefined || formatsOf(message).has(format)) &&
    (bot === undefined || bot === message.author.bot) &&
    (replies === undefined || replies === isReply(message));
}

function channelsOf(ctx: RouteContext): ReadonlyMap<string, Channel> {
  return gatherChannels(ctx.events.list({ plugin: ctx.plugin }) as ChatEvent[]);
}

function toEnvelope(ctx: RouteContext, event: ChatEvent, channel: Channel) {
  return toChatEnvelope(event, { place: placeOf(event, channel), url: ctx.eventUrl(event.id) });
}

function includes(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
