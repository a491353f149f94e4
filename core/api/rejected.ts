import type { Static } from "@sinclair/typebox";
import { Base64Text, type LongText, Utf8Text } from "../bytes/long_text.ts";
import { isText } from "../bytes/text.ts";
import { compact } from "../compact.ts";
import { ApiError } from "../errors.ts";
import type { RejectedFilter, RejectedRecord } from "../events/journal.ts";
import { toHeaderMap } from "../events/view.ts";
import { checkNames } from "../http/list.ts";
import { count, instant, text } from "../http/params.ts";
import { emptyDoc, errorDoc, json, jsonList, noContent } from "../http/reply.ts";
import { type ParamValues, type RouteContext, routeFor } from "../http/route.ts";
import { Type } from "../shape_type.ts";
import type { ApiState } from "./state.ts";

/** JSON shape of a rejected request. */
export const RejectedShape = Type.Object({
  id: Type.String({ description: "Id in /rejected/{id}" }),
  time: Type.String({ description: "Time of the refusal", format: "date-time" }),
  peer: Type.String({ description: "Address and port of the sender; empty if unknown" }),
  provider: Type.Optional(Type.String({ description: "Provider that it was sent to, if known" })),
  method: Type.Optional(Type.String({ description: "HTTP method" })),
  path: Type.Optional(Type.String({ description: "As sent, query included" })),
  status: Type.Optional(Type.Integer({ description: "HTTP status of the response" })),
  reason: Type.String({ description: "Why it was rejected, in one sentence" }),
  headers: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()), {
    description: "Header fields by name, with all values of each",
  })),
  raw: Type.String({ description: "Received bytes, at most 64 KiB, base64", format: "byte" }),
  raw_text: Type.Optional(Type.String({ description: "The bytes, decoded, if they are text" })),
}, { $id: "rejected.Record" });

const route = routeFor<ApiState>();

/** Query parameters that select records. */
const FILTERS = {
  provider: text("Only requests to this provider: its id, or its vendor such as sendgrid"),
  since: instant("Only requests after this moment"),
};

/**
 * Converts the parameters to a filter of the journal. Throws `ApiError` 400 for an unknown
 * provider.
 */
function toFilter(
  { provider: asked, since }: ParamValues<typeof FILTERS>,
  ctx: RouteContext,
): RejectedFilter {
  const { provider } = checkNames({ provider: asked }, { ctx, comes: false });
  return compact({ provider, since: since?.(ctx.now()) });
}

/** Routes of the rejected journal. */
export const rejectedRoutes = [
  route({
    method: "GET",
    path: "/rejected",
    summary: "List rejected and unmatched requests, newest first",
    query: {
      ...FILTERS,
      limit: count("Maximum number of entries; 0 or absent means all"),
    },
    replies: {
      200: { about: "The records", content: { "application/json": Type.Array(RejectedShape) } },
      400: errorDoc("A parameter cannot be read"),
    },
    handle({ query, state, ctx }) {
      const records = state.rejected.list({
        ...toFilter(query, ctx),
        ...compact({ limit: query.limit }),
      });
      return jsonList(records, toRejectedView);
    },
  }),
  route({
    method: "GET",
    path: "/rejected/{id}",
    summary: "Fetch one rejected request",
    replies: {
      200: { about: "The record", content: { "application/json": RejectedShape } },
      404: errorDoc("Unknown or no longer held"),
    },
    handle({ params, state }) {
      const record = state.rejected.get(params.id);
      if (record === undefined) {
        throw new ApiError(404, `Cannot find rejected request "${params.id}"`);
      }
      return json(toRejectedView(record));
    },
  }),
  route({
    method: "DELETE",
    path: "/rejected",
    summary: "Clear the journal: all of it, or what the list would show for the same filters",
    query: FILTERS,
    replies: { 204: emptyDoc("Cleared"), 400: errorDoc("A parameter cannot be read") },
    handle({ query, state, ctx }) {
      state.rejected.clear(toFilter(query, ctx));
      return noContent();
    },
  }),
];

/** A record before it is written: the bytes become text only then. */
type UnwrittenRecord = Omit<Static<typeof RejectedShape>, "raw" | "raw_text"> & {
  readonly raw: LongText;
  readonly raw_text?: LongText;
};

function toRejectedView(record: RejectedRecord): UnwrittenRecord {
  return {
    id: record.id,
    time: record.time.toISOString(),
    peer: record.peer,
    ...compact({
      provider: record.provider,
      method: record.method,
      path: record.path,
      status: record.status,
    }),
    reason: record.reason,
    ...(record.headers === undefined ? {} : { headers: toHeaderMap(record.headers) }),
    raw: new Base64Text(record.raw),
    ...(isText(record.raw) ? { raw_text: new Utf8Text(record.raw) } : {}),
  };
}
