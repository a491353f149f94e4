/** Requests of a client to the API of one service. */
import { compact } from "../compact.ts";
import { RequestError, WaitError } from "./errors.ts";
import { FrameReader } from "./frames.ts";
import { type Query, toQuery } from "./query.ts";

/** What every request has in common. */
export interface ConnectionOptions {
  /** Address of the service, without a slash at its end. */
  readonly url: string;
  readonly fetch: typeof fetch;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends requests to the API. */
export class Connection {
  readonly #base: string;
  readonly #fetch: typeof fetch;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ url, fetch, headers }: ConnectionOptions) {
    this.#base = `${url}/api/v1`;
    this.#fetch = fetch;
    this.#headers = headers;
  }

  /** Returns the JSON of a successful response. */
  async json<T>(method: string, path: string, query: Query = {}): Promise<T> {
    return await (await this.request(method, `${path}${toQuery(query)}`)).json() as T;
  }

  /** Drops the body of a response without content. */
  async do(method: string, path: string): Promise<void> {
    const response = await this.request(method, path);
    await response.body?.cancel();
  }

  /** Rejects for every response except a successful one. */
  async request(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const response = await this.send(method, path, init);
    if (response.ok) return response;
    const text = await response.text();
    const message = messageOf(text) ?? `${method} ${path} was answered ${response.status}: ${text}`;
    if (response.status === 409) throw new WaitError(409, message);
    throw new RequestError(response.status, message);
  }

  /** Resolves with every response, whatever its status. */
  async send(method: string, path: string, init: RequestInit): Promise<Response> {
    const headers = { ...this.#headers, ...init.headers as Record<string, string> | undefined };
    return await this.#fetch(`${this.#base}${path}`, { ...init, method, headers });
  }

  /** Yields the frames of one stream of events, until it ends or breaks. */
  async *frames(
    query: Query,
    { last, signal }: { last: string | undefined; signal: AbortSignal | undefined },
  ): AsyncGenerator<{ event: string; data: string; id: string }, void, undefined> {
    const response = await this.request("GET", `/events/stream${toQuery(query)}`, {
      headers: last === undefined ? {} : { "last-event-id": last },
      ...compact({ signal }),
    });
    const reader = response.body!.getReader();
    const decoder = new TextDecoder();
    const frames = new FrameReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield* frames.push(decoder.decode(value, { stream: true }));
      }
    } finally {
      // The stream may have ended because the connection broke.
      await reader.cancel().catch(() => {});
    }
  }
}

/** A JSON body, as a part of a request. */
export function withJson(value: object): RequestInit {
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}

function messageOf(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text);
    return typeof error === "string" ? error : undefined;
  } catch {
    return undefined;
  }
}
