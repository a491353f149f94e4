/**
 * Read-back routes shared by the plugins with messages: list, get, raw body, clear and delete, and
 * the envelope of a message.
 *
 * @module
 */
import type { Static, TProperties, TSchema } from "@sinclair/typebox";
import { ApiError } from "../errors.ts";
import type { CapturedEvent } from "../events/event.ts";
import { ExtractedShape, toExtracted } from "../events/view.ts";
import { Type } from "../shape_type.ts";
import { selectBy } from "./filters.ts";
import {
  CLEAR_PARAMS,
  clearEvents,
  isWaiting,
  LIST_PARAMS,
  LIST_REFUSALS,
  listEvents,
  type ListQuery,
} from "./list.ts";
import { loadExtract } from "../extract/load.ts";
import { sendBytes } from "./range.ts";
import { bytesDoc, emptyDoc, errorDoc, json, jsonList, noContent, rangeDocs } from "./reply.ts";
import {
  type EventFilters,
  type ParamSet,
  type ParamValues,
  type Route,
  type RouteContext,
  routeFor,
} from "./route.ts";

const HEAD = {
  id: Type.String({ description: "Event id" }),
  provider: Type.String({ description: "Provider that captured it" }),
  type: Type.String({ description: "Kind of item, such as mail.message" }),
  received_at: Type.String({ description: "Time of capture", format: "date-time" }),
};

const TAIL = {
  extracted: Type.Optional(ExtractedShape),
  meta: Type.Optional(Type.Record(Type.String(), Type.Unknown(), {
    description: "What the provider recorded in addition to the payload",
  })),
  url: Type.Optional(Type.String({ description: "Page of the event in the browser UI" })),
};

/** JSON shape of a captured message: its event, and the `fields` of the plugin. */
export function envelopeShape<const F extends TProperties>(id: string, fields: F) {
  return Type.Object({ ...HEAD, ...fields, ...TAIL }, { $id: id });
}

/** Fields that {@link toEnvelope} adds to those of a plugin. */
export type EnvelopeAbout = Static<ReturnType<typeof envelopeShape<Record<never, never>>>>;

/** An event in its envelope; `url` is the address of its page. */
export function toEnvelope<F extends object>(
  event: CapturedEvent,
  url: string,
  fields: F,
): EnvelopeAbout & F {
  return {
    id: event.id,
    provider: event.provider,
    type: event.type,
    received_at: event.received_at.toISOString(),
    ...fields,
    ...(Object.keys(event.meta).length > 0 ? { meta: event.meta } : {}),
    url,
  };
}

/** For route tables: the response to an unknown id. */
export const UNKNOWN_ID = errorDoc("Unknown id, or the id of another plugin's event");

/**
 * Returns one event of the plugin. Throws `ApiError` 404 for an unknown id and for another plugin's
 * event.
 */
function findEvent(ctx: RouteContext, id: string): CapturedEvent {
  const event = ctx.events.get(id);
  if (event === undefined || event.plugin !== ctx.plugin) {
    throw new ApiError(
      404,
      `Cannot find ${ctx.plugin} event "${id}": it is unknown or no longer held`,
    );
  }
  return event;
}

/** Parses a zero-based index in a path. Throws `ApiError` 404 for anything else. */
export function readIndex(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new ApiError(404, `Cannot find index "${value}": expected an integer of at least 0`);
}

/** Names of a plugin's messages, and their view. */
export interface MessageKind<E extends CapturedEvent> {
  /** Singular for descriptions; by default `message`. */
  readonly one?: string;
  /** Plural for descriptions; by default `messages`. */
  readonly many?: string;
  /** Filters of the plugin; by default none. */
  readonly filters?: EventFilters;
  /** JSON shape of the views. */
  readonly shape: TSchema;
  toView(event: E, ctx: RouteContext): unknown;
}

/** The routes that every plugin with messages adds to its table. */
export interface MessageRoutes<S, E extends CapturedEvent> {
  /** `GET /messages`: each message as in `GET /messages/{id}`, unless `spec` overrides it. */
  list<const Q extends ParamSet>(spec?: {
    /** Further parameters, which control the view. */
    readonly query: Q;
    /** Returns the view for one call. */
    viewer(query: ParamValues<Q>, ctx: RouteContext): (event: E) => unknown;
  }): Route<S>;
  /**
   * `DELETE /messages`: deletes every event of the plugin, or those that the filters of the list
   * select.
   */
  clear(summary: string): Route<S>;
  /** `GET /messages/{id}`. */
  one(summary?: string): Route<S>;
  /** `DELETE /messages/{id}`: deletes one event of the plugin. */
  remove(summary: string): Route<S>;
  /** `GET /messages/{id}/raw`: the request as received. */
  raw(): Route<S>;
  /**
   * Returns one message. Throws `ApiError` 404 for an unknown id and for another plugin's event.
   */
  find(ctx: RouteContext, id: string): E;
}

/** Creates the common routes for one kind of message. Every event of the plugin must be an `E`. */
export function messageRoutes<S, E extends CapturedEvent>(
  kind: MessageKind<E>,
): MessageRoutes<S, E> {
  const { one = "message", many = "messages", filters, shape, toView } = kind;
  const route = routeFor<S>();
  const find = (ctx: RouteContext, id: string): E => findEvent(ctx, id) as E;
  return {
    find,
    list: (spec) =>
      route({
        method: "GET",
        path: "/messages",
        summary: `List captured ${many}, newest first`,
        query: { ...LIST_PARAMS, ...filters?.query, ...spec?.query },
        replies: {
          200: { about: `The ${many}`, content: { "application/json": Type.Array(shape) } },
          ...LIST_REFUSALS,
        },
        async handle({ http, query, ctx }) {
          const view = spec?.viewer(query as ParamValues<typeof spec.query>, ctx) ??
            ((event: E) => toView(event, ctx));
          const call = { http, query: query as ListQuery, ctx };
          const found = await listEvents(call, selectBy(filters, query, ctx));
          const extract = isWaiting(call.query)
            ? await loadExtract((event) => ctx.texts(event))
            : undefined;
          return jsonList(found, (event) => ({
            ...view(event as E) as object,
            ...toExtracted(event, extract),
          }));
        },
      }),
    clear: (summary) =>
      route({
        method: "DELETE",
        path: "/messages",
        summary,
        query: { ...CLEAR_PARAMS, ...filters?.query },
        replies: { 204: emptyDoc("Cleared"), 400: errorDoc("A query parameter cannot be read") },
        async handle({ query, ctx }) {
          await clearEvents({ query, ctx }, selectBy(filters, query, ctx));
          return noContent();
        },
      }),
    one: (summary = `Fetch one ${one}`) =>
      route({
        method: "GET",
        path: "/messages/{id}",
        summary,
        replies: {
          200: { about: `The ${one}`, content: { "application/json": shape } },
          404: UNKNOWN_ID,
        },
        handle: ({ params, ctx }) => json(toView(find(ctx, params.id), ctx)),
      }),
    remove: (summary) =>
      route({
        method: "DELETE",
        path: "/messages/{id}",
        summary,
        replies: { 204: emptyDoc("Removed"), 404: UNKNOWN_ID },
        handle({ params, ctx }) {
          ctx.events.delete(find(ctx, params.id).id);
          return noContent();
        },
      }),
    raw: () =>
      route({
        method: "GET",
        path: "/messages/{id}/raw",
        summary: "Fetch the request body exactly as received",
        replies: {
          200: bytesDoc("The bytes", "text/plain"),
          ...rangeDocs("text/plain"),
          404: UNKNOWN_ID,
        },
        async handle({ params, http, ctx }) {
          const { id, raw } = find(ctx, params.id);
          return await sendBytes(raw.body, {
            headers: http.headers,
            contentType: raw.text ? "text/plain; charset=utf-8" : "text/plain",
            disposition: "inline",
            etag: id,
          });
        },
      }),
  };
}
