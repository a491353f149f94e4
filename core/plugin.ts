/**
 * The parts of a plugin. A plugin is a value; its providers describe themselves and handle one request, one connection
 * or one datagram at a time. Core owns the sockets, the limits, the options and the life cycle.
 *
 * @module
 */
import type { PluginChecks } from "./checks/check.ts";
import type { CallbackDeclaration } from "./callbacks/provider.ts";
import type { DemoSample } from "./demo.ts";
import type { ClientSetting, Endpoint } from "./endpoint.ts";
import type { CapturedEvent, EventText, HeaderPairs, RawRecord } from "./events/event.ts";
import type { Fault, FaultOutcome, FaultSubject, ProviderFaults } from "./faults/outcome.ts";
import type { Answer } from "./http/answer.ts";
import type { HttpCall } from "./http/call.ts";
import type { EventFilters, JsonSchema, Route } from "./http/route.ts";
import type { Datagram, Place, Transport } from "./net/transport.ts";
import type { MaybePromise } from "./result.ts";
import type { OptionSet, Values } from "./options/spec.ts";
import type { PluginReport } from "./report/part.ts";
import type { PluginContext, ProviderEnv } from "./provider_env.ts";
import type { StoryKey } from "./stories/key.ts";
import type { SharedStorage } from "./shared_state.ts";

export * from "./plugin_types.ts";

/** Code that users can paste and run, with the live ports filled in. */
export interface Snippet {
  /** Title of the snippet. */
  readonly title: string;
  /** Language for highlighting, such as `sh`. */
  readonly lang: string;
  /** The code itself. */
  readonly code: string;
}

/** An HTTP call that captures one item. */
export interface ExampleCall {
  /** Path of the provider, with its query. */
  readonly path: string;
  /** `POST` by default. */
  readonly method?: string;
  /** Header fields by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body. */
  readonly body: string;
}

/** Properties of every kind of provider. */
export interface ProviderBase<O extends OptionSet, S> {
  /** Value of `provider` on events and in `?provider=`. */
  readonly id: string;
  /** Display name, with the vendor or protocol it imitates. */
  readonly title: string;
  /** Name of the vendor or protocol alone, for narrow places; by default the title. Also an alias. */
  readonly shortTitle?: string;
  /** Further words that mean the provider in filters, settings and faults, in lower case with hyphens. */
  readonly aliases?: readonly string[];
  /** Description in one sentence. */
  readonly about: string;
  /** Settings, by key of the configuration file. */
  readonly options: O;
  /** First word of the provider's flags; by default its id. */
  readonly flagPrefix?: string;
  /**
   * Hosts built into the vendor's own clients, such as `api.example.com`; `*.` matches one label, `**.` one or more. The
   * service's certificate is valid for them, and a proxied tunnel to their port 443 ends here. No certificate can name
   * `**.`: one is made for each name that a client asks for.
   */
  readonly vendorHosts?: readonly string[];
  /** Shown by the CLI, the API and the UI; a test runs each of them. */
  snippets?(at: Endpoint, values: Values<O>): readonly Snippet[];
  /**
   * For a provider over HTTP: a call that captures one item, with any keys unless the values pin some. Shown as a
   * snippet for curl before the others; `standin demo` sends it if it has no other sample.
   */
  example?(values: Values<O>): ExampleCall;
  /** Its faults, from its `faults.ts`; by default none. */
  readonly faults?: ProviderFaults;
  /** Calls that its vendor makes to the application, from its `callbacks.ts`; by default none. */
  readonly callbacks?: CallbackDeclaration<O, S>;
  /** Ties the provider to the state of its plugin; never set. */
  readonly _state?: S;
}

/** A request that core refuses before it reaches a provider's route. */
export interface Refusal {
  /** The rule that refused it. */
  readonly kind:
    | "too_large"
    | "method_not_allowed"
    | "bad_encoding"
    | "busy"
    | "unavailable"
    | "internal";
  /** Status to use, unless the vendor has a different one. */
  readonly status: number;
  /** Message in one sentence. */
  readonly message: string;
  /** Methods that the path supports; core sends them as `Allow`. */
  readonly allow?: readonly string[];
}

/** A call to answer with a fault. */
export interface FaultyCall<O extends OptionSet, S, T = unknown, W = Fault["with"]> {
  /** The request. */
  readonly call: IngressCall;
  /** Parameters of the outcome. */
  readonly with: W;
  /** Environment of the provider. */
  readonly env: ProviderEnv<O, S, T>;
  /** Returns the usual response, and adds `meta` to its captures. */
  handle(meta?: Readonly<Record<string, unknown>>): Promise<Answer>;
}

/** An outcome with a response in the vendor's words. */
export interface HttpOutcome<O extends OptionSet, S, T = unknown> extends FaultOutcome {
  /** The response, word for word. */
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
 * Faults of a provider on the ingress. Core applies them after `authorize`: in phase `read` for GET, in phase `capture`
 * for all other methods.
 */
export interface HttpFaults<O extends OptionSet, S, T = unknown>
  extends ProviderFaults<HttpOutcome<O, S, T>> {
  /** Returns the future captures of a call, in the plugin's model; none if it cannot be parsed. */
  subjects?(
    call: IngressCall,
    env: ProviderEnv<O, S, T>,
  ): MaybePromise<readonly Omit<FaultSubject, "raw">[]>;
}

/** What is known of a request before its body is read. */
export type CallHead = Pick<HttpCall, "method" | "path" | "target" | "headers">;

/** HTTP on the shared ingress, selected by host and path. */
export interface IngressProvider<O extends OptionSet, S, T = unknown> extends ProviderBase<O, S> {
  /** Kind of provider. */
  readonly kind: "ingress";
  /** Its faults, from its `faults.ts`; by default none. */
  readonly faults?: HttpFaults<O, S, T>;
  /** Calls that its vendor makes to the application, from its `callbacks.ts`; by default none. */
  readonly callbacks?: CallbackDeclaration<O, S, T>;
  /** Vendor operations. */
  readonly routes: readonly IngressRoute<O, S, T>[];
  /**
   * Prepares the provider, once per service, before the ingress listens; the result is `env.store` of every call.
   * Throws `ConfigError` for unusable settings.
   */
  open?(env: ProviderEnv<O, S>): MaybePromise<T>;
  /**
   * Checks the credentials of a call before its route handles it, except for routes that are `public`. If it returns a
   * response, the vendor's refusal, core sends that instead.
   */
  authorize?(call: IngressCall, env: ProviderEnv<O, S, T>): MaybePromise<Response | undefined>;
  /**
   * Whether a request is for this vendor, by what only its clients send. Called if another provider has the same
   * method and path, and the host is none of `vendorHosts`. Of the providers that share a route, one may omit it.
   */
  claims?(head: CallHead): boolean;
  /** Largest body in bytes, at most `[ingress] max_body`, which is the default. */
  bodyLimit?(values: Values<O>, ingressMax: number): number;
  /** Formats a refusal as the vendor does; plain text by default. `call.raw.body` has at most the first 64 KiB. */
  refuse?(
    call: IngressCall,
    refusal: Refusal,
    env: ProviderEnv<O, S, T>,
  ): MaybePromise<Response>;
}

/** One vendor operation. */
export interface IngressRoute<O extends OptionSet, S, T = unknown> {
  /** HTTP method; `GET` also serves `HEAD`, and `ANY` every method. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "ANY";
  /** `{name}` matches one segment, `{name...}` the rest; case-sensitive. */
  readonly path: string;
  /** Description of the operation. */
  readonly about: string;
  /** Further paths from the settings; literal, and none that another route has. */
  alsoAt?(values: Values<O>): readonly string[];
  /** Served, but not listed: another spelling of an endpoint, or the vendor's response to an unknown path. */
  readonly unlisted?: boolean;
  /** Served without `authorize`, because the vendor requires no credentials here. */
  readonly public?: boolean;
  /** Whether the handler gets the body in its content coding: one of the vendor's own, such as `aes128gcm`. */
  readonly undecoded?: boolean;
  /** Whether the settings enable it; by default they do. A disabled route answers that it is off, and is not listed. */
  isOn?(values: Values<O>): boolean;
  /** Answers one call as the vendor does. */
  handle(call: IngressCall, env: ProviderEnv<O, S, T>): MaybePromise<Answer>;
}

/** Returns every path of a route. */
export function pathsOf<O extends OptionSet, S>(
  { path, alsoAt }: IngressRoute<O, S>,
  values: Values<O>,
): readonly string[] {
  return [...new Set([path, ...alsoAt?.(values) ?? []])];
}

/** Returns whether a route is listed. */
export function isShown<O extends OptionSet, S>(
  { unlisted, isOn }: IngressRoute<O, S>,
  values: Values<O>,
): boolean {
  return unlisted !== true && isOn?.(values) !== false;
}

/** A complete request, within the body limit. */
export interface IngressCall extends Omit<HttpCall, "gone" | "disturb"> {
  /** Percent-decoded once. */
  readonly params: Readonly<Record<string, string>>;
  /** Decoded query parameters. */
  readonly query: URLSearchParams;
  /** In the order and spelling received over HTTP/1; in lower case over HTTP/2. */
  readonly rawHeaders: HeaderPairs;
  /** Body without content coding; `raw.body` has the bytes as sent. */
  readonly body: Uint8Array;
  /** Record of the request for an event. */
  readonly raw: RawRecord;
  /** The fault of a rule, if the route captures nevertheless. */
  readonly fault?: Fault;
}

/** Timeouts of the listener of an HTTP provider, in milliseconds. */
export interface HttpPatience {
  /** Head of a request. */
  readonly headMs?: number;
  /** Pause between two requests of a connection. */
  readonly keepAliveMs?: number;
  /** Silence while a request body is read. */
  readonly bodyMs?: number;
  /** Silence while a response is sent. */
  readonly writeMs?: number;
  /** Time for pending requests when the service stops; the service may allow less. */
  readonly stopMs?: number;
}

/** A request that core refuses by its head: malformed, too long, too late, or from a website that may not send it. */
export interface RefusedHead {
  /** Status of the response. */
  readonly status: number;
  /** Message in one sentence. */
  readonly reason: string;
}

/** HTTP on its own port. The provider streams the body. */
export interface HttpProvider<O extends OptionSet, S> extends ProviderBase<O, S> {
  /** Kind of provider. */
  readonly kind: "http";
  /** Key of the option with the port. */
  readonly portOption: keyof O & string;
  /** Timeouts of its listener; by default those of the ingress. */
  patience?(values: Values<O>): HttpPatience;
  /** Longest request head in bytes, including the request line; 65 536 by default. Over HTTP/1 only. */
  maxHeadBytes?(values: Values<O>): number;
  /** Formats the response to a request that does not reach `handle`; plain text by default. */
  refuseHead?(refusal: RefusedHead): Response;
  /** Returns whether a page of another site may send this request; by default it may not. */
  admits?(call: HttpCall, env: ProviderEnv<O, S>): boolean;
  /** Prepares the provider; its port is bound afterwards. */
  open(
    env: ProviderEnv<O, S>,
  ): Opened<{ handle(call: HttpCall, env: ProviderEnv<O, S>): Response | Promise<Response> }>;
}

/** One accepted connection; core accepts, counts, times out and closes. */
export interface TcpProvider<O extends OptionSet, S> extends ProviderBase<O, S> {
  /** Kind of provider. */
  readonly kind: "tcp";
  /** Scheme of the endpoint address, such as `smtp`. */
  readonly scheme: string;
  /** Key of the option with the port. */
  readonly portOption: keyof O & string;
  /** Key of the option with a second port, for TLS from the first byte; off while the option is unset. */
  readonly tlsPortOption?: keyof O & string;
  /** Maximum number of simultaneous connections; 256 by default. */
  maxConnections?(values: Values<O>): number;
  /** Sent to a connection over that limit before it is closed. */
  busyReply?(values: Values<O>): Uint8Array;
  /**
   * Whether clients log in, which `serve` reports: on a full listener, a client without login makes room for another.
   */
  readonly logsIn?: boolean;
  /** Sent to a client that starts with an HTTP request, before core closes its connection. */
  readonly httpReply?: Uint8Array;
  /** Prepares the provider; its port is bound afterwards. `serve` then serves each connection. */
  open(
    env: ProviderEnv<O, S>,
  ): Opened<{ serve(wire: Transport, about: { tls: boolean; place: Place }): Promise<void> }>;
}

/** One datagram at a time. */
export interface UdpProvider<O extends OptionSet, S> extends ProviderBase<O, S> {
  /** Kind of provider. */
  readonly kind: "udp";
  /** Scheme of the endpoint address. */
  readonly scheme: string;
  /** Key of the option with the port. */
  readonly portOption: keyof O & string;
  /** Prepares the provider; its port is bound afterwards. `receive` then handles each datagram. */
  open(env: ProviderEnv<O, S>): Opened<{ receive(datagram: Datagram): void | Promise<void> }>;
}

/** Called before the port is bound; the result may also be disposable. */
export type Opened<T> = MaybePromise<T & Partial<AsyncDisposable>>;

/** `open` is required for a provider with a store. */
export type Opens<O extends OptionSet, S, T> = unknown extends T ? unknown
  : Required<Pick<IngressProvider<O, S, T>, "open">>;

/** Any provider of a plugin with state `S`. */
export type Provider<S> =
  | IngressProvider<OptionSet, S>
  | HttpProvider<OptionSet, S>
  | TcpProvider<OptionSet, S>
  | UdpProvider<OptionSet, S>;

/** Storage of a plugin that survives a restart. */
export interface PluginStorage {
  /** Folder of this plugin; absent if nothing is stored on disk. */
  readonly folder?: string;
  /** Storage that several instances share, for a plugin that `shares`; never set together with a folder. */
  readonly shared?: SharedStorage;
}

/** One kind of content: mail, sms, files. */
export interface Plugin<S extends PluginState = PluginState> {
  /** Subcommand, URL segment, TOML table. */
  readonly id: string;
  /** Display name. */
  readonly title: string;
  /** Description in one sentence. */
  readonly about: string;
  /** Types of its events; each begins with the id and a dot. */
  readonly eventTypes: readonly string[];
  /** Shape of their payloads: events of another instance are checked against it before its routes get them. */
  readonly payload?: JsonSchema;
  /** Settings of the plugin itself, in `[plugins.<id>]`; by default none. */
  readonly options?: OptionSet;
  /** Its providers, in display order. */
  readonly providers: readonly Provider<S>[];
  /** Served under `/api/v1/<id>`, and described by the OpenAPI document. */
  readonly routes: readonly Route<S>[];
  /** Filters of its events, for its own lists and wherever the plugin is named; by default none. */
  readonly filters?: EventFilters;
  /** Module under `ui/static/`; by default the generic view of events. */
  readonly tab?: string;
  /** Whether the plugin stores state on disk if storage is `filesystem`. */
  readonly persists?: boolean;
  /** Whether several instances can share its state, where they share events. */
  readonly shares?: boolean;
  /**
   * Whether one instance at a time changes that state: connections to the others are passed on to it. Only for providers
   * with a TCP or UDP port.
   */
  readonly elects?: boolean;
  /**
   * Samples of `standin demo`, in order; loaded on demand: `async () => (await import("./demo.ts")).SAMPLES`. The
   * example of each provider that has none among them follows.
   */
  demo?(): Promise<readonly DemoSample[]>;
  /**
   * How to redirect clients of the real services, for `standin doctor`; loaded on demand like `demo`. It refers to the
   * snippets of a provider that has none.
   */
  clients?(): Promise<readonly ClientSetting[]>;
  /** Returns the checks of its events; loaded on use: `async () => (await import("./checks/mod.ts")).CHECKS`. */
  checks?(): Promise<PluginChecks>;
  /** Returns the readable text of an event, which is searched for codes, links and tokens; by default none. */
  texts?(event: CapturedEvent): readonly EventText[];
  /** Presents its events in reports; loaded on use like `checks`. By default their texts are shown. */
  report?(): Promise<PluginReport>;
  /**
   * Returns what links an event to others of its flow, such as its recipient or its Message-ID, besides the header fields
   * of its request; by default nothing. Quick, because it is called for each event.
   */
  storyKeys?(event: CapturedEvent): readonly StoryKey[];
  /** Called once per service, before any port is bound. `values` are those of `options`. */
  open(env: {
    readonly ctx: PluginContext;
    readonly storage: PluginStorage;
    readonly values: Readonly<Record<string, unknown>>;
  }): MaybePromise<S>;
}

/** State of a plugin, such as the mail log, the file tree or the catalog. */
export interface PluginState extends Partial<AsyncDisposable> {
  /** Clears the plugin's own state; core clears events and blobs. */
  reset?(): void | Promise<void>;
  /** Only of a shared state: resolves once it has what any instance stored before. Rejects with `LogWriteError`. */
  current?(): Promise<void> | undefined;
}

/** A plugin with any state, as in the list and the registry. */
export type AnyPlugin = Plugin<PluginState>;

/** Defines a plugin; keeps its exact type. */
export function definePlugin<S extends PluginState>(plugin: Plugin<S>): Plugin<S> {
  return plugin;
}

/** Defines a provider on the shared ingress. One with a store names its type, and opens it. */
export function ingressProvider<S, const O extends OptionSet, T = unknown>(
  provider: Omit<IngressProvider<O, S, T>, "kind"> & Opens<O, S, T>,
): IngressProvider<O, S, T> {
  return { kind: "ingress", ...provider };
}

/** Defines a provider with its own HTTP port. */
export function httpProvider<S, const O extends OptionSet>(
  provider: Omit<HttpProvider<O, S>, "kind">,
): HttpProvider<O, S> {
  return { kind: "http", ...provider };
}

/** Defines a provider that holds one conversation per TCP connection. */
export function tcpProvider<S, const O extends OptionSet>(
  provider: Omit<TcpProvider<O, S>, "kind">,
): TcpProvider<O, S> {
  return { kind: "tcp", ...provider };
}

/** Defines a provider that receives datagrams. */
export function udpProvider<S, const O extends OptionSet>(
  provider: Omit<UdpProvider<O, S>, "kind">,
): UdpProvider<O, S> {
  return { kind: "udp", ...provider };
}
