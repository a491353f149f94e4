/**
 * What `standin demo` sends. Each plugin brings samples of its own, loaded when the command runs, so that neither the
 * start of the program nor its memory grows by them.
 *
 * @module
 */
import type { Endpoint } from "./endpoint.ts";
import type { Net } from "./net/transport.ts";

/** One realistic thing to send to a running provider. */
export interface DemoSample {
  /** Id of the provider it is for. */
  readonly provider: string;
  /** What is sent, for people: `An order confirmation with its invoice attached`. */
  readonly what: string;
  /** Sends it as a client of the real service would. Rejects, saying why, when it is not taken. */
  send(to: DemoTarget): Promise<void>;
}

/** The running provider that a sample goes to, and ways to reach it. */
export interface DemoTarget {
  /** Live address. */
  readonly at: Endpoint;
  /** Settings of the provider: a key that is pinned has to be presented. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Sockets of the sample's own. */
  readonly net: Pick<Net, "connectTcp" | "openUdp">;
  /** When the command began. */
  readonly now: Date;
  /** Sends a request to a path of the provider. Rejects for an answer other than 2xx. */
  request(path: string, call: DemoRequest): Promise<DemoAnswer>;
}

/** An HTTP request. */
export interface DemoRequest {
  /** `POST` unless given. */
  readonly method?: string;
  /** Header fields by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What is sent; nothing unless given. */
  readonly body?: Uint8Array | string;
  /** Speaks HTTP/2 from the first byte. */
  readonly http2?: boolean;
}

/** An HTTP answer. */
export interface DemoAnswer {
  /** Status code. */
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body. */
  readonly body: Uint8Array;
}

/** A request with JSON as its body. */
export function jsonRequest(
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): DemoRequest {
  return {
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(value),
  };
}

/** The value of `Authorization: Basic`. */
export function basicAuth(user: string, password: string): string {
  return `Basic ${btoa(`${user}:${password}`)}`;
}

/** The text of a setting, such as a pinned key; `fallback` where it is not set. */
export function settingOr(
  { values }: Pick<DemoTarget, "values">,
  key: string,
  fallback: string,
): string {
  const value = values[key];
  return typeof value === "string" && value !== "" ? value : fallback;
}
