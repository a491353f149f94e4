/**
 * What a plugin is made of. A plugin is a value; a provider says what it is and handles one request, one connection
 * or one datagram. Core owns the sockets, the limits, the options and the life cycle.
 *
 * @module
 */
import type { DemoSample } from "./demo.ts";
import type { ClientSetting, Endpoint } from "./endpoint.ts";
import type { CapturedEvent, EventText, HeaderPairs, RawRecord } from "./events/event.ts";
import type { Fault, FaultOutcome, FaultSubject, ProviderFaults } from "./faults/outcome.ts";
import type { Answer } from "./http/answer.ts";
import type { HttpCall } from "./http/call.ts";
import type { EventFilters, JsonSchema, Route } from "./http/route.ts";
import type { Datagram, Place, Transport } from "./net/transport.ts";
import type { OptionSet, Values } from "./options/spec.ts";
import type { PluginContext, ProviderEnv } from "./provider_env.ts";

export type { Pieces } from "./bytes/pieces.ts";
export type { ByteIntake, ByteSource } from "./byte_source.ts";
export type {
  BlobAbout,
  BlobReader,
  BlobRef,
  BlobSource,
  BlobStore,
  OpenedBlob,
  PutOptions,
  RoomKept,
} from "./blobs/blob.ts";
export type { DemoAnswer, DemoRequest, DemoSample, DemoTarget } from "./demo.ts";
export type { ClientSetting, Endpoint } from "./endpoint.ts";
export type {
  CapturedEvent,
  ClientCertificate,
  EventFilter,
  EventStore,
  EventText,
  HeaderPairs,
  NewEvent,
  Page,
  RawRecord,
  StreamItem,
  SummaryParts,
} from "./events/event.ts";
export type { NewRejected, RejectedRecord } from "./events/journal.ts";
export type { CoreOutcome, Disturbance, ProviderFaults } from "./faults/outcome.ts";
export type { Fault, FaultOutcome, FaultSubject } from "./faults/outcome.ts";
export type { EventNames } from "./http/event_names.ts";
export { type Answer, ShortAnswer, type ShortHeaders } from "./http/answer.ts";
export type { BodyIntake, HeaderValues, HttpCall } from "./http/call.ts";
export type {
  EventFilters,
  JsonSchema,
  Param,
  ParamSet,
  ParamValues,
  PathParams,
  ReplyDoc,
  Route,
  RouteCall,
  RouteContext,
  Selection,
} from "./http/route.ts";
export { filtersFor, routeFor } from "./http/route.ts";
export type { LogFields, Logger } from "./log.ts";
export type { LeaseOptions, Memory } from "./memory/budget.ts";
export type { MemoryLease } from "./memory/lease.ts";
export type {
  Datagram,
  Net,
  Place,
  ReadOptions,
  TcpListener,
  Transport,
  UdpSocket,
} from "./net/transport.ts";
export type { OptionSet, OptionSpec, Values } from "./options/spec.ts";
export type { PluginContext, ProviderEnv, RejectedNote } from "./provider_env.ts";
export type { Result } from "./result.ts";

/** Code a user can paste and run, rendered on the live ports. */
export interface Snippet {
  /** What the snippet does. */
  readonly title: string;
  /** Language for highlighting, such as `sh`. */
  readonly lang: string;
  /** The code itself. */
  readonly code: string;
}

/** What every kind of provider has. */
export interface ProviderBase<O extends OptionSet, S> {
  /** Value of `provider` on events and in `?provider=`. */
  readonly id: string;
  /** Name for people, with the vendor or protocol imitated. */
  readonly title: string;
  /** The vendor or protocol alone, for narrow places; the title unless given. */
  readonly shortTitle?: string;
  /** One sentence. */
  readonly about: string;
  /** Settings, by key of the configuration file. */
  readonly options: O;
  /** First word of the provider's flags; its id unless given. */
  readonly flagPrefix?: string;
  /**
   * Hosts that the vendor's own clients have built in, such as `api.example.com`; `*.` stands for one label. The
   * service's certificate is valid for them, and a tunnel to their port 443 ends here.
   */
  readonly vendorHosts?: readonly string[];
  /** Shown by the CLI, the API and the UI; each is run by a test. */
  snippets?(at: Endpoint, values: Values<O>): readonly Snippet[];
  /** Its faults, from its `faults.ts`; by default none. */
  readonly faults?: ProviderFaults;
  /** Ties the provider to its plugin's state; never set. */
  readonly _state?: S;
}

/** Why core itself refuses a request that a provider's route would have taken. */
export interface Refusal {
  /** Which rule refused it. */
  readonly kind:
    | "too_large"
    | "method_not_allowed"
    | "bad_encoding"
    | "busy"
    | "unavailable"
    | "internal";
  /** Status to use unless the vendor has its own. */
  readonly status: number;
  /** One sentence for people. */
  readonly message: string;
  /** Methods that the path does take; core sends them as `Allow`. */
  readonly allow?: readonly string[];
}

/** A call to be answered with a fault. */
export interface FaultyCall<O extends OptionSet, S, T = unknown, W = Fault["with"]> {
  /** The request. */
  readonly call: IngressCall;
  /** Parameters of the outcome. */
  readonly with: W;
  /** What the provider works with. */
  readonly env: ProviderEnv<O, S, T>;
  /** Gives the usual answer; adds `meta` to what it captures. */
  handle(meta?: Readonly<Record<string, unknown>>): Promise<Answer>;
}

/** An outcome that is an answer of the vendor. */
export interface HttpOutcome<O extends OptionSet, S, T = unknown> extends FaultOutcome {
  /** The answer, word for word. */
  answer(fault: FaultyCall<O, S, T>): MaybePromise<Answer>;
}

/** An outcome whose `answer` knows the types of its parameters. */
export function httpOutcome<O extends OptionSet, S, const P extends OptionSet, T = unknown>(
  outcome: Omit<FaultOutcome, "params"> & {
    readonly params: P;
    answer(fault: FaultyCall<O, S, T, Values<P>>): MaybePromise<Answer>;
  },
): HttpOutcome<O, S, T> {
  return outcome as unknown as HttpOutcome<O, S, T>;
}

/**
 * What can go wrong with calls of a provider on the ingress. Core asks after `authorize`: in phase `read` for GET, in
 * phase `capture` for all other methods.
 */
export interface HttpFaults<O extends OptionSet, S, T = unknown>
  extends ProviderFaults<HttpOutcome<O, S, T>> {
  /** What the call is about to capture, in the plugin's model; none if it cannot be read. */
  subjects?(call: IngressCall, env: ProviderEnv<O, S, T>): readonly Omit<FaultSubject, "raw">[];
}

/** HTTP on the shared ingress, told apart by path. */
export interface IngressProvider<O extends OptionSet, S, T = unknown> extends ProviderBase<O, S> {
  /** Tells the kinds of provider apart. */
  readonly kind: "ingress";
  /** Its faults, from its `faults.ts`; by default none. */
  readonly faults?: HttpFaults<O, S, T>;
  /** Vendor operations. */
  readonly routes: readonly IngressRoute<O, S, T>[];
  /**
   * Prepares the provider, once per service, before the ingress listens; what it returns is `env.store` of every call.
   * Throws `ConfigError` for settings that cannot be used.
   */
  open?(env: ProviderEnv<O, S>): MaybePromise<T>;
  /**
   * Checks the credentials of a call before its route handles it; a response is the vendor's refusal, and is sent
   * instead. Routes that are `public` are not asked about.
   */
  authorize?(call: IngressCall, env: ProviderEnv<O, S, T>): MaybePromise<Response | undefined>;
  /** Largest body in bytes; default and upper bound is `[ingress] max_body`, unless the provider has an own option. */
  bodyLimit?(values: Values<O>, ingressMax: number): number;
  /** The vendor's form of a refusal; plain text without it. `call.raw.body` holds at most the first 64 KiB. */
  refuse?(
    call: IngressCall,
    refusal: Refusal,
    env: ProviderEnv<O, S, T>,
  ): MaybePromise<Response>;
}

/** One vendor operation. */
export interface IngressRoute<O extends OptionSet, S, T = unknown> {
  /** HTTP method; `HEAD` is served by `GET`. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `{name}` takes one segment, `{name...}` the rest. Matched on text, case-sensitive. */
  readonly path: string;
  /** What the operation does. */
  readonly about: string;
  /** Further paths at which it is served, as the settings say; literal, and none that another route has. */
  alsoAt?(values: Values<O>): readonly string[];
  /** Served, but not among the endpoints shown: another spelling of one, or the vendor's way of not knowing a path. */
  readonly unlisted?: boolean;
  /** Served without `authorize`: the vendor asks for no credentials there. */
  readonly public?: boolean;
  /** Whether the settings turn it on; it is unless given. One that is off is served, says so, and is not shown. */
  isOn?(values: Values<O>): boolean;
  /** Answers one call as the vendor does. */
  handle(call: IngressCall, env: ProviderEnv<O, S, T>): MaybePromise<Answer>;
}

/** Every path at which a route is served. */
export function pathsOf<O extends OptionSet, S>(
  { path, alsoAt }: IngressRoute<O, S>,
  values: Values<O>,
): readonly string[] {
  return [...new Set([path, ...alsoAt?.(values) ?? []])];
}

/** Whether a route is among the endpoints that are shown. */
export function isShown<O extends OptionSet, S>(
  { unlisted, isOn }: IngressRoute<O, S>,
  values: Values<O>,
): boolean {
  return unlisted !== true && isOn?.(values) !== false;
}

/** A request read whole, under the body limit. */
export interface IngressCall extends Omit<HttpCall, "gone" | "disturb"> {
  /** Percent-decoded once. */
  readonly params: Readonly<Record<string, string>>;
  /** The query, decoded. */
  readonly query: URLSearchParams;
  /** In the order and spelling received over HTTP/1; lower-case over HTTP/2. */
  readonly rawHeaders: HeaderPairs;
  /** Body with any content coding removed; `raw.body` keeps the bytes as sent. */
  readonly body: Uint8Array;
  /** Ready to go on an event. */
  readonly raw: RawRecord;
  /** The fault that a rule wants, where the route captures all the same. */
  readonly fault?: Fault;
}

/** How long the listener of an HTTP provider waits, in milliseconds. */
export interface HttpPatience {
  /** For the head of a request. */
  readonly headMs?: number;
  /** Between two requests of one connection. */
  readonly keepAliveMs?: number;
  /** Without a byte of a request body that is being read. */
  readonly bodyMs?: number;
  /** Without the client taking a byte of an answer. */
  readonly writeMs?: number;
  /** For what is under way when the service stops; the service itself may wait less. */
  readonly stopMs?: number;
}

/** A request whose head is not passed on: malformed, too long, too late, or of a page that may not call. */
export interface RefusedHead {
  /** Status to answer with. */
  readonly status: number;
  /** One sentence for people. */
  readonly reason: string;
}

/** HTTP on its own port. The body is not read ahead: the provider streams it. */
export interface HttpProvider<O extends OptionSet, S> extends ProviderBase<O, S> {
  /** Tells the kinds of provider apart. */
  readonly kind: "http";
  /** Key of the option that holds the port. */
  readonly portOption: keyof O & string;
  /** How patient its listener is; as the ingress unless given. */
  patience?(values: Values<O>): HttpPatience;
  /** Longest request head in bytes, request line included; 65 536 unless given. Over HTTP/1 only. */
  maxHeadBytes?(values: Values<O>): number;
  /** The vendor's form of an answer to a request that never reaches `handle`; plain text without it. */
  refuseHead?(refusal: RefusedHead): Response;
  /** Whether a page of another site may send this request, which is refused otherwise. */
  admits?(call: HttpCall, env: ProviderEnv<O, S>): boolean;
  /** Prepares the provider; its port is bound afterwards. */
  open(
    env: ProviderEnv<O, S>,
  ): Opened<{ handle(call: HttpCall, env: ProviderEnv<O, S>): Response | Promise<Response> }>;
}

/** One accepted connection; core accepts, counts, times out and closes. */
export interface TcpProvider<O extends OptionSet, S> extends ProviderBase<O, S> {
  /** Tells the kinds of provider apart. */
  readonly kind: "tcp";
  /** Scheme of the endpoint address, such as `smtp`. */
  readonly scheme: string;
  /** Key of the option that holds the port. */
  readonly portOption: keyof O & string;
  /** Option of a second port that speaks TLS from the first byte; off while the option is unset. */
  readonly tlsPortOption?: keyof O & string;
  /** Simultaneous connections; 256 unless given. */
  maxConnections?(values: Values<O>): number;
  /** Sent to a connection over the cap before it is closed. */
  busyReply?(values: Values<O>): Uint8Array;
  /** Whether clients log in, and `serve` says when: on a full listener, one that has not makes room for another. */
  readonly logsIn?: boolean;
  /** Sent to a client that begins with an HTTP request before core closes its connection. */
  readonly httpReply?: Uint8Array;
  /** Prepares the provider; its port is bound afterwards. Each connection is then served by `serve`. */
  open(
    env: ProviderEnv<O, S>,
  ): Opened<{ serve(wire: Transport, about: { tls: boolean; place: Place }): Promise<void> }>;
}

/** One datagram at a time. */
export interface UdpProvider<O extends OptionSet, S> extends ProviderBase<O, S> {
  /** Tells the kinds of provider apart. */
  readonly kind: "udp";
  /** Scheme of the endpoint address. */
  readonly scheme: string;
  /** Key of the option that holds the port. */
  readonly portOption: keyof O & string;
  /** Prepares the provider; its port is bound afterwards. Each datagram is then given to `receive`. */
  open(env: ProviderEnv<O, S>): Opened<{ receive(datagram: Datagram): void | Promise<void> }>;
}

/** Runs before its port is bound; may also be disposed of. */
export type Opened<T> = MaybePromise<T & Partial<AsyncDisposable>>;
/** Now or later. */
export type MaybePromise<T> = T | Promise<T>;

/** `open` cannot be left out where there is a store. */
export type Opens<O extends OptionSet, S, T> = unknown extends T ? unknown
  : Required<Pick<IngressProvider<O, S, T>, "open">>;

/** Any provider of a plugin with state `S`. */
export type Provider<S> =
  | IngressProvider<OptionSet, S>
  | HttpProvider<OptionSet, S>
  | TcpProvider<OptionSet, S>
  | UdpProvider<OptionSet, S>;

/** Where a plugin keeps what must survive a restart. */
export interface PluginStorage {
  /** Folder of this plugin; absent when nothing is kept on disk. */
  readonly folder?: string;
}

/** One kind of content: mail, sms, files. */
export interface Plugin<S extends PluginState = PluginState> {
  /** Subcommand, URL segment, TOML table. */
  readonly id: string;
  /** Name for people. */
  readonly title: string;
  /** One sentence. */
  readonly about: string;
  /** Types of its events; each begins with the id and a dot. */
  readonly eventTypes: readonly string[];
  /** Shape of their payloads: what comes from another instance is held against it before its routes are given it. */
  readonly payload?: JsonSchema;
  /** Its providers, in the order shown. */
  readonly providers: readonly Provider<S>[];
  /** Under `/api/v1/<id>`; the OpenAPI description is made from them. */
  readonly routes: readonly Route<S>[];
  /** What its events can be chosen by, in its own lists and wherever it is named; none of its own unless given. */
  readonly filters?: EventFilters;
  /** Module under `ui/static/`; without it the generic event view serves the plugin. */
  readonly tab?: string;
  /** Whether the plugin keeps state on disk when storage is `filesystem`. */
  readonly persists?: boolean;
  /** What `standin demo` sends, in that order. Loads it only then: `async () => (await import("./demo.ts")).SAMPLES`. */
  demo?(): Promise<readonly DemoSample[]>;
  /** How clients of the real services are led here, for `standin doctor`; loaded only then, as `demo`. */
  clients?(): Promise<readonly ClientSetting[]>;
  /** What a person reads in one of its events; codes, links and tokens are found there. None unless given. */
  texts?(event: CapturedEvent): readonly EventText[];
  /** Once per service, before any port is bound. */
  open(env: { readonly ctx: PluginContext; readonly storage: PluginStorage }): MaybePromise<S>;
}

/** The mail log, the file tree, the catalog. */
export interface PluginState extends Partial<AsyncDisposable> {
  /** Empties the plugin's own state; events and blobs are core's. */
  reset?(): void | Promise<void>;
}

/** A plugin of any state: what the list and the registry hold. */
export type AnyPlugin = Plugin<PluginState>;

/** Keeps the exact type of a plugin. */
export function definePlugin<S extends PluginState>(plugin: Plugin<S>): Plugin<S> {
  return plugin;
}

/** A provider on the shared ingress. One that has a store says its type, and opens it. */
export function ingressProvider<S, const O extends OptionSet, T = unknown>(
  provider: Omit<IngressProvider<O, S, T>, "kind"> & Opens<O, S, T>,
): IngressProvider<O, S, T> {
  return { kind: "ingress", ...provider };
}

/** A provider that speaks HTTP on its own port. */
export function httpProvider<S, const O extends OptionSet>(
  provider: Omit<HttpProvider<O, S>, "kind">,
): HttpProvider<O, S> {
  return { kind: "http", ...provider };
}

/** A provider that holds one conversation per TCP connection. */
export function tcpProvider<S, const O extends OptionSet>(
  provider: Omit<TcpProvider<O, S>, "kind">,
): TcpProvider<O, S> {
  return { kind: "tcp", ...provider };
}

/** A provider that takes datagrams. */
export function udpProvider<S, const O extends OptionSet>(
  provider: Omit<UdpProvider<O, S>, "kind">,
): UdpProvider<O, S> {
  return { kind: "udp", ...provider };
}
