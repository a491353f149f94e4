import { ApiError } from "../errors.ts";
import type { CapturedEvent, EventFilter, Page } from "../events/event.ts";
import { count, instant, text } from "./params.ts";
import { emptyDoc, errorDoc, noContent } from "./reply.ts";
import { type ParamValues, type Route, type RouteContext, routeFor } from "./route.ts";

/** Query parameters of every list route. */
export const LIST_PARAMS = {
  provider: text("Only entries captured by this provider"),
  type: text("Only entries of this event type"),
  search: text("Case-insensitive substring over summary and type"),
  since: instant("Only entries received after this moment"),
  limit: count("Maximum number of entries; 0 or absent means all"),
  offset: count("Entries to skip"),
};

/** The shared parameters as read. */
export type ListQuery = ParamValues<typeof LIST_PARAMS>;

/** The part of the shared parameters that says which events. */
export function toFilter(query: ListQuery, now: Date, plugin?: string): EventFilter {
  return {
    ...(plugin === undefined ? {} : { plugin }),
    ...(query.provider === undefined ? {} : { provider: query.provider }),
    ...(query.type === undefined ? {} : { type: query.type }),
    ...(query.search === undefined ? {} : { search: query.search }),
    ...(query.since === undefined ? {} : { since: query.since(now) }),
  };
}

/** The part of the shared parameters that says how many. */
export function toPage(query: ListQuery, match?: Page["match"]): Page {
  return {
    ...(query.limit === undefined ? {} : { limit: query.limit }),
    ...(query.offset === undefined ? {} : { offset: query.offset }),
    ...(match === undefined ? {} : { match }),
  };
}

/** The plugin's events that the shared parameters and `match` select, newest first. */
export function listEvents(
  ctx: RouteContext,
  query: ListQuery,
  match?: Page["match"],
): CapturedEvent[] {
  return ctx.events.list(toFilter(query, ctx.now(), ctx.plugin), toPage(query, match));
}

/** One event of the plugin. Throws `ApiError` 404 for an unknown id and for another plugin's event. */
export function findEvent(ctx: RouteContext, id: string): CapturedEvent {
  const event = ctx.events.get(id);
  if (event === undefined || event.plugin !== ctx.plugin) {
    throw new ApiError(
      404,
      `Cannot find ${ctx.plugin} event "${id}": it is unknown or no longer held`,
    );
  }
  return event;
}

/** A zero-based index from a path. Throws `ApiError` 404 for anything else. */
export function readIndex(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new ApiError(404, `Cannot find index "${value}": expected an integer of at least 0`);
}

/** `DELETE /messages`: forgets every event of the plugin. */
export function clearRoute<S>(summary: string): Route<S> {
  return routeFor<S>()({
    method: "DELETE",
    path: "/messages",
    summary,
    replies: { 204: emptyDoc("Cleared") },
    handle({ ctx }) {
      ctx.events.clear(ctx.plugin);
      return noContent();
    },
  });
}

/** `DELETE /messages/{id}`: forgets one event of the plugin. */
export function removeRoute<S>(summary: string): Route<S> {
  return routeFor<S>()({
    method: "DELETE",
    path: "/messages/{id}",
    summary,
    replies: {
      204: emptyDoc("Removed"),
      404: errorDoc("Unknown id, or the id of another plugin's event"),
    },
    handle({ params, ctx }) {
      ctx.events.delete(findEvent(ctx, params.id).id);
      return noContent();
    },
  });
}
