/**
 * Samples of `standin demo`. Each plugin has its own, loaded when the command runs, so that they cost neither start-up
 * time nor memory.
 *
 * @module
 */
import type { Endpoint } from "./endpoint.ts";
import type { Net } from "./net/transport.ts";

/** One realistic item for a running provider. */
export interface DemoSample {
  /** Id of the provider. */
  readonly provider: string;
  /** Description, such as `An order confirmation with its invoice attached`. */
  readonly what: string;
  /** Sends it as a client of the real service would. Rejects with the reason if it is refused. */
  send(to: DemoTarget): Promise<void>;
}

/** The running provider for a sample, and ways to reach it. */
export interface DemoTarget {
  /** Live address. */
  readonly at: Endpoint;
  /** Settings of the provider, such as a required key. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Sockets for the sample. */
  readonly net: Pick<Net, "connectTcp" | "openUdp">;
  /** Start of the command. */
  readonly now: Date;
  /** Sends a request to a path of the provider. Rejects for any status but 2xx. */
  request(path: string, call: DemoRequest): Promise<DemoAnswer>;
}

/** An HTTP request. */
export interface DemoRequest {
  /** `POST` by default. */
  readonly method?: string;
  /** Header fields by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body; empty by default. */
  readonly body?: Uint8Array | string;
  /** Whether to use HTTP/2 from the first byte. */
  readonly http2?: boolean;
}

/** An HTTP response. */
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

/** Returns the value of `Authorization: Basic`. */
export function basicAuth(user: string, password: string): string {
  return `Basic ${btoa(`${user}:${password}`)}`;
}

/** Returns the text of a setting, such as a required key; `fallback` if it is not set. */
export function settingOr(
  { values }: Pick<DemoTarget, "values">,
  key: string,
  fallback: string,
): string {
  const value = values[key];
  return typeof value === "string" && value !== "" ? value : fallback;
}
