import { compact } from "../compact.ts";
import { ExpectationError, RequestError, WaitError } from "./errors.ts";
import { FrameReader } from "./frames.ts";
import { checkNames, type Query, refuse, toParam, toQuery, typed } from "./query.ts";
import type {
  AddedFault,
  EventRecord,
  EventTypeOf,
  Expectation,
  FaultRecord,
  FaultRule,
  Filter,
  FilterMap,
  FiltersOf,
  FiltersOfType,
  ListOptions,
  PayloadMap,
  PayloadOf,
  RejectedRecord,
  StreamItem,
  Verdict,
  WaitOptions,
} from "./model.ts";

/** Options of a client. */
export interface ClientOptions {
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof fetch;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Namespace of every list, wait, expectation, stream and `clear` that names no other. */
  readonly namespace?: string;
}

/** Shortest and longest delay before a broken stream is reopened, in milliseconds. */
const RETRY_MS = { first: 100, longest: 5000 };

/**
 * Reads and asserts on the captures of a running service. Uses only `fetch`, so it works the same in Deno, Node and Bun.
 * Lists, waits, expectations and `clear` also take the filters of the plugin of the type or of `plugin`, such as
 * `subject` of mails. Every method rejects with a `RequestError` for what the service refuses, such as an unknown
 * option, and with a `RangeError` for a combination that makes no sense.
 */
export class StandinClient<
  M extends PayloadMap = PayloadMap,
  F extends FilterMap = FilterMap,
> {
  readonly #base: string;
  readonly #fetch: typeof fetch;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #namespace: string | undefined;

  /** `url` is the address of the service's pages and API, such as `http://localhost:8811`. */
  constructor(url: string | URL, options: ClientOptions = {}) {
    checkNames(options, ["fetch", "headers", "namespace"], "Cannot connect");
    this.#base = new URL("/api/v1", url).href;
    this.#fetch = options.fetch ?? ((...args) => fetch(...args));
    this.#headers = options.headers ?? {};
    this.#namespace = options.namespace;
  }

  /** Lists events, newest first; of one type, or of all. */
  async list<T extends EventTypeOf<M>>(
    type?: T,
    options?: ListOptions & FiltersOfType<F, T>,
  ): Promise<EventRecord<PayloadOf<M, T>>[]> {
    return await this.#json("GET", "/events", this.#query(options, typed(type, options)));
  }

  /** Gets one event with its body. */
  async event<P = unknown>(id: string): Promise<EventRecord<P>> {
    return await this.#json("GET", `/events/${encodeURIComponent(id)}`);
  }

  /**
   * Waits until enough events match, including those already held, and returns them newest first. Rejects with a
   * `WaitError` if that takes too long.
   */
  async wait<T extends EventTypeOf<M>>(
    type: T,
    options?: WaitOptions & FiltersOfType<F, T>,
  ): Promise<EventRecord<PayloadOf<M, T>>[]> {
    const { timeoutMs, ...rest }: WaitOptions = options ?? {};
    const timeout = timeoutMs === undefined ? {} : { timeout: `${timeoutMs}ms` };
    const query = this.#query(rest, { ...typed(type, options), ...timeout });
    return await this.#json("GET", "/events/wait", query);
  }

  /** Returns the oldest held event that matches, or the next to arrive. Rejects as `wait` does. */
  async waitFor<T extends EventTypeOf<M>>(
    type: T,
    options?: Omit<WaitOptions, "count" | "absent"> & FiltersOfType<F, T>,
  ): Promise<EventRecord<PayloadOf<M, T>>> {
    refuse(options, ["count", "absent", "limit", "offset"], "it waits for one event; use wait");
    return (await this.wait(type, options)).at(-1)!;
  }

  /**
   * Returns the matching events in order of capture, as soon as the expectation is met. Rejects with an `ExpectationError`
   * that describes the difference from the closest event.
   */
  async expect<T extends EventTypeOf<M>>(
    type: T,
    expectation?: Omit<Expectation, "type" | "order"> & FiltersOfType<F, T>,
  ): Promise<readonly EventRecord<PayloadOf<M, T>>[]>;
  /** The same with the type as an option. */
  async expect<T extends EventTypeOf<M>>(
    expectation: Expectation & { readonly type: T } & FiltersOfType<F, T>,
  ): Promise<readonly EventRecord<PayloadOf<M, T>>[]>;
  /** The same for events of several types, or in an order. */
  async expect(expectation: Expectation): Promise<readonly EventRecord[]>;
  async expect(
    given: string | Expectation,
    more?: Omit<Expectation, "type" | "order">,
  ): Promise<readonly EventRecord[]> {
    if (typeof given === "string") return await this.#expect({ ...more, ...typed(given, more) });
    if (more === undefined) return await this.#expect(given);
    throw new RangeError("Cannot expect: put all of the expectation into one object");
  }

  /** The same for events of several types, in this order. */
  async expectInOrder(
    order: NonNullable<Expectation["order"]>,
    expectation: Omit<Expectation, "order"> = {},
  ): Promise<readonly EventRecord[]> {
    return await this.#expect({ ...expectation, order });
  }

  /**
   * Streams events from now on; with `after`, starts with the held events that are later than that one. Reconnects after
   * a broken connection, without losing an event that is still held. Ends when `signal` aborts.
   */
  async *stream<T extends EventTypeOf<M>>(
    options: Omit<Filter, "text" | "has"> & { readonly type?: T; readonly signal?: AbortSignal } =
      {},
  ): AsyncGenerator<StreamItem<PayloadOf<M, T>>, void, undefined> {
    const { signal, after, ...filter } = options;
    const query = this.#query(filter);
    let last = after;
    let pauseMs = RETRY_MS.first;
    const stopped = (): boolean => signal?.aborted === true;
    while (!stopped()) {
      try {
        for await (const frame of this.#frames(query, { last, signal })) {
          pauseMs = RETRY_MS.first;
          if (frame.event === "gap") yield { kind: "gap" };
          if (frame.event !== "message") continue;
          last = frame.id;
          yield { kind: "captured", event: JSON.parse(frame.data) };
        }
      } catch (error) {
        // The service would refuse the same request again.
        if (error instanceof RequestError) throw error;
      }
      if (stopped()) return;
      await pause(pauseMs, signal);
      pauseMs = Math.min(2 * pauseMs, RETRY_MS.longest);
    }
  }

  /** Reads an attachment, file or object; `range` counts from 0 and includes its end. */
  async blob(
    id: string,
    range?: { readonly start: number; readonly end?: number },
  ): Promise<Uint8Array> {
    if (range !== undefined) checkNames(range, ["start", "end"], "Cannot read a range");
    const headers: Record<string, string> = range === undefined
      ? {}
      : { range: `bytes=${range.start}-${range.end ?? ""}` };
    const response = await this.#request("GET", `/blobs/${encodeURIComponent(id)}`, { headers });
    return new Uint8Array(await response.arrayBuffer());
  }

  /** Lists refused and unmatched requests, newest first. */
  async rejected(): Promise<RejectedRecord[]> {
    return await this.#json("GET", "/rejected");
  }

  /** Deletes one event. */
  async delete(id: string): Promise<void> {
    await this.#do("DELETE", `/events/${encodeURIComponent(id)}`);
  }

  /** Deletes all events, or those that a list with the same filters returns; files, buckets and blobs stay. */
  async clear<P extends string>(
    which?: Filter & { readonly plugin?: P; readonly type?: string } & FiltersOf<F, P>,
  ): Promise<void> {
    await this.#do("DELETE", `/events${toQuery(this.#query(which))}`);
  }

  /**
   * Makes a provider fail from now on, as the rule says; in the namespace of this client unless the rule names one:
   * `await using fault = await standin.fault({ on: "mail/mail2", outcome: "rate_limit" })`.
   */
  async fault(rule: FaultRule): Promise<AddedFault> {
    const body = JSON.stringify({ ...compact({ namespace: this.#namespace }), ...rule });
    const headers = { "content-type": "application/json" };
    const added = await this.#request("POST", "/faults", { headers, body });
    const { id } = await added.json() as FaultRecord;
    const path = `/faults/${encodeURIComponent(id)}`;
    const remove = () => this.#do("DELETE", path);
    return {
      id,
      hits: async () => (await this.#json<FaultRecord>("GET", path)).hits,
      remove,
      [Symbol.asyncDispose]: remove,
    };
  }

  /** Lists the faults in the order in which they are checked. */
  async faults(): Promise<readonly FaultRecord[]> {
    const { faults } = await this.#json<{ faults: readonly FaultRecord[] }>("GET", "/faults");
    return faults;
  }

  /** Removes all faults except those of the configuration file, whose hits are reset to 0. */
  async clearFaults(): Promise<void> {
    await this.#do("DELETE", "/faults");
  }

  /** Resets the service between two tests: events, journal, blobs, the state of every plugin, and faults. */
  async reset(): Promise<void> {
    await this.#do("POST", "/reset");
  }

  /** Returns whether the service takes connections. */
  async ready(): Promise<boolean> {
    try {
      await this.#do("GET", "/ready");
      return true;
    } catch {
      return false;
    }
  }

  async #expect<P>({ timeoutMs, ...pattern }: Expectation): Promise<readonly EventRecord<P>[]> {
    const body = {
      ...compact({ namespace: this.#namespace }),
      ...pattern,
      ...compact({ timeout: timeoutMs }),
    };
    const response = await this.#send("POST", "/expect", {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const verdict = await response.json() as Verdict<P> & { readonly error?: string };
    if (response.ok) return verdict.events;
    if (response.status === 409) throw new ExpectationError(409, verdict);
    throw new RequestError(response.status, verdict.error ?? response.statusText);
  }

  async *#frames(
    query: Query,
    { last, signal }: { last: string | undefined; signal: AbortSignal | undefined },
  ): AsyncGenerator<{ event: string; data: string; id: string }, void, undefined> {
    const response = await this.#request("GET", `/events/stream${toQuery(query)}`, {
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
      // The connection may be the reason for the end.
      await reader.cancel().catch(() => {});
    }
  }

  #query(options: object = {}, more: Query = {}): Query {
    const given = Object.entries(options).map(([name, value]) => [name, toParam(name, value)]);
    return { namespace: this.#namespace, ...Object.fromEntries(given), ...more };
  }

  async #json<T>(method: string, path: string, query: Query = {}): Promise<T> {
    return await (await this.#request(method, `${path}${toQuery(query)}`)).json() as T;
  }

  /** For answers without content. */
  async #do(method: string, path: string): Promise<void> {
    const response = await this.#request(method, path);
    await response.body?.cancel();
  }

  /** Rejects for every answer except a successful one. */
  async #request(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const response = await this.#send(method, path, init);
    if (response.ok) return response;
    const text = await response.text();
    const message = messageOf(text) ?? `${method} ${path} was answered ${response.status}: ${text}`;
    if (response.status === 409) throw new WaitError(409, message);
    throw new RequestError(response.status, message);
  }

  async #send(method: string, path: string, init: RequestInit): Promise<Response> {
    const headers = { ...this.#headers, ...init.headers as Record<string, string> | undefined };
    return await this.#fetch(`${this.#base}${path}`, { ...init, method, headers });
  }
}

function messageOf(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text);
    return typeof error === "string" ? error : undefined;
  } catch {
    return undefined;
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });
}
