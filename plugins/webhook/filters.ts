/** Filters of captured requests. */
import { textTest } from "../../core/events/search.ts";
import { count, text } from "../../core/http/params.ts";
import { type EventFilters, filtersFor } from "../../core/http/route.ts";
import type { WebhookRequest } from "./model.ts";
import type { WebhookEvent } from "./views.ts";

/** Conditions on a request; all present ones must hold. */
export interface WebhookFilter {
  /** Name behind `/hook/`. */
  readonly name?: string | undefined;
  /** HTTP method, in any case. */
  readonly method?: string | undefined;
  /** Part of path and query, in any case. */
  readonly path?: string | undefined;
  /** Media type of the body, without parameters. */
  readonly content_type?: string | undefined;
  /** Status of the response. */
  readonly status?: number | undefined;
  /** Name of a header field that it has, in any case. */
  readonly header?: string | undefined;
}

/** The filter as query parameters. */
export const filters: EventFilters = filtersFor<WebhookEvent>()({
  query: {
    name: text("Name after /hook/"),
    method: text("HTTP method"),
    path: text("Substring of path and query"),
    content_type: text("Media type of the body, without parameters"),
    status: count("Status of the response"),
    header: text("Name of a header field that the request has"),
  },
  select: (filter) => ({ matches: ({ payload }) => matchesRequest(payload, filter) }),
});

function matchesRequest(request: WebhookRequest, filter: WebhookFilter): boolean {
  const { name, method, path, content_type, status, header } = filter;
  return (name === undefined || request.name === name) &&
    (method === undefined || request.method === method.toUpperCase()) &&
    (path === undefined || textTest(path)(request.path)) &&
    (content_type === undefined || request.content_type === content_type.toLowerCase()) &&
    (status === undefined || request.status === status) &&
    (header === undefined || Object.hasOwn(request.headers, header.toLowerCase()));
}
