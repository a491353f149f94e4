/** The push read-back API, under `/api/v1/push`. */
import { Type } from "@sinclair/typebox";
import {
  clearRoute,
  findEvent,
  LIST_PARAMS,
  LIST_REFUSALS,
  listEvents,
  removeRoute,
} from "../../core/http/list.ts";
import { boolean, text, word } from "../../core/http/params.ts";
import { sendBytes } from "../../core/http/range.ts";
import { bytesDoc, errorDoc, json, jsonList } from "../../core/http/reply.ts";
import { type Route, type RouteContext, routeFor } from "../../core/http/route.ts";
import type { PushState } from "./capture.ts";
import {
  KIND_WORDS,
  matchesPush,
  PushEnvelopeShape,
  type PushEvent,
  TARGET_WORDS,
  toPushEnvelope,
} from "./views.ts";

const route = routeFor<PushState>();

const UNKNOWN = errorDoc("Unknown id, or the id of another plugin's event");

/** Every route of the push read-back API. */
export const routes: readonly Route<PushState>[] = [
  route({
    method: "GET",
    path: "/messages",
    summary: "Captured pushes, newest first",
    query: {
      ...LIST_PARAMS,
      plugin: text("Only pushes of this plugin: push, or none at all"),
      displays: boolean("Only pushes that a device would, or would not show"),
      kind: word(
        "Only pushes of this kind; alert stands for notification, background for silent",
        KIND_WORDS,
      ),
      target_kind: word(
        "Only pushes to this kind of target; token and fid stand for device",
        TARGET_WORDS,
      ),
      target: text("Substring of the address"),
      app: text("Bundle id or project"),
      push_type: text("What the sender declared the push to be"),
      priority: text("high, normal or low, or the value exactly as sent"),
      data_key: text("Only pushes whose data has this key"),
    },
    replies: {
      200: { about: "The pushes", content: { "application/json": Type.Array(PushEnvelopeShape) } },
      ...LIST_REFUSALS,
    },
    async handle({ query, ctx }) {
      if (query.plugin !== undefined && query.plugin !== ctx.plugin) return json([]);
      const found = await listEvents(
        { query, ctx },
        (event) => matchesPush((event as PushEvent).payload, query),
      );
      return jsonList(
        found,
        (event) => toPushEnvelope(event as PushEvent, ctx.eventUrl(event.id)),
      );
    },
  }),
  clearRoute("Clear every push"),
  route({
    method: "GET",
    path: "/messages/{id}",
    summary: "One push",
    replies: {
      200: { about: "The push", content: { "application/json": PushEnvelopeShape } },
      404: UNKNOWN,
    },
    handle({ params, ctx }) {
      const event = findPush(ctx, params.id);
      return json(toPushEnvelope(event, ctx.eventUrl(event.id)));
    },
  }),
  removeRoute("Remove one push"),
  route({
    method: "GET",
    path: "/messages/{id}/raw",
    summary: "The request body exactly as received",
    replies: {
      200: bytesDoc("The bytes", "text/plain"),
      206: bytesDoc("The range asked for", "text/plain"),
      404: UNKNOWN,
      416: errorDoc("The range lies outside the body"),
    },
    async handle({ params, http, ctx }) {
      const { id, raw } = findPush(ctx, params.id);
      return await sendBytes(raw.body, {
        headers: http.headers,
        contentType: raw.text ? "text/plain; charset=utf-8" : "text/plain",
        disposition: "inline",
        etag: id,
      });
    },
  }),
];

function findPush(ctx: RouteContext, id: string): PushEvent {
  return findEvent(ctx, id) as PushEvent;
}
