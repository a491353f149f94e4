/** The chat read-back API, under `/api/v1/chat`. */
import { FILTER_PARAMS } from "../../core/http/list.ts";
import { messageRoutes } from "../../core/http/messages.ts";
import { json } from "../../core/http/reply.ts";
import { type Route, type RouteContext, routeFor } from "../../core/http/route.ts";
import { Type } from "../../core/shape_type.ts";
import type { ChatState } from "./capture.ts";
import { filters } from "./filters.ts";
import { type Channel, channelFinder, channelsOf, type ChatEvent, placeOf } from "./threads.ts";
import {
  ChannelSummaryShape,
  ChatEnvelopeShape,
  toChannelSummary,
  toChatEnvelope,
} from "./views.ts";

const route = routeFor<ChatState>();

const messages = messageRoutes<ChatState, ChatEvent>({
  filters,
  shape: ChatEnvelopeShape,
  toView: (event, ctx) => toEnvelope(ctx, event, channelsOf(ctx).get(event.payload.channel.id)!),
});

export const routes: readonly Route<ChatState>[] = [
  route({
    method: "GET",
    path: "/channels",
    summary: "List the channels that messages were posted to, most recently used first",
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
    query: {},
    viewer(_query, ctx) {
      const channelOf = channelFinder(ctx);
      return (event) => toEnvelope(ctx, event, channelOf(event));
    },
  }),
  messages.clear("Clear all messages"),
  messages.one("One message, with its channel, thread and root"),
  messages.remove("Remove one message"),
];

function toEnvelope(ctx: RouteContext, event: ChatEvent, channel: Channel) {
  return toChatEnvelope(event, { place: placeOf(event, channel), url: ctx.eventUrl(event.id) });
}
