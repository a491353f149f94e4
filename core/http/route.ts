import type { TSchema } from "@sinclair/typebox";
import type { BlobStore } from "../blobs/blob.ts";
import type { EventStore } from "../events/event.ts";
import type { HttpCall } from "./call.ts";

/** A query parameter: how it reads, and how it is described. */
export interface Param<T> {
  readonly about: string;
  readonly schema: TSchema;
  /** `null` when absent or empty. Throws `ApiError` 400 for text it cannot read. */
  read(text: string | null, name: string): T;
}

/** The query parameters of one route. */
export type ParamSet = Readonly<Record<string, Param<unknown>>>;

/** What the handler gets of a set of parameters. */
export type ParamValues<Q extends ParamSet> = {
  readonly [K in keyof Q]: Q[K] extends Param<infer T> ? T : never;
};

/** `/messages/{id}/attachments/{idx}` gives `{ id; idx }`; `{key...}` takes the rest, slashes included. */
export type PathParams<P extends string> = P extends `${string}{${infer N}...}${infer R}`
  ? { readonly [K in N]: string } & PathParams<R>
  : P extends `${string}{${infer N}}${infer R}` ? { readonly [K in N]: string } & PathParams<R>
  : unknown;

/** What read-back routes may use of the service. */
export interface RouteContext {
  readonly plugin: string;
  readonly events: EventStore;
  readonly blobs: BlobStore;
  now(): Date;
  /** Absolute address of an event's page. */
  eventUrl(id: string): string;
}

/** One call of a read-back route. */
export interface RouteCall<P extends string, Q extends ParamSet, S> {
  readonly http: HttpCall;
  /** Percent-decoded once. */
  readonly params: PathParams<P>;
  readonly query: ParamValues<Q>;
  readonly state: S;
  readonly ctx: RouteContext;
}

/** A documented answer. */
export interface ReplyDoc {
  readonly about: string;
  /** Media type to shape; absent for an empty body. */
  readonly content?: Readonly<Record<string, TSchema>>;
}

/** One line of a route table: routing, checks, OpenAPI and client types come from it. */
export interface Route<S> {
  readonly method: "GET" | "DELETE" | "POST";
  readonly path: string;
  readonly summary: string;
  readonly query: ParamSet;
  /** Shape of a JSON request body, for POST routes that take one. */
  readonly body?: TSchema;
  readonly replies: Readonly<Record<number, ReplyDoc>>;
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
  body?: TSchema;
  replies: Route<S>["replies"];
  handle(call: RouteCall<P, Q, S>): Response | Promise<Response>;
}) => Route<S> {
  return (spec) => ({ query: {}, ...spec }) as unknown as Route<S>;
}
