import type { Static } from "@sinclair/typebox";
import { LongList } from "../bytes/long_list.ts";
import { compact } from "../compact.ts";
import { ApiError } from "../errors.ts";
import type { CapturedEvent } from "../events/event.ts";
import { EventShape, toEventView, type UnwrittenEvent } from "../events/view.ts";
import { MAX_WAIT_MS } from "../events/wait.ts";
import { type CompiledExpectation, compileExpectation } from "../expect/expectation.ts";
import { awaitVerdict, type Verdict } from "../expect/expect.ts";
import { isTable } from "../expect/pattern.ts";
import { loadExtract } from "../extract/load.ts";
import type { HttpCall } from "../http/call.ts";
import { readJsonBody } from "../http/server/body/json_body.ts";
import { whileServing } from "../http/list.ts";
import { boolean, count, instant, readDurationMs, text } from "../http/params.ts";
import { emptyDoc, errorDoc, json, jsonList, noContent } from "../http/reply.ts";
import { routeFor } from "../http/route.ts";
import type { MemoryLease } from "../memory/lease.ts";
import { textOf } from "../options/suggest.ts";
import { Type } from "../shape_type.ts";
import type { ApiState } from "./state.ts";

const filterText = (description: string) => Type.Optional(Type.String({ description }));

/** Conditions on events, as in the query parameters of the lists. */
const PATTERN = {
  plugin: filterText("Only events of this plugin"),
  provider: filterText(
    "Only events captured by this provider: its id, or its vendor such as sendgrid",
  ),
  namespace: filterText("Only events of this namespace"),
  type: filterText("Only events of this type"),
  search: filterText("Case-insensitive substring of the summary or type"),
  since: Type.Optional(Type.Union([Type.String(), Type.Number()], {
    description: "Only events received after this moment: RFC 3339, 5m, or unix milliseconds",
  })),
  after: filterText("Only events captured after the event of this id"),
  match: Type.Optional(Type.Record(
    Type.String(),
    Type.Unknown({
      description: "A value that must be equal, or an object of equals, contains, regex (RE2), " +
        "exists and not, which must all hold",
    }),
    {
      description: "Conditions by path: payload.to[0].email, codes[*], " +
        "raw.headers['x-api-key'][0]; a path that does not begin with a property of events starts in the payload",
    },
  )),
};

const OWN_FILTERS =
  "It may also contain the filters of the plugin that plugin or type names, as its message list takes them";

/** JSON shape of a pattern of events. */
export const PatternShape = Type.Object(PATTERN, {
  $id: "expect.Pattern",
  description: OWN_FILTERS,
});

/** JSON shape of an expectation. */
export const ExpectationShape = Type.Object({
  name: filterText("Name in reports, at most 200 characters"),
  ...PATTERN,
  count: Type.Optional(Type.Union([
    Type.Integer({ minimum: 0 }),
    Type.Object({
      min: Type.Optional(Type.Integer({ minimum: 0 })),
      max: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ], {
    description: "Number of events that must match: exact, or a range; by default at least one",
  })),
  none: Type.Optional(Type.Boolean({ description: "No event may match" })),
  order: Type.Optional(Type.Array(PatternShape, {
    description: "Events that must arrive in this order, with or without others in between",
  })),
  timeout: Type.Optional(Type.Union([Type.String(), Type.Number()], {
    description: "Time within which it must be met: 5s, or milliseconds; 5s by default, at " +
      "most 60s. With only an upper bound, how long to watch it; 0 by default",
  })),
}, { $id: "expect.Expectation", description: OWN_FILTERS });

/** JSON shape of one condition and its result. */
export const FieldReportShape = Type.Object({
  path: Type.String({ description: "Path, as requested" }),
  wanted: Type.Unknown({ description: "Condition, as requested" }),
  met: Type.Boolean({ description: "Whether the value meets it" }),
  got: Type.Optional(Type.Unknown({ description: "Actual value, shortened" })),
  near: Type.Optional(
    Type.Array(Type.String(), { description: "If nothing is there, the names that exist instead" }),
  ),
}, { $id: "expect.Field" });

/** JSON shape of a verdict. */
export const VerdictShape = Type.Object({
  met: Type.Boolean({ description: "Whether the expectation was met" }),
  count: Type.Integer({
    description: "Number of matching events; with order, the number of steps met",
  }),
  events: Type.Array(EventShape, { description: "Those of them still held, in order of capture" }),
  step: Type.Optional(Type.Integer({ description: "With order: the first step that was not met" })),
  closest: Type.Optional(Type.Object({
    event: EventShape,
    fields: Type.Array(FieldReportShape),
  }, { description: "The closest captured event, condition by condition" })),
  error: Type.Optional(Type.String({ description: "What went wrong, in words" })),
}, { $id: "expect.Verdict" });

/** JSON shape of an expectation that ran. */
export const ExpectationRecordShape = Type.Object({
  id: Type.String({ description: "Sorts by time" }),
  started_at: Type.String({ description: "Time of the request", format: "date-time" }),
  duration_ms: Type.Integer({ minimum: 0, description: "Time until it was decided" }),
  name: filterText("Name that its author gave it"),
  expectation: Type.Optional(Type.Unknown({
    description: "As requested; absent if it was longer than 16 384 characters",
  })),
  met: Type.Boolean({ description: "Whether it was met" }),
  count: Type.Integer({ minimum: 0, description: "Number of matching events, or of steps met" }),
  events: Type.Array(Type.String(), { description: "Ids of the first 100 of them" }),
  error: filterText("What went wrong, at most 8192 characters"),
}, { $id: "expect.Record" });

const HISTORY_PARAMS = {
  met: boolean("Only expectations that were met, or that were not"),
  namespace: text("Only expectations of this namespace"),
};

/** Largest expectation, in bytes. */
const MAX_BODY = 1_048_576;
/** Measured memory of a compiled condition, in bytes. */
const CONDITION_BYTES = 1536;

const verdictDoc = (about: string) => ({ about, content: { "application/json": VerdictShape } });

/** Routes that check expectations, and list those that ran. */
export const expectRoutes = [
  routeFor<ApiState>()({
    method: "POST",
    path: "/expect",
    summary: "Check an expectation against the captures, and wait as long as it can still be met",
    body: ExpectationShape,
    replies: {
      200: verdictDoc("It was met"),
      400: errorDoc("The expectation is invalid"),
      409: verdictDoc("It was not met; the response has the closest event with the differences"),
      413: errorDoc("The expectation is too large"),
      503: errorDoc(
        "The service stopped, too many requests are already waiting, or there is not enough memory",
      ),
    },
    async handle({ http, state, ctx, lease }) {
      const extract = await loadExtract((event) => ctx.texts(event));
      const { asked, expectation } = await read(
        http,
        lease,
        async (body) =>
          await compileExpectation(fromJson(body, ctx.now()), {
            extract,
            ctx,
            timeoutKey: "timeout",
          }),
      );
      const verdict = await whileServing(
        { ...ctx, http },
        (signal) =>
          state.expectations.record(asked, () => awaitVerdict(ctx.events, expectation, signal)),
      );
      return sendVerdict(
        verdict,
        (event) => toEventView(event, { url: state.eventUrl(event.id), raw: "none", extract }),
      );
    },
  }),
  routeFor<ApiState>()({
    method: "GET",
    path: "/expect",
    summary: "List the expectations that ran, newest first: the last 2000",
    query: { ...HISTORY_PARAMS, limit: count("Maximum number of entries; 0 or absent means all") },
    replies: {
      200: {
        about: "The expectations with their results",
        content: { "application/json": Type.Array(ExpectationRecordShape) },
      },
      400: errorDoc("A parameter cannot be read"),
    },
    handle({ query: { limit, ...filter }, state }) {
      const records = state.expectations.list(filter).toReversed();
      return jsonList(limit ? records.slice(0, limit) : records, (record) => record);
    },
  }),
  routeFor<ApiState>()({
    method: "DELETE",
    path: "/expect",
    summary:
      "Delete the expectations that ran: all, or those that the list shows for the same filters",
    query: HISTORY_PARAMS,
    replies: { 204: emptyDoc("Deleted"), 400: errorDoc("A parameter cannot be read") },
    handle({ query, state }) {
      state.expectations.clear(query);
      return noContent();
    },
  }),
];

async function read(
  http: HttpCall,
  lease: MemoryLease,
  compile: (body: unknown) => Promise<CompiledExpectation>,
): Promise<{ readonly asked: unknown; readonly expectation: CompiledExpectation }> {
  try {
    const asked = await readJsonBody(http, {
      what: "the expectation",
      maxBytes: MAX_BODY,
      lease,
    });
    const expectation = await compile(asked);
    // Thousands may wait at once.
    await lease.cover(lease.bytes + CONDITION_BYTES * countConditions(expectation));
    return { asked, expectation };
  } catch (error) {
    throw error instanceof RangeError ? new ApiError(400, error.message) : error;
  }
}

function countConditions({ patterns }: CompiledExpectation): number {
  return patterns.reduce((sum, { fields }) => sum + fields.length, 0);
}

const SINCE = instant("");

/** JSON has no dates and no durations: they are written as in the query of a list. */
function fromJson(body: unknown, now: Date): unknown {
  if (!isTable(body)) return body;
  const { timeout, order, timeoutMs, ...rest } = withMoment(body, now);
  if (timeoutMs !== undefined) {
    throw new RangeError('Cannot use timeoutMs of the expectation: write "timeout": "5s"');
  }
  return {
    ...rest,
    ...(order === undefined
      ? {}
      : { order: Array.isArray(order) ? order.map((step) => withMoment(step, now)) : order }),
    ...(timeout === undefined
      ? {}
      : { timeout: readDurationMs(textOf(timeout), { name: "timeout", maxMs: MAX_WAIT_MS }) }),
  };
}

function withMoment<T>(pattern: T, now: Date): T {
  if (!isTable(pattern) || pattern.since === undefined) return pattern;
  return { ...pattern, since: SINCE.read(textOf(pattern.since), "since")?.(now) };
}

/** The verdict before it is serialized. */
type UnwrittenVerdict = Omit<Static<typeof VerdictShape>, "events" | "closest"> & {
  readonly events: LongList<CapturedEvent>;
  readonly closest?: {
    readonly event: UnwrittenEvent;
    readonly fields: readonly Static<typeof FieldReportShape>[];
  };
};

function sendVerdict(
  { message, events, closest, ...verdict }: Verdict,
  toView: (event: CapturedEvent) => UnwrittenEvent,
): Response {
  const told: UnwrittenVerdict = {
    ...verdict,
    events: new LongList(events, toView),
    ...(closest === undefined ? {} : {
      closest: {
        event: toView(closest.event),
        fields: closest.fields.map(({ near, ...field }) => ({
          ...field,
          ...(near === undefined ? {} : { near: [...near] }),
        })),
      },
    }),
    ...compact({ error: message }),
  };
  return json(told, verdict.met ? 200 : 409);
}
