import type { DescribedCallbacks } from "../app/callbacks.ts";
import type { Call } from "../callbacks/call.ts";
import type { CallState } from "../callbacks/model.ts";
import { toShownParams } from "../callbacks/shown.ts";
import { awaitCalls } from "../callbacks/wait.ts";
import { compact } from "../compact.ts";
import { ApiError, CallbacksOffError } from "../errors.ts";
import type { CapturedEvent } from "../events/event.ts";
import { DEFAULT_WAIT_MS, MAX_WAIT_MS } from "../events/wait.ts";
import type { HttpCall } from "../http/call.ts";
import { whileServing } from "../http/list.ts";
import { boolean, count, duration, text as textParam, word } from "../http/params.ts";
import { errorDoc, json, jsonList } from "../http/reply.ts";
import { type RouteContext, routeFor } from "../http/route.ts";
import { readJsonBody } from "../http/server/body/json_body.ts";
import type { MemoryLease } from "../memory/lease.ts";
import { withoutPasswords } from "../passwords.ts";
import { Type } from "../shape_type.ts";
import { text } from "../shapes.ts";
import type { ApiState } from "./state.ts";

const STATES = [
  "waiting",
  "sending",
  "done",
  "failed",
  "refused",
  "cancelled",
] as const satisfies readonly CallState[];

/** JSON shape of one attempt. */
export const AttemptShape = Type.Object({
  at: text("Start, RFC 3339"),
  duration_ms: Type.Integer({ description: "Time until the response or the failure" }),
  request_headers: Type.Array(Type.Array(Type.String()), {
    description: "Pairs of name and value as sent, with the vendor's signature",
  }),
  status: Type.Optional(Type.Integer({ description: "HTTP status, or the protocol's reply code" })),
  headers: Type.Optional(Type.Record(Type.String(), Type.String(), {
    description: "Header fields of the response",
  })),
  body: Type.Optional(text("Beginning of the response")),
  cut: Type.Optional(Type.Boolean({ description: "Whether the response was longer" })),
  error: Type.Optional(text("Why there is no response, or why it counts as a failure")),
}, { $id: "callbacks.Attempt" });

/** JSON shape of one call. */
export const CallShape = Type.Object({
  id: text("Sorts by time"),
  on: text("Provider whose vendor would call, such as sms/sms1"),
  event: Type.Optional(text("Its event")),
  name: text("What it reports, such as delivered"),
  method: Type.Optional(text("HTTP method")),
  url: text("Address"),
  body: text("Beginning of the body"),
  size: Type.Integer({ description: "Length of the body in bytes" }),
  state: Type.Union(
    STATES.map((state) => Type.Literal(state)),
    { description: "refused: the address is not allowed, or too many calls wait" },
  ),
  reason: Type.Optional(text("Why it was refused or cancelled")),
  next_at: Type.Optional(text("Time of the next attempt")),
  attempts: Type.Array(AttemptShape, { description: "Its latest attempts, oldest first" }),
  earlier_attempts: Type.Optional(Type.Integer({ description: "Attempts before those" })),
  outcome: Type.Optional(
    text("How the vendor interprets the response, such as the errors of a form"),
  ),
  captured: Type.Optional(
    Type.Array(Type.String(), { description: "Events that were captured from the response" }),
  ),
}, { $id: "callbacks.Call" });

const ParamsShape = Type.Record(
  Type.String(),
  Type.Object({
    about: Type.String(),
    schema: Type.Unknown({ description: "JSON Schema" }),
    default: Type.Optional(Type.Unknown()),
  }),
);

const OfferShape = Type.Object({
  event: text("Name in a request"),
  label: text("Text of a button"),
  about: text("What the application receives"),
  with: Type.Optional(Type.Record(Type.String(), Type.Unknown(), {
    description: "Parameters to send with it",
  })),
  params: ParamsShape,
}, { $id: "callbacks.Offer" });

/** JSON shape of the calls about an event. */
export const CallListShape = Type.Object({
  enabled: Type.Boolean({ description: "Whether callbacks are on" }),
  opens: Type.Boolean({ description: "Whether the UI reports opened emails and followed links" }),
  calls: Type.Array(CallShape, { description: "The calls that match" }),
  count: Type.Integer({ description: "Number of calls" }),
  offers: Type.Array(OfferShape, { description: "Callbacks that can be requested for the event" }),
}, { $id: "callbacks.List" });

/** JSON shape of the calls of a request. */
export const SentCallsShape = Type.Object({
  calls: Type.Array(CallShape, { description: "The calls that were made" }),
  count: Type.Integer({ description: "Number of calls" }),
  event: Type.Optional(text("Event captured for the inbound item")),
}, { $id: "callbacks.Sent" });

const ProvidersShape = Type.Object({
  enabled: Type.Boolean({ description: "Whether callbacks are on" }),
  allow: Type.Array(Type.String(), { description: "Origins that may be called" }),
  providers: Type.Array(Type.Object({
    on: text("Provider"),
    webhook: Type.Optional(text("Its address in [callbacks.webhooks]")),
    keys: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
      description: "Secrets with which the application checks signatures",
    }),
    timeout_ms: Type.Integer({ description: "Maximum wait for a response" }),
    delays_ms: Type.Array(Type.Integer(), {
      description: "The vendor's delays between attempts, not shortened",
    }),
    source: text("The vendor's page about them"),
    kinds: Type.Array(Type.Object({
      event: Type.String(),
      label: Type.String(),
      about: Type.String(),
      source: Type.String(),
      params: ParamsShape,
    })),
    inbound: Type.Optional(Type.Object({
      about: Type.String(),
      source: Type.String(),
      url: Type.Optional(text("Its address in [callbacks.inbound]")),
      example: Type.Unknown({ description: "A payload that works" }),
      templates: Type.Array(
        Type.Object({ label: Type.String(), payload: Type.Unknown() }),
        { description: "Payloads to start from; the first is the example" },
      ),
    })),
  })),
}, { $id: "callbacks.Providers" });

/** Largest request, in bytes: inbound email has attachments. */
const MAX_BODY = 33_554_432;

const route = routeFor<ApiState>();

const WAIT = {
  wait: boolean("Wait until every call is answered, or the vendor would give up"),
  timeout: duration("Maximum wait; 5s by default", MAX_WAIT_MS),
};

const sentReplies = {
  201: {
    about: "The calls; without `wait` they have no attempts yet",
    content: { "application/json": SentCallsShape },
  },
  400: errorDoc("The request cannot be read, or the provider has no such callback"),
  409: errorDoc("Callbacks are off, or there was no response in time"),
  413: errorDoc("The request is too large"),
  503: errorDoc(
    "The service stopped, too many requests are already waiting, or there is not enough memory",
  ),
};

/** Routes of calls to the application. */
export const callbackRoutes = [
  route({
    method: "GET",
    path: "/callbacks",
    summary: "List calls to the application, newest first",
    query: {
      provider: textParam("Only calls of this provider: its id or vendor, such as sms1 or twilio"),
      event: textParam("Only calls about this event"),
      name: textParam("Only calls that report this, such as delivered"),
      state: word("Only calls in this state", STATES),
      namespace: textParam("Only calls about events of this namespace"),
      limit: count("Maximum number of calls; 100 by default, 0 for all"),
      offset: count("Calls to skip"),
    },
    replies: {
      200: { about: "The calls", content: { "application/json": Type.Array(CallShape) } },
      400: errorDoc("A parameter is invalid, or the provider is not running"),
    },
    handle({ query, state }) {
      const { limit = 100, offset = 0, ...filter } = query;
      const calls = attemptFilter(() => state.callbacks.find(filter)).toReversed();
      const end = limit === 0 ? undefined : offset + limit;
      return jsonList(calls.slice(offset, end), (call) => call.toRecord());
    },
  }),
  route({
    method: "GET",
    path: "/callbacks/providers",
    summary: "List the callbacks that each provider can make, and the keys they need",
    replies: {
      200: { about: "The providers", content: { "application/json": ProvidersShape } },
    },
    async handle({ state: { callbacks } }) {
      const providers = (await callbacks.describe()).map(toProvider);
      return json({ enabled: callbacks.enabled, allow: callbacks.allow, providers });
    },
  }),
  route({
    method: "GET",
    path: "/callbacks/{id}",
    summary: "Fetch one call",
    replies: {
      200: { about: "The call", content: { "application/json": CallShape } },
      404: errorDoc("Unknown or no longer held"),
    },
    handle({ params, state }) {
      const call = state.callbacks.get(params.id);
      if (call !== undefined) return json(call.toRecord());
      throw new ApiError(404, `Cannot find callback "${params.id}": it is unknown or was deleted`);
    },
  }),
  route({
    method: "GET",
    path: "/events/{id}/callbacks",
    summary: "List the calls about an event with every attempt, and those that can be requested",
    query: WAIT,
    replies: {
      200: { about: "The calls, oldest first", content: { "application/json": CallListShape } },
      400: errorDoc("A parameter cannot be read"),
      404: errorDoc("The event is unknown or no longer held"),
      409: errorDoc("There was no response in time"),
      503: errorDoc(
        "The service stopped, too many requests are already waiting, or there is not enough memory",
      ),
    },
    async handle({ http, params, query, state, ctx }) {
      const event = findEvent(state, params.id);
      const { callbacks } = state;
      if (query.wait) await untilOver(callbacks.list(event.id), { http, query, ctx });
      const calls = callbacks.list(event.id).map((call) => call.toRecord());
      return json({
        enabled: callbacks.enabled,
        opens: callbacks.opens,
        calls,
        count: calls.length,
        offers: callbacks.offers(event),
      });
    },
  }),
  route({
    method: "POST",
    path: "/events/{id}/callbacks",
    summary: 'Call the application about an event: {"event": "bounced"}, with its parameters',
    query: WAIT,
    body: Type.Object({ event: text("Name of the callback") }, {
      additionalProperties: Type.Unknown({ description: "Parameters of the callback" }),
    }),
    replies: { ...sentReplies, 404: errorDoc("The event is unknown or no longer held") },
    async handle({ http, params, query, state, ctx, lease }) {
      const event = findEvent(state, params.id);
      const calls = await attempt({ http, lease }, (body) => state.callbacks.request(event, body));
      if (query.wait) await untilOver(calls, { http, query, ctx });
      return json(toSent(calls), 201);
    },
  }),
  route({
    method: "POST",
    path: "/inbound",
    summary: "Call the application as the vendor does when a message or an action comes in",
    query: WAIT,
    body: Type.Object({
      provider: text("Provider such as sms1 or twilio"),
      payload: Type.Record(Type.String(), Type.Unknown(), {
        description: "Inbound item; GET /callbacks/providers has an example for each provider",
      }),
    }),
    replies: sentReplies,
    async handle({ http, query, state, ctx, lease }) {
      const made = await attempt({ http, lease }, (body) => state.callbacks.inbound(body));
      if (query.wait) await untilOver(made.calls, { http, query, ctx });
      return json(toSent(made.calls, made.event), 201);
    },
  }),
];

function findEvent({ events }: ApiState, id: string): CapturedEvent {
  const event = events.get(id);
  if (event !== undefined) return event;
  throw new ApiError(404, `Cannot find event "${id}": it is unknown or no longer held`);
}

function attemptFilter<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof RangeError ? new ApiError(400, error.message) : error;
  }
}

function toSent(calls: readonly Call[], event?: CapturedEvent) {
  return {
    calls: calls.map((call) => call.toRecord()),
    count: calls.length,
    ...compact({ event: event?.id }),
  };
}

async function attempt<T>(
  { http, lease }: { readonly http: HttpCall; readonly lease: MemoryLease },
  run: (body: unknown) => Promise<T>,
): Promise<T> {
  try {
    return await run(await readJsonBody(http, { what: "the request", maxBytes: MAX_BODY, lease }));
  } catch (error) {
    if (error instanceof CallbacksOffError) throw new ApiError(409, error.message);
    if (error instanceof RangeError) throw new ApiError(400, error.message);
    throw error;
  }
}

/** Throws `ApiError` 409 when it takes too long. */
async function untilOver(
  calls: readonly Call[],
  { http, query, ctx }: {
    http: HttpCall;
    query: { readonly timeout: number | undefined };
    ctx: RouteContext;
  },
): Promise<void> {
  const { timeout: timeoutMs = DEFAULT_WAIT_MS } = query;
  const problem = await whileServing(
    { ...ctx, http },
    (signal) => awaitCalls(calls, timeoutMs, signal),
  );
  if (problem !== undefined) throw new ApiError(409, problem);
}

function toProvider({ on, callbacks, webhook, inbound, keys }: DescribedCallbacks) {
  const { schedule, kinds } = callbacks;
  return {
    on,
    ...compact({ webhook: webhook && withoutPasswords(webhook) }),
    keys,
    timeout_ms: schedule.timeoutMs,
    delays_ms: schedule.delaysMs,
    source: schedule.source,
    kinds: Object.entries(kinds).map(([event, { label, about, source, params = {} }]) => ({
      event,
      label,
      about,
      source,
      params: toShownParams(params),
    })),
    ...(callbacks.inbound === undefined ? {} : {
      inbound: {
        about: callbacks.inbound.about,
        source: callbacks.inbound.source,
        example: callbacks.inbound.example,
        templates: [
          { label: "Example", payload: callbacks.inbound.example },
          ...callbacks.inbound.templates ?? [],
        ],
        ...compact({ url: inbound && withoutPasswords(inbound) }),
      },
    }),
  };
}
