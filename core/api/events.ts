import { ApiError } from "../errors.ts";
import { EventShape, toEventView } from "../events/view.ts";
import {
  CLEAR_PARAMS,
  clearEvents,
  FILTER_PARAMS,
  isWaiting,
  LIST_PARAMS,
  LIST_REFUSALS,
  type ListCall,
  listEvents,
  type ListQuery,
  PAGE_PARAMS,
  TEXT_PARAMS,
  toFilter,
  WAIT_PARAMS,
} from "../http/list.ts";
import { pluginOf, selectBy } from "../http/filters.ts";
import { loadExtract } from "../extract/load.ts";
import { boolean, text } from "../http/params.ts";
import { emptyDoc, errorDoc, json, jsonList, noContent } from "../http/reply.ts";
import { type ParamValues, type RouteContext, routeFor, type Selection } from "../http/route.ts";
import { Type } from "../shape_type.ts";
import type { ApiState } from "./state.ts";
import { streamEvents } from "./stream.ts";

const route = routeFor<ApiState>();

const PLUGIN = text("Only events of this plugin");
const RAW = boolean("Include the raw body, base64");

/** JSON shape of one namespace. */
export const NamespaceShape = Type.Object({
  name: Type.String({ description: "Name of the namespace" }),
  events: Type.Integer({ description: "Number of its events" }),
}, { $id: "events.Namespace" });

/** Details of events in a list. */
const VIEW_PARAMS = {
  include_raw: RAW,
  include_extracted: boolean("Include codes, links and tokens of the text; true when waiting"),
  include_payload: boolean(
    "Include meta and payload; true by default. Without them, meta contains only the fault, if any",
  ),
};

/** Routes of the generic events API. */
export const eventRoutes = [
  route({
    method: "GET",
    path: "/events",
    summary: "List captured events, newest first",
    query: { plugin: PLUGIN, ...LIST_PARAMS, ...VIEW_PARAMS },
    takesFilters: true,
    replies: {
      200: {
        about: "The events",
        content: { "application/json": Type.Array(EventShape) },
      },
      ...LIST_REFUSALS,
    },
    handle: sendList,
  }),
  route({
    method: "GET",
    path: "/events/wait",
    summary: "Wait for events; those already captured count, so none can be missed",
    query: {
      plugin: PLUGIN,
      ...FILTER_PARAMS,
      ...TEXT_PARAMS,
      ...PAGE_PARAMS,
      ...WAIT_PARAMS,
      ...VIEW_PARAMS,
    },
    takesFilters: true,
    replies: {
      200: {
        about: "The matching events, newest first",
        content: { "application/json": Type.Array(EventShape) },
      },
      ...LIST_REFUSALS,
    },
    handle: (call) => sendList({ ...call, query: { ...call.query, wait: true } }),
  }),
  route({
    method: "GET",
    path: "/namespaces",
    summary: "Count the events of each namespace",
    replies: {
      200: {
        about: "The namespaces, sorted by name",
        content: { "application/json": Type.Array(NamespaceShape) },
      },
    },
    handle: ({ state }) =>
      json([...state.events.namespaces()].map(([name, events]) => ({ name, events }))),
  }),
  route({
    method: "GET",
    path: "/events/stream",
    summary: "Follow captured events as server-sent events",
    query: { plugin: PLUGIN, ...FILTER_PARAMS, include_raw: RAW },
    replies: {
      200: {
        about: "Two frames per event: the record, then its id under the event type. " +
          "`Last-Event-ID`, or `after`, starts with the held events after that one; a `gap` frame says that some were missed",
        content: { "text/event-stream": Type.String() },
      },
      400: errorDoc("A parameter cannot be read"),
    },
    handle({ http, query, state, ctx }) {
      return streamEvents(state, {
        filter: toFilter(query, { ...ctx, plugin: query.plugin }, { comes: true }),
        after: http.headers.get("last-event-id") ?? query.after,
        includeRaw: query.include_raw === true,
      });
    },
  }),
  route({
    method: "GET",
    path: "/events/{id}",
    summary: "Fetch one event with its raw request",
    query: { include_raw: boolean("Include the raw body; true by default") },
    replies: {
      200: { about: "The event", content: { "application/json": EventShape } },
      400: errorDoc("A parameter cannot be read"),
      404: errorDoc("Unknown or no longer held"),
    },
    async handle({ params, query, state, ctx }) {
      const event = state.events.get(params.id);
      if (event === undefined) throw unknownEvent(params.id);
      const extract = await loadExtract((event) => ctx.texts(event));
      const raw = query.include_raw === false ? "none" : "full";
      return json(toEventView(event, { url: state.eventUrl(event.id), raw, extract }));
    },
  }),
  route({
    method: "DELETE",
    path: "/events",
    summary: "Clear captured events: all, or those that the list would show for the same filters",
    query: { plugin: PLUGIN, ...CLEAR_PARAMS },
    takesFilters: true,
    replies: { 204: emptyDoc("Cleared"), 400: errorDoc("A parameter cannot be read") },
    async handle({ query, ctx }) {
      // The service's own routes have no plugin, so the filter names it.
      await clearEvents({ query, ctx: { ...ctx, plugin: query.plugin } }, selectionOf(query, ctx));
      return noContent();
    },
  }),
  route({
    method: "DELETE",
    path: "/events/{id}",
    summary: "Remove one event",
    replies: { 204: emptyDoc("Removed"), 404: errorDoc("Unknown or no longer held") },
    handle({ params, state }) {
      if (!state.events.delete(params.id)) throw unknownEvent(params.id);
      return noContent();
    },
  }),
];

/** Builds the filter of the named plugin from the parameters. */
export function selectionOf(
  query: { readonly plugin: string | undefined; readonly type: string | undefined },
  ctx: RouteContext,
): Selection | undefined {
  const plugin = pluginOf(query);
  return plugin === undefined
    ? undefined
    : selectBy(ctx.filters.get(plugin), query, { ...ctx, plugin });
}

/** Refusal of an id without an event. */
export function unknownEvent(id: string): ApiError {
  return new ApiError(404, `Cannot find event "${id}": it is unknown or no longer held`);
}

/** Parameters shared by the list and the wait. */
type ListValues = ListQuery & ParamValues<typeof VIEW_PARAMS> & {
  readonly plugin: string | undefined;
};

async function sendList(
  { http, query, ctx, state }: Pick<ListCall<ListValues>, "http" | "query"> & {
    readonly ctx: RouteContext;
    readonly state: ApiState;
  },
): Promise<Response> {
  const events = await listEvents(
    { http, query, ctx: { ...ctx, plugin: query.plugin } },
    selectionOf(query, ctx),
  );
  const extract = query.include_extracted ?? isWaiting(query)
    ? await loadExtract((event) => ctx.texts(event))
    : undefined;
  const raw = query.include_raw === true ? "body" : "none";
  return jsonList(events, (event) => {
    const view = toEventView(event, { url: state.eventUrl(event.id), raw, extract });
    if (query.include_payload !== false) return view;
    const { meta, payload: _payload, ...rest } = view;
    return meta?.fault === undefined ? rest : { ...rest, meta: { fault: meta.fault } };
  });
}
