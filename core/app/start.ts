import type { Readiness } from "../api/ready.ts";
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
import type { AssetSource } from "../http/assets.ts";
import { type BrowserGuard, createBrowserGuard } from "../http/browser_guard.ts";
import type { HttpHandler } from "../http/call.ts";
import type { RouteContext } from "../http/route.ts";
import { createIds } from "../ids.ts";
import type { Logger } from "../log.ts";
import { createNet } from "../net/net.ts";
import type { Settings } from "../options/settings.ts";
import { checkOptions } from "../options/suggest.ts";
import type { AnyPlugin, Endpoint } from "../plugin.ts";
import { type Random, seededRandom, systemRandom } from "../random.ts";
import type { TlsIdentity } from "../tls/identity.ts";
import { StoryIndex } from "../stories/stories.ts";
import { compact } from "../compact.ts";
import { Collector } from "./collector.ts";
import { CallbackDesk } from "./callbacks.ts";
import type { CoreOptions } from "./core_options.ts";
import { addFault, addFromFile, openFaults, placesOf } from "./faults.ts";
import { createIngress, membersOf } from "./ingress.ts";
import { identityOf, vendorHosts } from "./identity.ts";
import type { ListenContext } from "./listeners.ts";
import { createChecks } from "./check_context.ts";
import { filtersOf, namesOf, type OpenedPlugin, openPlugins } from "./open.ts";
import { type CoreHandlers, Ports } from "./ports.ts";
import { createReadBack } from "./read_back.ts";
import { checkPlugins } from "./registry.ts";
import { checkSeed, repeatOf } from "./repeat.ts";
import type { AddedFault, CallWait, Service } from "./service.ts";
import { listStories } from "./stories.ts";
import { openLog, openSpans, openStores, type Stores } from "./stores.ts";
import { TeamOpener } from "./team.ts";
import { EventTexts } from "./texts.ts";
import {
  checkEvent,
  checkTimeout,
  clearHeld,
  expectEvents,
  listHeld,
  waitForEvent,
} from "./wait.ts";

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
  readonly #assets: AssetSource | undefined;
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
  readonly #ports: Ports;
  #opened: readonly OpenedPlugin[] = [];
  /** Sends spans, where a collector is given. */
  #spans: Awaited<ReturnType<typeof openSpans>>;
  /** The log that keeps events, where they outlast the program. */
  #kept: Awaited<ReturnType<typeof openLog>> = { firstIdMs: 0 };
  #status: Readiness["status"] = "starting";
  #ends: Promise<void> | undefined;
  #finish: () => void = () => {};

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
    this.#ports = new Ports(plugins, options.settings, this.#tls);
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
      pageUrl: () => this.#ports.openUi && `${this.ui.url}/ui`,
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
      serverOf: (on) => this.#ports.serverOf(on),
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
    return this.#ports.ui;
  }

  get api(): Endpoint {
    return this.#ports.api;
  }

  get ingress(): Endpoint {
    return this.#ports.ingress;
  }

  endpoint(provider: string): Endpoint {
    return this.#ports.endpoint(provider);
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
    checkEvent(event, "Cannot check");
    return await this.#checks.findings(event);
  }

  callback: Service["callback"] = async (event, name, params, options) =>
    await this.#desk.callback(event, name, { ...checkWait(options), params });

  callbacks: Service["callbacks"] = (event) => this.#desk.records(event);

  inbound: Service["inbound"] = async (provider, payload, options) =>
    await this.#desk.comeIn(provider, payload, checkWait(options));

  async extract(event: CapturedEvent): Promise<Extract> {
    checkEvent(event, "Cannot extract");
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
    const { memory } = this.#stores;
    const keptBytes = memory.keptBytes;
    const own = this.#opened.filter(({ state }) => events !== undefined || !state.current);
    for (const { state } of own) await state.reset?.();
    this.#faults.clear();
    this.#desk.reset();
    await events?.();
    this.rejected.clear();
    this.#stores.expectations.clear();
    this.#stores.blobs.prune();
    this.#collector?.release(keptBytes - memory.keptBytes);
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
    const { servers, endpoints, of } = this.#ports;
    const parts = { seen: nats?.address, servers, endpoints, of };
    const team = new TeamOpener(this.#settings, this.#log, parts);
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
    await this.#ports.listenCore(this.#handlers(), listening);
    await this.#ports.listenProviders(this.#opened, listening, this.#undo);
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
    await this.#ports.stop({ graceMs });
    try {
      await this.#undo.disposeAsync();
    } finally {
      this.#finish();
    }
  }

  #readiness(): Readiness {
    const isHeldUp = this.#status === "ready" && !this.events.writable;
    return this.#ports.readiness(isHeldUp ? "unwritable" : this.#status, this.#kept.engine?.());
  }

  #eventUrl(id: string): string {
    return `${this.ui.url}/ui/events/${id}`;
  }

  #handlers(): CoreHandlers {
    const members = membersOf(this.#opened);
    const { max_body: maxBody } = this.#settings.core.ingress;
    const { memory } = this.#stores;
    return {
      ui: this.#createService(this.#assets),
      api: () => this.#createService(undefined),
      ingress: members.length === 0 ? undefined : createIngress({
        ...{ members, maxBody, memory },
        rejected: this.rejected,
        guard: this.#guard,
      }),
    };
  }

  #createService(assets: AssetSource | undefined): HttpHandler {
    return createReadBack({
      core: this.#routeContext(),
      plugins: this.#plugins,
      opened: this.#opened,
      settings: this.#settings,
      stores: this.#stores,
      faults: this.#faults,
      callbacks: this.#desk,
      stories: this.#stories,
      endpoints: this.#ports.endpoints,
      tls: this.#tls,
      log: this.#log,
      seeded: this.#seeded,
      startedAt: this.#startedAt,
      spans: () => this.#spans?.counts,
      engine: () => this.#kept.engine?.(),
      readiness: () => this.#readiness(),
      reset: () => this.reset(),
    }, assets);
  }
}

/** Throws a `RangeError` for an option without effect. */
function checkWait(options: CallWait = {}): CallWait {
  const cannot = "Cannot wait for the application";
  checkOptions(cannot, options, ["timeoutMs"]);
  checkTimeout(options.timeoutMs, cannot);
  return options;
}
