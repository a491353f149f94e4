/** The chat read-back API, under `/api/v1/chat`. */
import { Type } from "@sinclair/typebox";
import { textTest } from "../../core/events/search.ts";
import { FILTER_PARAMS } from "../../core/http/list.ts";
import { messageRoutes } from "../../core/http/messages.ts";
import { boolean, text, word } from "../../core/http/params.ts";
import { json } from "../../core/http/reply.ts";
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

const messages = messageRoutes<ChatState, ChatEvent>({
  shape: ChatEnvelopeShape,
  toView: (event, ctx) => toEnvelope(ctx, event, channelsOf(ctx).get(event.payload.channel.id)!),
});

/** Every route of the chat read-back API. */
export const routes: readonly Route<ChatState>[] = [
  route({
    method: "GET",
    path: "/channels",
    summary: "Channels that messages were posted to, most recently used first",
    query: { namespace: FILTER_PARAMS.namespace },
    replies: {
      200: {
        about: "The channels",
        content: { "application/json": Type.Array(ChannelSummaryShape) },
      },
    },
    handle({ query, ctx }) {
      return json([...channelsOf(ctx, query.namespace).values()].map(toChannelSummary));
    },
  }),
  messages.list({
    query: {
      channel: text("Id, display name or derived key of a channel"),
      author: text("Substring of the author's name or id"),
      thread: text("Derived key of a thread"),
      format: word("Only messages with contents of this format", CHAT_FORMATS),
      bot: boolean("Only posts of bots, or only others"),
      replies: boolean("Only replies, or only others"),
    },
    select(query, ctx) {
      const channelOf = channelFinder(ctx);
      const { channel, thread } = query;
      return {
        matches: (event) =>
          matchesChat(event.payload, query) &&
          (channel === undefined || namesChannel(channel, channelOf(event))) &&
          (thread === undefined || placeOf(event, channelOf(event)).thread_key === thread),
        toView: (event) => toEnvelope(ctx, event, channelOf(event)),
      };
    },
  }),
  messages.clear("Clear every message"),
  messages.one("One message, with its channel, thread and root"),
  messages.remove("Remove one message"),
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

function channelsOf(ctx: RouteContext, namespace?: string): ReadonlyMap<string, Channel> {
  const filter = { plugin: ctx.plugin, ...(namespace === undefined ? {} : { namespace }) };
  return gatherChannels(ctx.events.list(filter) as ChatEvent[]);
}

/** Channels are gathered when one is first asked for, and again for a message that came later. */
function channelFinder(ctx: RouteContext): (event: ChatEvent) => Channel {
  let channels: ReadonlyMap<string, Channel> = new Map();
  let upToSeq = -1;
  return (event) => {
    const { id } = event.payload.channel;
    if (event.seq > upToSeq) {
      channels = channelsOf(ctx);
      upToSeq = ctx.events.list({ plugin: ctx.plugin }, { limit: 1 })[0]?.seq ?? upToSeq;
    }
    return channels.get(id) ?? gatherChannels([event]).get(id)!;
  };
}

function toEnvelope(ctx: RouteContext, event: ChatEvent, channel: Channel) {
  return toChatEnvelope(event, { place: placeOf(event, channel), url: ctx.eventUrl(event.id) });
}

function includes(text: string, part: string): boolean {
  return textTest(part)(text);
}
