import { createService, isServicePath } from "../api/mount.ts";
import { describeApi } from "../api/openapi.ts";
import type { Readiness } from "../api/ready.ts";
import type { ApiState } from "../api/state.ts";
import { JoinedBlobStore } from "../blobs/joined.ts";
import { type Clock, systemClock } from "../clock.ts";
import type { CheckRunner } from "../checks/runner.ts";
import type { Finding } from "../checks/model.ts";
import type { CapturedEvent } from "../events/event.ts";
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
import { checkOptions } from "../options/suggest.ts";
import type { AnyPlugin, Endpoint } from "../plugin.ts";
import { type Random, seededRandom, systemRandom } from "../random.ts";
import type { TlsIdentity } from "../tls/identity.ts";
import { StoryIndex } from "../stories/stories.ts";
import { VERSION } from "../version.ts";
import { describePlugins, onLoopback } from "../api/describe.ts";
import { compact } from "../compact.ts";
import { Collector } from "./collector.ts";
import { endpointNamed, known, readinessOf, toEndpoint } from "./listening.ts";
import { CallbackDesk } from "./callbacks.ts";
import type { CoreOptions } from "./core_options.ts";
import { addFault, addFromFile, openFaults, placesOf } from "./faults.ts";
import { createIngress, membersOf } from "./ingress.ts";
import { identityOf, vendorHosts } from "./identity.ts";
import { type ListenContext, listenHttp, listenProvider, type SecureHttp } from "./listeners.ts";
import { createChecks } from "./check_context.ts";
import { filtersOf, mountsOf, namesOf, type OpenedPlugin, openPlugins, schemeOf } from "./open.ts";
import { checkPlugins } from "./registry.ts";
import { restoringOf } from "./restoring.ts";
import { checkSeed, repeatOf } from "./repeat.ts";
import type { AddedFault, Service } from "./service.ts";
import { openSpans } from "./spans.ts";
import { listStories } from "./stories.ts";
import { describeStorage, memoryOf, openLog, openStores, type Stores } from "./stores.ts";
import { TeamOpener } from "./team.ts";
import { EventTexts } from "./texts.ts";
import { clearHeld, expectEvents, listHeld, waitForEvent } from "./wait.ts";

/** Time for conversations to finish when the service stops. */
const GRACE_MS = 4000;

/**
 * Starts a service; resolves when every listener accepts connections.
 * Throws `ConfigError` with the listener and its flag if a port is not available; nothing stays bound then.
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
  readonly #texts: EventTexts;
  readonly #checks: CheckRunner;
  readonly #stories: StoryIndex;
  readonly #clock: Clock;
  readonly #random: (owner: string) => Random;
  readonly #seeded: boolean;
  readonly #tls: TlsIdentity;
  readonly #collector: Collector | undefined;
  readonly #stores: Stores;
  readonly #faults: Faults;
  readonly #desk: CallbackDesk;
  /** Includes the stores of plugins. */
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
  /** Sends spans, where a collector is given. */
  #spans: Awaited<ReturnType<typeof openSpans>>;
  /** The log that keeps events, where they outlast the program. */
  #kept: Awaited<ReturnType<typeof openLog>> = { firstIdMs: 0 };
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
      log: this.#log,
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
      nowMs: () => Math.max(this.#clock.now().getTime(), this.#kept.firstIdMs),
      random: this.#random("ids").bits,
    });
    this.#collector = options.ownsProcess === true ? new Collector() : undefined;
    this.#stores = openStores(options.settings, {
      plugins,
      clock: this.#clock,
      nextId,
      seeded: this.#seeded,
      log: this.#log,
      ...compact({ gauge: this.#collector }),
      onReset: () =>
        void this.#resetOwn().catch((error) =>
          this.#log.error("Cannot reset this instance after another one was reset", { error })
        ),
      onCapture: (event) => this.#spans?.capture(event),
      pageUrl: () => this.#ui && `${this.#ui.url}/ui`,
    });
    this.#allBlobs = new JoinedBlobStore(this.#stores.blobs);
    this.#texts = new EventTexts(plugins, this.#log);
    this.#checks = createChecks({
      plugins,
      settings: options.settings,
      blobs: this.#allBlobs,
      now: () => this.#clock.now(),
      opened: () => this.#opened,
      log: this.#log,
    });
    this.#stories = new StoryIndex({ ...this.#stores, plugins, log: this.#log });
    this.#faults = openFaults({
      namespaceOf: this.#stores.namespaceOf,
      bits: this.#random("faults").bits,
      signal: this.#stopping.signal,
      serverOf: (on) => this.#serverOf.get(this.#endpoints.get(on)!),
    });
    this.#desk = new CallbackDesk({
      settings: options.settings.core,
      events: this.events,
      nextId,
      log: this.#log,
      memory: this.#stores.memory,
      now: () => this.#clock.now(),
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
    return endpointNamed(provider, this.#endpoints, this.#plugins);
  }

  waitFor: Service["waitFor"] = (type, options = {}) =>
    waitForEvent(this.#routeContext(), type, options);

  expect: Service["expect"] = (expectation) =>
    expectEvents(this.#routeContext(), expectation, this.#stores.expectations);

  list: Service["list"] = (type, options = {}) => listHeld(this.#routeContext(), type, options);

  clear: Service["clear"] = (plugin, which = {}) => clearHeld(this.#routeContext(), plugin, which);

  fault(rule: FaultRule): Promise<AddedFault> {
    return addFault(this.#faults, rule, placesOf(this.#opened));
  }

  stories: Service["stories"] = (options = {}) =>
    listStories(this.#routeContext(), this.#stories, options);

  async checks(event: CapturedEvent): Promise<readonly Finding[]> {
    return await this.#checks.findings(event);
  }

  callback: Service["callback"] = (event, name, params, options) =>
    this.#desk.callback(event, name, { ...options, params });

  callbacks: Service["callbacks"] = (event) => this.#desk.records(event);

  inbound: Service["inbound"] = (provider, payload, options) =>
    this.#desk.comeIn(provider, payload, options);

  async extract(event: CapturedEvent): Promise<Extract> {
    return (await loadExtract((event) => this.#texts.of(event)))(event);
  }

  /** Context of the service's own routes and methods. */
  #routeContext(): RouteContext {
    return {
      plugin: "",
      events: this.events,
      filters: filtersOf(this.#opened),
      names: namesOf(this.#plugins, this.#opened),
      blobs: this.#allBlobs,
      signal: this.#stopping.signal,
      now: () => this.#clock.now(),
      eventUrl: (id) => this.#eventUrl(id),
      texts: (event) => this.#texts.of(event),
      findings: (event) => this.#checks.findings(event),
    };
  }

  async reset(): Promise<void> {
    await this.#resetOwn(() => {
      this.events.reset();
      return this.events.settled();
    });
  }

  /** Resets this instance; `events` are reset in between, unless another instance was reset with what is shared. */
  async #resetOwn(events?: () => void | Promise<void> | undefined): Promise<void> {
    const own = this.#opened.filter(({ state }) => events !== undefined || !state.current);
    for (const { state } of own) await state.reset?.();
    this.#faults.clear();
    this.#desk.reset();
    await events?.();
    this.rejected.clear();
    this.#stores.expectations.clear();
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
      ...this.#stores.rooms,
      ...(this.#clock === systemClock ? {} : { now: () => this.#clock.now() }),
    };
    for (const warning of this.#settings.warnings) this.#log.warn(warning);
    this.#kept = await openLog(this.#settings, this.#stores, { log: this.#log, undo: this.#undo });
    this.#spans = await openSpans(this.#settings, {
      log: this.#log,
      now: () => this.#clock.now(),
      eventUrl: (id) => this.#eventUrl(id),
    }, this.#undo);
    // Unusable files are reported now; missing ones are generated on demand.
    if (ingress.tls_cert_file !== undefined) await this.#tls.certificate();
    // Before a port is bound: a service with an invalid rule never listens.
    await addFromFile(this.#faults, this.#settings, this.#plugins);
    const { nats } = this.#kept;
    const listeners = { servers: this.#servers, endpoints: this.#endpoints, of: this.#serverOf };
    const team = new TeamOpener(this.#settings, this.#log, { seen: nats?.address, ...listeners });
    this.#opened = await openPlugins(this.#plugins, {
      settings: this.#settings,
      events: this.events,
      blobs: this.#stores.blobs,
      memory: this.#stores.memory,
      ...compact({ nats }),
      team: () => team.open(),
      joinBlobs: (store) => this.#allBlobs.join(store),
      rejected: this.rejected,
      faults: this.#faults,
      ...this.#desk.hooks,
      log: this.#log,
      clock: this.#clock,
      random: this.#random,
      net: (on) => createNet({ tls: this.#tls, resettable: () => this.#faults.mayReset(on) }),
      signal: this.#stopping.signal,
      configFolder: this.#configFolder,
      eventUrl: (id) => this.#eventUrl(id),
      ingressUrl: () => this.ingress.url,
    }, this.#undo);
    await this.#undo.use(this.#desk).open(this.#opened, nats);
    await this.#listenCore(listening);
    await this.#listenProviders(listening);
    await team.elect(this.#opened);
    await this.#faults.prepareResets();
    this.#collector?.watch(this.#stores.memory);
    this.#status = "ready";
  }

  stop(options: { graceMs?: number } = {}): Promise<void> {
    checkOptions("Cannot stop", options, ["graceMs"]);
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
    const isHeldUp = this.#status === "ready" && !this.events.writable;
    return readinessOf(isHeldUp ? "unwritable" : this.#status, {
      instance: this.#settings.core.root.instance,
      engine: this.#kept.engine?.(),
      own: { ui: this.#ui, api: this.#api, ingress: this.#ingress },
      endpoints: this.#endpoints,
      loadOf: (endpoint) => this.#serverOf.get(endpoint)?.load?.(),
    });
  }

  #eventUrl(id: string): string {
    return `${this.ui.url}/ui/events/${id}`;
  }

  async #listenCore(listening: ListenContext): Promise<void> {
    const { ui, api, ingress } = this.#settings.core;
    const service = this.#createService(this.#assets);
    const members = membersOf(this.#opened);
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
      ? (call) => isServicePath(call.path, call.method) ? service(call) : vendor(call)
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
      // The bare id works unless another plugin has a provider with the same id.
      if (!this.#endpoints.has(provider.id)) this.#endpoints.set(provider.id, endpoint);
    }
  }

  #toEndpoint(scheme: string, port: number): Endpoint {
    return toEndpoint(this.#settings.core.root.host, scheme, port);
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
      expectations: this.#stores.expectations,
      faults: this.#faults,
      faultPlaces: placesOf(this.#opened),
      callbacks: this.#desk,
      stories: this.#stories,
      spans: () => this.#spans?.counts,
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
      engine: () => this.#kept.engine?.(),
      tally: this.events.tally,
      blobBytes: () => this.#stores.blobs.bytes,
      budget: this.#stores.memory,
      memory: () => memoryOf(this.#stores),
      restoring: restoringOf(this.#stores, { seeded: this.#seeded, plugins: enabled }),
    };
    return createService({
      state,
      core,
      plugins: mountsOf(this.#opened, core),
      ...compact({ assets, token }),
      host: this.#settings.core.root.host,
      corsOrigins,
      log: this.#log,
    });
  }
}
