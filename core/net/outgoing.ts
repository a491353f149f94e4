/**
 * Calls to an application: the name is resolved once, each address is checked, and the connection
 * goes to that address, so that a later change of the name's address has no effect. Redirects are
 * not followed.
 *
 * @module
 */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { encodeBase64 } from "@std/encoding/base64";
import { mayResolve, originOf } from "../callbacks/allow.ts";
import type { CallAnswer, OutgoingCall } from "../callbacks/provider.ts";
import { compact } from "../compact.ts";
import { reasonOf } from "../errors.ts";
import type { HeaderPairs } from "../events/event.ts";
import { CLIENT_NET } from "./net.ts";
import type { Transport } from "./transport.ts";
import { within } from "./within.ts";

/** Bytes read of a response. */
const MAX_ANSWER_BYTES = 65_536;
/** Maximum wait for the address of a name, in milliseconds. */
const RESOLVE_MS = 5000;

/** Addresses of a name; tests replace it. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** How a call is made. */
export interface DialOptions {
  readonly headers: HeaderPairs;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Makes calls. */
export class Dialer {
  readonly #resolve: Resolve;
  readonly #ca: readonly string[] | undefined;

  constructor(
    { resolve = resolveName, ca }: {
      readonly resolve?: Resolve;
      /** CA certificates in PEM, trusted besides those of the platform. */
      readonly ca?: readonly string[] | undefined;
    } = {},
  ) {
    this.#resolve = resolve;
    this.#ca = ca;
  }

  /** Sends one HTTP request. Rejects without a complete response in time. */
  async request(call: OutgoingCall, options: DialOptions): Promise<CallAnswer> {
    // Loaded on first use, because Node's HTTP client is slow to load.
    const { requestHttp } = await import("./http_client.ts");
    const answer = await this.#each(call.url, (address) =>
      requestHttp(call.url, {
        method: call.method ?? "POST",
        pairs: [...authorizationOf(call.url), ...options.headers],
        body: call.body,
        timeoutMs: options.timeoutMs,
        cutAt: MAX_ANSWER_BYTES,
        address,
        signal: options.signal,
        ...compact({ ca: this.#ca }),
      }));
    const { status, headers, body, cut = false } = answer;
    const isRedirect = status >= 300 && status < 400 && headers.location !== undefined;
    return {
      status,
      headers,
      body,
      cut,
      ...(isRedirect ? { failure: `Redirects are not followed: to ${headers.location}` } : {}),
    };
  }

  /** A connection that is aborted with the signal. */
  async connect(
    address: string,
    { timeoutMs, signal }: Pick<DialOptions, "timeoutMs" | "signal">,
  ): Promise<Transport> {
    const { port } = originOf(address)!;
    const wire = await this.#each(
      address,
      (hostname) => CLIENT_NET.connectTcp({ hostname, port, idleMs: timeoutMs }),
    );
    const end = (): void => wire.abort?.();
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    return wire;
  }

  /** Tries the addresses in order until one accepts. */
  async #each<T>(url: string, attempt: (address: string) => Promise<T>): Promise<T> {
    const { host } = originOf(url)!;
    const addresses = await this.#addressesOf(host);
    for (const address of addresses.slice(0, -1)) {
      try {
        return await attempt(address);
      } catch (error) {
        if (!/ECONNREFUSED|refused/i.test(reasonOf(error))) throw error;
      }
    }
    return await attempt(addresses.at(-1)!);
  }

  async #addressesOf(host: string): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host];
    const addresses = await within(
      this.#resolve(host),
      RESOLVE_MS,
      `Cannot resolve "${host}" within ${RESOLVE_MS} ms`,
    );
    const refused = addresses.find((address) => !mayResolve(host, address));
    if (refused !== undefined) {
      throw new Error(`Cannot call "${host}": it resolves to ${refused}, which is not allowed`);
    }
    if (addresses.length === 0) throw new Error(`Cannot call "${host}": it has no address`);
    return addresses;
  }
}

/** User and password in an address, which vendors send as Basic. */
function authorizationOf(address: string): HeaderPairs {
  const { username, password } = new URL(address);
  if (username === "" && password === "") return [];
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return [["Authorization", `Basic ${encodeBase64(new TextEncoder().encode(text))}`]];
}

async function resolveName(host: string): Promise<readonly string[]> {
  // Both families: servers on "localhost" listen on either.
  if (host === "localhost") return ["127.0.0.1", "::1"];
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
