import type { BlobStore } from "../blobs/blob.ts";
import type { Finding } from "../checks/model.ts";
import type { CapturedEvent, EventStore, EventText } from "../events/event.ts";
import type { MemoryLease } from "../memory/lease.ts";
import type { HttpCall } from "./call.ts";
import type { EventNames } from "./event_names.ts";

/** A JSON Schema, as TypeBox makes them; an `$id` makes it a component of the API description. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A query parameter, with its parser and description. */
export interface Param<T> {
  /** Shown in the API description. */
  readonly about: string;
  /** Schema of a value. */
  readonly schema: JsonSchema;
  /** Returns `null` for an absent or empty value. Throws `ApiError` 400 for an invalid one. */
  read(text: string | null, name: string): T;
}

/** The query parameters of one route. */
export type ParamSet = Readonly<Record<string, Param<unknown>>>;

/** Values of a set of parameters, for the handler. */
export type ParamValues<Q extends ParamSet> = {
  readonly [K in keyof Q]: Q[K] extends Param<infer T> ? T : never;
};

/** `/messages/{id}/attachments/{idx}` yields `{ id; idx }`; `{key...}` takes the rest, slashes included. */
export type PathParams<P extends string> = P extends `${string}{${infer N}}${infer R}`
  ? { readonly [K in N extends `${infer M}...` ? M : N]: string } & PathParams<R>
  : unknown;

/** Selection of events by filters of a plugin. */
export interface Selection<E extends CapturedEvent = CapturedEvent> {
  /** Returns whether an event matches. */
  matches(event: E): boolean;
  /** Whether `matches` may be slow, so that it must run in time slices. */
  readonly takesLong?: boolean;
}

/** Filters of a plugin's events, besides the general ones. */
export interface EventFilters {
  /** Query parameters by name, distinct from those of every list. */
  readonly query: ParamSet;
  /** Throws `ApiError` 400 for values that contradict each other. */
  select(values: ParamValues<ParamSet>, ctx: RouteContext): Selection;
}

/** `filtersFor<MailEvent>()({...})`: the parameters type `select`, and both are erased, as routes are. */
export function filtersFor<E extends CapturedEvent>(): <const Q extends ParamSet>(filters: {
  readonly query: Q;
  select(values: ParamValues<Q>, ctx: RouteContext): Selection<E>;
}) => EventFilters {
  return (filters) => filters as unknown as EventFilters;
}

/** The parts of the service that read-back routes may use. */
export interface RouteContext {
  /** Id of the plugin; empty for the service's own routes. */
  readonly plugin: string;
  /** Everything captured. */
  readonly events: EventStore;
  /** Filters of each running plugin that has any. */
  readonly filters: ReadonlyMap<string, EventFilters>;
  /** Event names of each installed plugin. */
  readonly names: readonly EventNames[];
  /** Stored bytes. */
  readonly blobs: BlobStore;
  /** Aborts when the service begins to stop, which ends waits. */
  readonly signal: AbortSignal;
  /** Time of the injected clock. */
  now(): Date;
  /** Absolute address of an event's page. */
  eventUrl(id: string): string;
  /** Returns the readable text of an event, as declared by its plugin. */
  texts(event: CapturedEvent): readonly EventText[];
  /** Returns the findings of the checks of an event, the worst first; computed on first use. */
  findings(event: CapturedEvent): Promise<readonly Finding[]>;
}

/** One call of a read-back route. */
export interface RouteCall<P extends string, Q extends ParamSet, S> {
  /** The request. */
  readonly http: HttpCall;
  /** Percent-decoded once. */
  readonly params: PathParams<P>;
  /** Query parameters as read. */
  readonly query: ParamValues<Q>;
  /** State of the plugin. */
  readonly state: S;
  /** The parts of the service that routes may use. */
  readonly ctx: RouteContext;
  /** Memory of this call, until it is answered. */
  readonly lease: MemoryLease;
}

/** A documented response. */
export interface ReplyDoc {
  /** Condition under which it is sent. */
  readonly about: string;
  /** Shape by media type; absent for an empty body. */
  readonly content?: Readonly<Record<string, JsonSchema>>;
}

/** One line of a route table: routing, checks, OpenAPI and client types come from it. */
export interface Route<S> {
  /** HTTP method; `HEAD` is served by `GET`. */
  readonly method: "GET" | "DELETE" | "POST";
  /** Path below the plugin's base path. */
  readonly path: string;
  /** One line for the API description. */
  readonly summary: string;
  /** Query parameters by name. */
  readonly query: ParamSet;
  /** Whether it also takes the filters of the plugin that its parameter `plugin` or `type` names. */
  readonly takesFilters?: true;
  /** Shape of a JSON request body, for POST routes that take one. */
  readonly body?: JsonSchema;
  /** Documented responses by status. */
  readonly replies: Readonly<Record<number, ReplyDoc>>;
  /** Answers one call. */
  handle(call: RouteCall<string, ParamSet, S>): Response | Promise<Response>;
}

/**
 * `const route = routeFor<MailState>()`, then one `route({...})` per entry: path and query type the handler,
 * and both are erased so that all routes fit one table.
 */
export function routeFor<S>(): <
  const P extends string,
  const Q extends ParamSet = Record<never, never>,
>(spec: {
  method: Route<S>["method"];
  path: P;
  summary: string;
  query?: Q;
  takesFilters?: true;
  body?: JsonSchema;
  replies: Route<S>["replies"];
  handle(call: RouteCall<P, Q, S>): Response | Promise<Response>;
}) => Route<S> {
  return (spec) => ({ query: {}, ...spec }) as unknown as Route<S>;
}
