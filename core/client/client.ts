import { compact } from "../compact.ts";
import { Connection, withJson } from "./connection.ts";
import { findEndpoint } from "./endpoint.ts";
import { addressIn, checkNamespace, credentialIn, HEADER } from "./namespace.ts";
import { ExpectationError, RequestError } from "./errors.ts";
import { checkNames, type Query, refuse, toParam, toQuery, typed } from "./query.ts";
import type {
  AddedFault,
  CallList,
  CallRecord,
  EndpointRecord,
  EventRecord,
  EventTypeOf,
  Expectation,
  Extracted,
  FaultRecord,
  FaultRule,
  Filter,
  FilterMap,
  FiltersOf,
  FiltersOfType,
  Finding,
  ListOptions,
  PayloadMap,
  PayloadOf,
  RejectedRecord,
  SentCalls,
  Story,
  StoryOptions,
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
  /** Default namespace of lists, waits, expectations, streams and `clear`. */
  readonly namespace?: string;
}

/** Shortest and longest delay before a broken stream is reopened, in milliseconds. */
const RETRY_MS = { first: 100, longest: 5000 };

/**
 * Reads and asserts on the captures of a running service. Uses only `fetch`, so it works the same
 * in Deno, Node and Bun. Lists, waits, expectations and `clear` also take the filters of the plugin
 * of the type or of `plugin`, such as `subject` of emails. Every method rejects with a
 * `RequestError` if the service refuses the request, for example because of an unknown option, and
 * with a `RangeError` for options that contradict each other.
 */
export class StandinClient<
  M extends PayloadMap = PayloadMap,
  F extends FilterMap = FilterMap,
> {
  /** Address of the service's pages and API, without a slash at its end. */
  readonly url: string;
  readonly #shared: Required<Pick<ClientOptions, "fetch" | "headers">>;
  readonly #api: Connection;
  readonly #namespace: string | undefined;

  /** `url` is the address of the service's pages and API, such as `http://localhost:8811`. */
  constructor(url: string | URL, options: ClientOptions = {}) {
    checkNames(options, ["fetch", "headers", "namespace"], "Cannot connect");
    this.url = new URL(url).origin;
    this.#shared = {
      fetch: options.fetch ?? ((...args) => fetch(...args)),
      headers: options.headers ?? {},
    };
    this.#api = new Connection({ url: this.url, ...this.#shared });
    this.#namespace = options.namespace;
  }

  /**
   * Returns a client of the same service that sees only the namespace `name`. A name has 1 to 64
   * letters, digits, `_`, `.`, `:` and single `-`, with no `-` at either end. Throws a `RangeError`
   * for any other name.
   */
  namespace(name: string): NamespaceClient<M, F> {
    return new NamespaceClient<M, F>(this.url, { ...this.#shared, namespace: name });
  }

  /**
   * Returns where a provider listens: `endpoint("smtp")`, or with its plugin,
   * `endpoint("s3/http")`. Rejects with a `RangeError` that lists the running providers if the name
   * matches none or several.
   */
  async endpoint(provider: string): Promise<EndpointRecord> {
    return findEndpoint(await this.#api.json("GET", "/plugins"), provider);
  }

  /** Lists events, newest first; of one type, or of all. */
  async list<T extends EventTypeOf<M>>(
    type?: T,
    options?: ListOptions & FiltersOfType<F, T>,
  ): Promise<EventRecord<PayloadOf<M, T>>[]> {
    return await this.#api.json("GET", "/events", this.#query(options, typed(type, options)));
  }

  /** Gets one event with its body. */
  async event<P = unknown>(id: string): Promise<EventRecord<P>> {
    return await this.#api.json("GET", `/events/${encodeURIComponent(id)}`);
  }

  /**
   * Lists stories (events of one flow, over all protocols), the one with the latest event first.
   * With filters, only stories with a matching event.
   */
  async stories<P extends string>(
    options?: StoryOptions & { readonly plugin?: P } & FiltersOf<F, P>,
  ): Promise<readonly Story[]> {
    const { minEvents, windowMs, recipientWindowMs, ...filter }: StoryOptions = options ?? {};
    const query = this.#query(filter, {
      min_events: minEvents,
      window: windowMs,
      recipient_window: recipientWindowMs,
    });
    return (await this.#api.json<{ stories: readonly Story[] }>("GET", "/stories", query)).stories;
  }

  /** Gets the story of an event, with all of its events. */
  async story(
    event: Pick<EventRecord, "id"> | string,
    options: Pick<StoryOptions, "windowMs" | "recipientWindowMs"> = {},
  ): Promise<Story> {
    checkNames(options, ["windowMs", "recipientWindowMs"], "Cannot get a story");
    const query = { window: options.windowMs, recipient_window: options.recipientWindowMs };
    return await this.#api.json("GET", `/stories/${encodeURIComponent(idOf(event))}`, query);
  }

  /** Returns the one-time codes, links and tokens in the text of an event. */
  async extract(event: Pick<EventRecord, "id" | "extracted"> | string): Promise<Extracted> {
    if (typeof event === "object" && event.extracted !== undefined) return event.extracted;
    const { extracted } = await this.event(idOf(event));
    return extracted ?? { codes: [], links: [], tokens: [] };
  }

  /** Lists the problems that the vendor or a reader of the event would have with it, worst first. */
  async checks(id: string): Promise<readonly Finding[]> {
    const path = `/events/${encodeURIComponent(id)}/checks`;
    return (await this.#api.json<{ checks: readonly Finding[] }>("GET", path)).checks;
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
    return await this.#api.json("GET", "/events/wait", query);
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
  /** Waits for an expectation that includes the type. */
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
    throw new RangeError("Cannot expect: put the whole expectation into one object");
  }

  /** The same for events of several types, in this order. */
  async expectInOrder(
    order: NonNullable<Expectation["order"]>,
    expectation: Omit<Expectation, "order"> = {},
  ): Promise<readonly EventRecord[]> {
    return await this.#expect({ ...expectation, order });
  }

  /**
   * Streams new events; with `after`, first the held events captured after that one. Reconnects
   * after a broken connection, without losing an event that is still held; `gap` says that some may
   * have been lost. Ends when `signal` aborts.
   */
  async *stream<T extends EventTypeOf<M>>(
    options: Omit<Filter, "text" | "has" | "checks"> & {
      readonly type?: T;
      readonly signal?: AbortSignal;
    } = {},
  ): AsyncGenerator<StreamItem<PayloadOf<M, T>>, void, undefined> {
    const { signal, after, ...filter } = options;
    const query = this.#query(filter);
    let last = after;
    // Without an event yet, a broken stream continues after the newest one from before it.
    let start: string | undefined;
    let pauseMs = RETRY_MS.first;
    const stopped = (): boolean => signal?.aborted === true;
    while (!stopped()) {
      try {
        const from = last ?? start;
        if (from === undefined) start = await this.#newest();
        for await (const frame of this.#api.frames(query, { last: from, signal })) {
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
    const response = await this.#api.request("GET", `/blobs/${encodeURIComponent(id)}`, {
      headers,
    });
    return new Uint8Array(await response.arrayBuffer());
  }

  /** Lists rejected and unmatched requests, newest first. */
  async rejected(): Promise<RejectedRecord[]> {
    return await this.#api.json("GET", "/rejected");
  }

  /** Deletes one event. */
  async delete(id: string): Promise<void> {
    await this.#api.do("DELETE", `/events/${encodeURIComponent(id)}`);
  }

  /** Deletes all events, or those that a list with the same filters returns; files, buckets and blobs stay. */
  async clear<P extends string>(
    which?: Filter & { readonly plugin?: P; readonly type?: string } & FiltersOf<F, P>,
  ): Promise<void> {
    await this.#api.do("DELETE", `/events${toQuery(this.#query(which))}`);
  }

  /**
   * Makes a provider fail from now on, as the rule says; in the namespace of this client unless the rule names one:
   * `await using fault = await standin.fault({ on: "mail/mail2", outcome: "rate_limit" })`.
   */
  async fault(rule: FaultRule): Promise<AddedFault> {
    const body = { ...compact({ namespace: this.#namespace }), ...rule };
    const added = await this.#api.request("POST", "/faults", withJson(body));
    const { id } = await added.json() as FaultRecord;
    const path = `/faults/${encodeURIComponent(id)}`;
    const remove = () => this.#api.do("DELETE", path);
    return {
      id,
      hits: async () => (await this.#api.json<FaultRecord>("GET", path)).hits,
      remove,
      [Symbol.asyncDispose]: remove,
    };
  }

  /**
   * Calls the application about an event as its vendor would: `await standin.callback(event, "bounced")`. Resolves when
   * each call was answered, or the vendor has stopped retrying; the last attempt has the response. Rejects with a `WaitError` if
   * that takes too long, or while callbacks are off.
   */
  async callback(
    event: Pick<EventRecord, "id"> | string,
    name: string,
    params: Readonly<Record<string, unknown>> = {},
    options: { readonly timeoutMs?: number } = {},
  ): Promise<readonly CallRecord[]> {
    const path = `/events/${encodeURIComponent(idOf(event))}/callbacks`;
    return (await this.#call(path, { ...params, event: name }, options)).calls;
  }

  /**
   * Sends the application an inbound item: `await standin.inbound("sms1", { From, To, Body })`.
   * Resolves and rejects as `callback`.
   */
  async inbound(
    provider: string,
    payload: Readonly<Record<string, unknown>>,
    options: { readonly timeoutMs?: number } = {},
  ): Promise<SentCalls> {
    return await this.#call("/inbound", { provider, payload }, options);
  }

  /**
   * Returns the calls to the application about an event, once each has its response, and the
   * callbacks that can be requested.
   */
  async callbacks(
    event: Pick<EventRecord, "id"> | string,
    options: { readonly timeoutMs?: number } = {},
  ): Promise<CallList> {
    const path = `/events/${encodeURIComponent(idOf(event))}/callbacks`;
    return await this.#api.json("GET", path, waitQuery(options));
  }

  /** Lists the faults in the order in which they are checked. */
  async faults(): Promise<readonly FaultRecord[]> {
    const { faults } = await this.#api.json<{ faults: readonly FaultRecord[] }>("GET", "/faults");
    return faults;
  }

  /** Removes all faults except those of the configuration file, whose hits are reset to 0. */
  async clearFaults(): Promise<void> {
    await this.#api.do("DELETE", "/faults");
  }

  /** Resets the service between two tests: events, journal, blobs, the state of every plugin, and faults. */
  async reset(): Promise<void> {
    await this.#api.do("POST", "/reset");
  }

  /** Returns whether the service takes connections. */
  async ready(): Promise<boolean> {
    try {
      await this.#api.do("GET", "/ready");
      return true;
    } catch {
      return false;
    }
  }

  /** Returns the id of the newest event; without events, one that sorts before all. */
  async #newest(): Promise<string> {
    const query = { limit: 1, include_payload: false };
    const [newest] = await this.#api.json<{ id: string }[]>("GET", "/events", query);
    return newest?.id ?? "0".repeat(24);
  }

  async #call(
    path: string,
    body: object,
    options: { readonly timeoutMs?: number },
  ): Promise<SentCalls> {
    const response = await this.#api.request(
      "POST",
      `${path}${toQuery(waitQuery(options))}`,
      withJson(body),
    );
    return await response.json() as SentCalls;
  }

  async #expect<P>({ timeoutMs, ...pattern }: Expectation): Promise<readonly EventRecord<P>[]> {
    const body = {
      ...compact({ namespace: this.#namespace }),
      ...pattern,
      ...compact({ timeout: timeoutMs }),
    };
    const response = await this.#api.send("POST", "/expect", withJson(body));
    const verdict = await response.json() as Verdict<P> & { readonly error?: string };
    if (response.ok) return verdict.events;
    if (response.status === 409) throw new ExpectationError(409, verdict);
    throw new RequestError(response.status, verdict.error ?? response.statusText);
  }

  #query(options: object = {}, more: Query = {}): Query {
    const given = Object.entries(options).map(([name, value]) => [name, toParam(name, value)]);
    return { namespace: this.#namespace, ...Object.fromEntries(given), ...more };
  }
}

/**
 * A client of one namespace, and what the sender must use so that its messages belong to that
 * namespace. Which of the three works depends on the rules of the service; `@standin/client/node`
 * starts one that reads all of them.
 */
export class NamespaceClient<
  M extends PayloadMap = PayloadMap,
  F extends FilterMap = FilterMap,
> extends StandinClient<M, F> {
  /** Name of the namespace. */
  readonly name: string;

  /** `options.namespace` is its name. Throws a `RangeError` for an invalid name. */
  constructor(url: string | URL, options: ClientOptions & { readonly namespace: string }) {
    super(url, options);
    this.name = checkNamespace(options.namespace);
  }

  /** Header fields that put a request or mail into the namespace. */
  get headers(): Readonly<Record<string, string>> {
    return { [HEADER]: this.name };
  }

  /**
   * Returns a recipient of the namespace: `ada@example.org` becomes `ada+t1@example.org`. Read by the rule
   * `*+{namespace}@*` of `[namespaces] recipients`.
   */
  address(address: string): string {
    return addressIn(this.name, address);
  }

  /**
   * Returns an API key, token, user name or password of the namespace: `re_any` becomes `re_any--t1`. Read by the rule
   * `*--{namespace}` of `[namespaces] credentials`.
   */
  credential(credential: string): string {
    return credentialIn(this.name, credential);
  }
}

function idOf(event: Pick<EventRecord, "id"> | string): string {
  return typeof event === "string" ? event : event.id;
}

function waitQuery(options: { readonly timeoutMs?: number }): Query {
  checkNames(options, ["timeoutMs"], "Cannot wait for the application");
  return { wait: "true", ...compact({ timeout: options.timeoutMs?.toString() }) };
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
