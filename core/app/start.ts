import { createService, isServicePath } from "../api/mount.ts";
import { describeApi } from "../api/openapi.ts";
import type { Readiness } from "../api/ready.ts";
import type { ApiState } from "../api/state.ts";
import { JoinedBlobStore } from "../blobs/joined.ts";
import { type Clock, systemClock } from "../clock.ts";
import type { CapturedEvent, EventText } from "../events/event.ts";
import type { RejectedJournal } from "../events/journal.ts";
import type { MemoryEventStore } from "../events/store.ts";
import type { Faults } from "../faults/engine.ts";
import type { FaultRule } from "../faults/model.ts";
import type { Extract } from "../extract/extract.ts";
import { loadExtract } from "../extract/load.ts";
import type { AssetMap } from "../http/assets.ts";
import { type BrowserGuard, createBrowserGuard } from "../http/browser_guard.ts";
import type { HttpHandler } from "../http/call.ts";
import type { RouteContext } from "../http/route.ts";
import { createIds } from "../ids.ts";
import type { Logger } from "../log.ts";
import { createNet } from "../net/net.ts";
import type { Server } from "../net/server.ts";
import type { Settings } from "../options/settings.ts";
import { unknownName } from "../options/suggest.ts";
import type { AnyPlugin, Endpoint } from "../plugin.ts";
import { type Random, seededRandom, systemRandom } from "../random.ts";
import type { TlsIdentity } from "../tls/identity.ts";
import { VERSION } from "../version.ts";
import { describePlugins, onLoopback } from "../api/describe.ts";
import { compact } from "../compact.ts";
import { Collector } from "./collector.ts";
import { toLoad } from "./full.ts";
import { addFault, addFromFile, openFaults, placesOf } from "./faults.ts";
import { createIngress, type IngressMember } from "./ingress.ts";
import { identityOf, vendorHosts } from "./identity.ts";
import { HeadRoom } from "../http/server/wire/head_room.ts";
import { type ListenContext, listenHttp, listenProvider, type SecureHttp } from "./listeners.ts";
import { namesOf, type OpenedPlugin, openPlugins, schemeOf } from "./open.ts";
import { checkPlugins } from "./registry.ts";
import { checkSeed, repeatOf } from "./repeat.ts";
import type { AddedFault, Service } from "./service.ts";
import { describeStorage, memoryOf, openLog, openStores, type Stores } from "./stores.ts";
import { clearHeld, expectEvents, listHeld, waitForEvent } from "./wait.ts";

/** What a service is started with. */
export interface CoreOptions {
  readonly settings: Settings;
  /** UI files by name; without them there is no UI. */
  readonly assets?: AssetMap;
  readonly log: Logger;
  readonly clock?: Clock;
  /** Makes ids the same in every run. Nothing can be kept on disk then. */
  readonly seed?: string;
  /** Folder for keys and certificates of the program's own; without it they are in memory. */
  readonly configFolder?: string;
  /**
   * The process runs nothing but the service, so that its memory is looked after: of that of others nothing can be told,
   * and garbage is theirs to collect.
   */
  readonly ownsProcess?: boolean;
}

/** Time that conversations get to finish when the service stops. */
const GRACE_MS = 4000;

/**
 * Starts a service; resolves when every listener accepts.
 * Throws `ConfigError` naming the listener and its flag when a port cannot be had; nothing stays bound then.
 */
export async function startCore(
  plugins: readonly AnyPlugin[],
  given: CoreOptions,
): Promise<Service> {
  const options = { ...repeatOf(given.settings), ...given };
  checkPlugins(plugins);
  checkSeed(plugins, options);
  const runtime = new Runtime(plugins, options);
  try {
    await runtime.start();
  } catch (error) {
    await runtime.stop({ graceMs: 0 });
    throw error;
  }
  return runtime;
}

/** The parts of one running service, wired. */
class Runtime implements Service {
  readonly finished: Promise<void>;
  readonly #plugins: readonly AnyPlugin[];
  readonly #settings: Settings;
  readonly #assets: AssetMap | undefined;
  readonly #configFolder: string | undefined;
  readonly #log: Logger;
  /** Events whose text their plugin could not read. */
  readonly #unreadable = new WeakSet<CapturedEvent>();
  readonly #clock: Clock;
  readonly #random: (owner: string) => Random;
  readonly #seeded: boolean;
  readonly #tls: TlsIdentity;
  readonly #collector: Collector | undefined;
  readonly #stores: Stores;
  readonly #faults: Faults;
  /** With the stores that plugins have of their own. */
  readonly #allBlobs: JoinedBlobStore;
  readonly #guard: BrowserGuard;
  readonly #startedAt: Date;
  /** Ends streams, waits and idle conversations at once when the service stops. */
  readonly #stopping = new AbortController();
  readonly #undo = new AsyncDisposableStack();
  readonly #servers: Server[] = [];
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #serverOf = new WeakMap<Endpoint, Server>();
  #opened: readonly OpenedPlugin[] = [];
  /** Ids sort behind those of events that were kept, also when the clock has stepped back since. */
  #firstIdMs = 0;
  #status: Readiness["status"] = "starting";
  #ends: Promise<void> | undefined;
  #finish: () => void = () => {};
  #ui: Endpoint | undefined;
  #api: Endpoint | undefined;
  #ingress: Endpoint | undefined;

  constructor(plugins: readonly AnyPlugin[], options: CoreOptions) {
    this.#plugins = plugins;
    this.#settings = options.settings;
    this.#assets = options.assets;
    this.#configFolder = options.configFolder;
    this.#log = options.log;
    this.#clock = options.clock ?? systemClock;
    this.#tls = identityOf(this.#plugins, this.#settings, {
      now: () => this.#clock.now(),
      configFolder: options.configFolder,
      onUnkept: (folder, reason) =>
        this.#log.warn("Cannot keep the CA: clients must trust another after every start", {
          folder,
          reason,
        }),
    });
    this.#startedAt = this.#clock.now();
    this.finished = new Promise((resolve) => this.#finish = resolve);
    const { ingress } = options.settings.core;
    this.#guard = createBrowserGuard({
      ownHost: options.settings.core.root.host,
      vendorHosts: vendorHosts(plugins),
      allowedOrigins: ingress.allowed_origins,
    });
    this.#seeded = options.seed !== undefined;
    this.#random = (owner) =>
      options.seed === undefined ? systemRandom() : seededRandom(`${options.seed}/${owner}`);
    const nextId = createIds({
      nowMs: () => Math.max(this.#clock.now().getTime(), this.#firstIdMs),
      random: this.#random("ids").bits,
    });
    this.#collector = options.ownsProcess === true ? new Collector() : undefined;
    this.#stores = openStores(options.settings, {
      clock: this.#clock,
      nextId,
      seeded: this.#seeded,
      log: this.#log,
      ...compact({ gauge: this.#collector }),
      pageUrl: () => this.#ui && `${this.#ui.url}/ui`,
    });
    this.#allBlobs = new JoinedBlobStore(this.#stores.blobs);
    this.#faults = openFaults({
      namespaceOf: this.#stores.namespaceOf,
      bits: this.#random("faults").bits,
      signal: this.#stopping.signal,
      serverOf: (on) => this.#serverOf.get(this.#endpoints.get(on)!),
    });
  }

  get events(): MemoryEventStore {
    return this.#stores.events;
  }

  get rejected(): RejectedJournal {
    return this.#stores.rejected;
  }

  get ui(): Endpoint {
    return known(this.#ui);
  }

  get api(): Endpoint {
    return known(this.#api);
  }

  get ingress(): Endpoint {
    if (this.#ingress === undefined && this.#status === "ready") {
      throw new RangeError("Cannot name the ingress: no provider that shares it runs");
    }
    return known(this.#ingress);
  }

  endpoint(provider: string): Endpoint {
    const endpoint = this.#endpoints.get(provider);
    if (endpoint !== undefined) return endpoint;
    const running = [...this.#endpoints.keys()].filter((name) => name.includes("/"));
    throw new RangeError(
      `Cannot find provider "${provider}": running are ${running.join(", ")}`,
    );
  }

  waitFor: Service["waitFor"] = (type, options = {}) =>
    waitForEvent(this.#routeContext(), type, options);

  expect: Service["expect"] = (expectation) => expectEvents(this.#routeContext(), expectation);

  list: Service["list"] = (type, options = {}) => listHeld(this.#routeContext(), type, options);

  clear: Service["clear"] = (plugin, which = {}) => clearHeld(this.#routeContext(), plugin, which);

  fault(rule: FaultRule): Promise<AddedFault> {
    return addFault(this.#faults, rule, placesOf(this.#opened));
  }

  async extract(event: CapturedEvent): Promise<Extract> {
    return (await loadExtract((event) => this.#texts(event)))(event);
  }

  /** What the service's own routes, and its own methods, work with. */
  #routeContext(): RouteContext {
    const filters = this.#opened.flatMap(({ plugin: { id, filters } }) =>
      filters === undefined ? [] : [[id, filters] as const]
    );
    return {
      plugin: "",
      events: this.events,
      filters: new Map(filters),
      names: namesOf(this.#plugins, this.#opened),
      blobs: this.#allBlobs,
      signal: this.#stopping.signal,
      now: () => this.#clock.now(),
      eventUrl: (id) => this.#eventUrl(id),
      texts: (event) => this.#texts(event),
    };
  }

  async reset(): Promise<void> {
    for (const { state } of this.#opened) await state.reset?.();
    this.#faults.clear();
    this.events.clear();
    await this.events.settled();
    this.rejected.clear();
    this.#stores.blobs.prune();
    this.#collector?.release();
  }

  async start(): Promise<void> {
    const { ingress } = this.#settings.core;
    const listening: ListenContext = {
      log: this.#log,
      rejected: this.rejected,
      tls: this.#tls,
      guard: this.#guard,
      h2c: ingress.h2c,
      headRoom: new HeadRoom(this.#stores.memory),
      ...(this.#clock === systemClock ? {} : { now: () => this.#clock.now() }),
    };
    for (const warning of this.#settings.warnings) this.#log.warn(warning);
    this.#firstIdMs = await openLog(this.#settings, this.#stores, {
      log: this.#log,
      undo: this.#undo,
    });
    // Files that are of no use are told of now; what is made here is made when somebody wants it.
    if (ingress.tls_cert_file !== undefined) await this.#tls.certificate();
    // Before a port is bound: one with a wrong rule is never reached.
    await addFromFile(this.#faults, this.#settings, this.#plugins);
    this.#opened = await openPlugins(this.#plugins, {
      settings: this.#settings,
      events: this.events,
      blobs: this.#stores.blobs,
      memory: this.#stores.memory,
      joinBlobs: (store) => this.#allBlobs.join(store),
      rejected: this.rejected,
      faults: this.#faults,
      log: this.#log,
      clock: this.#clock,
      random: this.#random,
      net: createNet({ tls: this.#tls }),
      signal: this.#stopping.signal,
      configFolder: this.#configFolder,
      eventUrl: (id) => this.#eventUrl(id),
      ingressUrl: () => this.ingress.url,
    }, this.#undo);
    await this.#listenCore(listening);
    await this.#listenProviders(listening);
    await this.#faults.prepareResets();
    this.#collector?.watch(this.#stores.memory);
    this.#status = "ready";
  }

  stop(options: { graceMs?: number } = {}): Promise<void> {
    const unknown = Object.keys(options).find((name) => name !== "graceMs");
    if (unknown !== undefined) {
      throw new RangeError(`Cannot stop: ${unknownName("option", unknown, ["graceMs"])}`);
    }
    return this.#ends ??= this.#end(options.graceMs ?? GRACE_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #end(graceMs: number): Promise<void> {
    this.#status = "stopping";
    this.#collector?.stop();
    this.#stopping.abort();
    await Promise.all(this.#servers.map((server) => server.stop({ graceMs })));
    try {
      await this.#undo.disposeAsync();
    } finally {
      this.#finish();
    }
  }

  #readiness(): Readiness {
    const { instance } = this.#settings.core.root;
    const own = Object.entries({ ui: this.#ui, api: this.#api, ingress: this.#ingress });
    // The bare names stand for the same listeners, and so does the ingress for the providers that share it.
    const providers = [...this.#endpoints].filter(([name, { port }]) =>
      name.includes("/") && port !== this.#ingress?.port
    );
    const listeners = [...own, ...providers].flatMap(([name, at]) =>
      at === undefined ? [] : [{ name, url: at.url, ...toLoad(this.#serverOf.get(at)?.load?.()) }]
    );
    const isHeldUp = this.#status === "ready" && !this.events.writable;
    const status = isHeldUp ? "unwritable" : this.#status;
    return { status, ...compact({ instance }), listeners };
  }

  #eventUrl(id: string): string {
    return `${this.ui.url}/ui/events/${id}`;
  }

  /** An event that its plugin cannot read, such as one of another version's bundle, is shown and found without text. */
  #texts(event: CapturedEvent): readonly EventText[] {
    if (this.#unreadable.has(event)) return [];
    try {
      const texts = this.#plugins.find(({ id }) => id === event.plugin)?.texts?.(event) ?? [];
      if (texts.every(({ text }) => typeof text === "string")) return texts;
      throw new TypeError("One of its texts is none");
    } catch (error) {
      this.#unreadable.add(event);
      const { id, plugin } = event;
      this.#log.warn("Cannot read the text of an event: it is left out", { plugin, id, error });
      return [];
    }
  }

  async #listenCore(listening: ListenContext): Promise<void> {
    const { ui, api, ingress } = this.#settings.core;
    const service = this.#createService(this.#assets);
    const members = this.#ingressMembers();
    const vendor = createIngress({
      members,
      maxBody: ingress.max_body,
      memory: this.#stores.memory,
      rejected: this.rejected,
      guard: this.#guard,
    });
    const secure: SecureHttp = ingress.tls
      ? { tls: this.#tls, tunnelHosts: vendorHosts(this.#plugins) }
      : {};
    const isNeeded = members.length > 0;
    const shared = isNeeded && ui.port !== 0 && ui.port === ingress.port &&
      ui.bind === ingress.bind;
    const uiHandler: HttpHandler = shared
      ? (call) => isServicePath(call.path) ? service(call) : vendor(call)
      : service;
    this.#ui = await this.#listen("ui", {
      ...ui,
      flag: "--ui-port",
      h2c: shared ? ingress.h2c : ui.h2c,
    }, { handler: uiHandler, context: listening, ...(shared ? { secure } : {}) });
    this.#api = api.port === undefined || (api.port === ui.port && api.port !== 0)
      ? this.#ui
      : await this.#listen("api", {
        hostname: api.bind,
        port: api.port,
        bind: api.bind,
        flag: "--api-port",
        h2c: ui.h2c,
      }, { handler: this.#createService(undefined), context: listening });
    if (!isNeeded) return;
    this.#ingress = shared ? this.#ui : await this.#listen("ingress", {
      ...ingress,
      flag: "--ingress-port (--in-port when one plugin runs)",
    }, { handler: vendor, context: listening, secure });
  }

  async #listen(
    name: string,
    where: { bind: string; port: number; flag: string; h2c: boolean; hostname?: string },
    options: { handler: HttpHandler; context: ListenContext; secure?: SecureHttp },
  ): Promise<Endpoint> {
    const server = await listenHttp(name, { ...where, hostname: where.bind }, {
      ...options,
      about: { listener: name },
    });
    this.#servers.push(server);
    const endpoint = this.#toEndpoint("http", server.port);
    this.#serverOf.set(endpoint, server);
    return endpoint;
  }

  async #listenProviders(listening: ListenContext): Promise<void> {
    for (const opened of this.#opened.flatMap((plugin) => plugin.providers)) {
      const { plugin, provider } = opened;
      const listener = await listenProvider(opened, listening, this.#undo);
      if (listener !== undefined) this.#servers.push(listener.server);
      const endpoint = listener === undefined
        ? this.ingress
        : onLoopback(provider, this.#toEndpoint(schemeOf(provider), listener.server.port));
      if (listener?.tlsServer !== undefined) {
        this.#servers.push(listener.tlsServer);
        const scheme = provider.kind === "tcp" ? `${provider.scheme}s` : "https";
        const secure = this.#toEndpoint(scheme, listener.tlsServer.port);
        this.#serverOf.set(secure, listener.tlsServer);
        this.#endpoints.set(`${plugin.id}/${provider.id}/tls`, secure);
      }
      if (listener !== undefined) this.#serverOf.set(endpoint, listener.server);
      this.#endpoints.set(`${plugin.id}/${provider.id}`, endpoint);
      // The bare id serves as long as no other plugin has a provider of that id.
      if (!this.#endpoints.has(provider.id)) this.#endpoints.set(provider.id, endpoint);
    }
  }

  #toEndpoint(scheme: string, port: number): Endpoint {
    const hostname = this.#settings.core.root.host;
    const host = hostname.includes(":") ? `[${hostname}]` : hostname;
    return { hostname, port, url: `${scheme}://${host}:${port}` };
  }

  #ingressMembers(): IngressMember[] {
    return this.#opened.flatMap(({ plugin, providers }) =>
      providers.flatMap(({ provider, env, gate }) =>
        provider.kind === "ingress" ? [{ plugin: plugin.id, provider, env, gate }] : []
      )
    );
  }

  #createService(assets: AssetMap | undefined): HttpHandler {
    const { token, cors_origins: corsOrigins } = this.#settings.core.api;
    const enabled = this.#opened.map(({ plugin }) => plugin);
    const core = this.#routeContext();
    const state: ApiState = {
      ...core,
      follow: (filter, options) => this.events.subscribe(filter, options),
      version: VERSION,
      startedAt: this.#startedAt,
      rejected: this.rejected,
      faults: this.#faults,
      faultPlaces: placesOf(this.#opened),
      enabledPlugins: enabled.map((plugin) => plugin.id),
      describe: (all) =>
        describePlugins(this.#plugins, this.#settings, {
          all,
          endpointOf: (plugin, provider) => this.#endpoints.get(`${plugin}/${provider}`),
        }),
      reset: () => this.reset(),
      openApi: (plugin) => describeApi(enabled, plugin),
      ca: async () => (await this.#tls.certificate()).ca,
      readiness: () => this.#readiness(),
      storage: describeStorage(this.#settings),
      tally: this.events.tally,
      blobBytes: () => this.#stores.blobs.bytes,
      budget: this.#stores.memory,
      memory: () => memoryOf(this.#stores),
      restoring: {
        seeded: this.#seeded,
        plugins: enabled,
        blob: (ref, bytes) => this.#stores.blobs.restore(ref, bytes),
        events: (events) => this.events.restore(events),
      },
    };
    return createService({
      state,
      core,
      plugins: this.#opened.map(({ plugin, state }) => ({
        id: plugin.id,
        routes: plugin.routes,
        state,
        ctx: { ...core, plugin: plugin.id },
      })),
      ...compact({ assets, token }),
      host: this.#settings.core.root.host,
      corsOrigins,
      log: this.#log,
    });
  }
}

function known(endpoint: Endpoint | undefined): Endpoint {
  if (endpoint !== undefined) return endpoint;
  throw new Error("Cannot name an address: the service is not listening");
}
