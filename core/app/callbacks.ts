/** Calls of a running service to the application, as its providers declare them. */
import { createHmac } from "node:crypto";
import { type OriginPattern, parseOriginPattern } from "../callbacks/allow.ts";
import type { Call, CallOwner, StoredCall } from "../callbacks/call.ts";
import { type CallCounts, CallEngine } from "../callbacks/engine.ts";
import type { CallKeeper, SharedCallKeeper } from "../callbacks/ledger.ts";
import type { CallOffer, CallRecord, CallState, SentCalls } from "../callbacks/model.ts";
import type {
  CallbackKey,
  CallContext,
  OutgoingCall,
  ProviderCallbacks,
} from "../callbacks/provider.ts";
import { compact } from "../compact.ts";
import { toShownParams } from "../callbacks/shown.ts";
import { awaitCalls } from "../callbacks/wait.ts";
import { CallbacksOffError } from "../errors.ts";
import type { CapturedEvent, EventStore, StreamItem } from "../events/event.ts";
import type { MemoryBudget } from "../memory/budget.ts";
import { DEFAULT_WAIT_MS } from "../events/wait.ts";
import type { NextId } from "../ids.ts";
import type { Logger } from "../log.ts";
import { Dialer } from "../net/outgoing.ts";
import type { CoreSettings } from "../options/settings.ts";
import type { OptionSet } from "../options/spec.ts";
import { unknownName } from "../options/suggest.ts";
import type { PluginState } from "../plugin.ts";
import { aliasesOf, placesNamed, type ProviderPlace } from "../provider_names.ts";
import { readTrusted } from "../tls/trusted.ts";
import { handlersOf } from "./callback_handlers.ts";
import { readParams, readRequest, toTable } from "./callback_request.ts";
import type { OpenContext, OpenedPlugin, OpenedProvider } from "./open.ts";
import type { CallWait } from "./service.ts";
import { TimeoutError } from "./wait.ts";

type Callbacks = ProviderCallbacks<OptionSet, PluginState>;
type Context = CallContext<OptionSet, PluginState>;

/** Part of `memory_limit` for waiting calls, and for the record of all calls. */
const MEMORY_SHARE = 16;

/** A provider with callbacks, opened. */
interface Opened {
  readonly on: string;
  readonly place: ProviderPlace;
  readonly callbacks: Callbacks;
  readonly context: Context;
}

/** Callbacks of one provider, and the keys that the application needs. */
export interface DescribedCallbacks {
  readonly on: string;
  readonly callbacks: Callbacks;
  readonly webhook: string | undefined;
  readonly inbound: string | undefined;
  readonly keys: readonly CallbackKey[];
}

/** Conditions of a list of calls. */
export interface CallFilter {
  readonly provider?: string | undefined;
  readonly event?: string | undefined;
  readonly name?: string | undefined;
  readonly state?: CallState | undefined;
  readonly namespace?: string | undefined;
}

/** Parts of the desk. */
export interface DeskOptions {
  readonly settings: Pick<CoreSettings, "callbacks" | "storage">;
  readonly events: EventStore;
  readonly nextId: NextId;
  readonly log: Logger;
  readonly memory: MemoryBudget;
  now(): Date;
}

/** Plans, requests and shows calls. With callbacks off it does nothing, and nothing is loaded. */
export class CallbackDesk implements AsyncDisposable {
  readonly enabled: boolean;
  readonly opens: boolean;
  readonly allow: readonly string[];
  readonly #options: DeskOptions;
  readonly #opened = new Map<string, Opened>();
  /** Every running provider. */
  #running: readonly ProviderPlace[] = [];
  #engine: CallEngine | undefined;
  #keeper: (CallKeeper & (Disposable | AsyncDisposable)) | undefined;
  #unwatch: () => void = () => {};

  constructor(options: DeskOptions) {
    this.#options = options;
    const { enabled, allow, opens } = options.settings.callbacks;
    this.enabled = enabled;
    this.opens = enabled && opens;
    this.allow = allow;
  }

  /** Used while the plugins are opened. */
  get hooks(): Pick<OpenContext, "onCapture" | "onCancel"> {
    if (!this.enabled) return {};
    return {
      onCapture: (on, event) => this.#captured(on, event),
      onCancel: (on, event) => this.#canceled(on, event),
    };
  }

  get counts(): CallCounts | undefined {
    return this.#engine?.counts;
  }

  /** Loads the declarations of the providers, and restores stored calls. */
  async open(
    plugins: readonly OpenedPlugin[],
    nats?: { openCalls(): SharedCallKeeper & AsyncDisposable },
  ): Promise<void> {
    const providers = plugins.flatMap((plugin) => plugin.providers);
    this.#running = providers.map(placeOf);
    if (!this.enabled) return;
    for (const opened of providers) {
      const callbacks = await opened.provider.callbacks?.load();
      if (callbacks === undefined) continue;
      const on = nameOf(opened);
      const place = placeOf(opened);
      this.#opened.set(on, { on, place, callbacks, context: this.#contextOf(opened) });
    }
    const { log, nextId, now, events, memory } = this.#options;
    const { callbacks: settings, storage } = this.#options.settings;
    const shared = nats?.openCalls();
    if (shared !== undefined) this.#keeper = shared;
    else if (settings.folder !== undefined) {
      const { openCallLog } = await import("../persist/callback_log.ts");
      this.#keeper = openCallLog({ folder: settings.folder, log });
    }
    const ca = settings.tls_ca_file === undefined
      ? undefined
      : await readTrusted("[callbacks] tls_ca_file", settings.tls_ca_file);
    const handlers = handlersOf(this.#opened.values(), new Dialer({ ca }));
    this.#engine = new CallEngine({
      allow: settings.allow.map((text): OriginPattern => parseOriginPattern(text)),
      speed: settings.speed,
      nextId,
      now,
      maxBytes: storage.memory_limit / MEMORY_SHARE,
      memory,
      handlerOf: (on) => handlers.get(on),
      onFault: (on, error) =>
        log.warn("Cannot read the response to a callback", { provider: on, error }),
      ...compact({ keeper: this.#keeper }),
      ...(shared === undefined ? {} : { confirmed: () => shared.confirmed() }),
    });
    this.#engine.restore();
    this.#unwatch = events.watch((item) => this.#follow(item));
    await shared?.start({
      adopt: (calls) => this.#adopt(calls),
      release: (ids) =>
        this.#engine?.forget(
          ids.flatMap((id) => this.#engine?.get(id) ?? []),
          "Another instance makes the call",
        ),
    });
  }

  /** Takes over calls of an instance that is gone, unless their event was deleted meanwhile. */
  async #adopt(calls: readonly StoredCall[]): Promise<boolean> {
    const { events } = this.#options;
    await events.current();
    return this.#engine!.adopt(
      calls.filter(({ owner: { event } }) =>
        event === undefined || events.get(event.id) !== undefined
      ),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unwatch();
    await this.#engine?.[Symbol.asyncDispose]();
    if (this.#keeper === undefined) return;
    if (Symbol.asyncDispose in this.#keeper) await this.#keeper[Symbol.asyncDispose]();
    else this.#keeper[Symbol.dispose]();
  }

  /** Plans the calls that the vendor makes unprompted, as soon as the event is stored. */
  #captured(on: string, event: CapturedEvent): void {
    const opened = this.#opened.get(on);
    if (opened?.callbacks.afterCapture === undefined) return;
    const kept = this.#options.events.settled(event);
    if (kept === undefined) this.#plan(opened, event, "afterCapture");
    else kept.then(() => this.#plan(opened, event, "afterCapture"), () => {});
  }

  #canceled(on: string, event: CapturedEvent): void {
    const opened = this.#opened.get(on);
    if (opened === undefined) return;
    this.#engine?.cancel(this.list(event.id), "The sender canceled the item");
    this.#plan(opened, event, "afterCancel");
  }

  #plan(
    { on, callbacks, context }: Opened,
    event: CapturedEvent,
    when: "afterCapture" | "afterCancel",
  ): void {
    const fail = (error: unknown): void =>
      this.#options.log.warn("Cannot call the application about an event", {
        provider: on,
        id: event.id,
        error,
      });
    const owner = toOwner(on, event);
    const send = (calls: readonly OutgoingCall[]) => void this.#engine?.send(calls, owner);
    try {
      const calls = callbacks[when]?.(event, context) ?? [];
      if (calls instanceof Promise) calls.then(send).catch(fail);
      else send(calls);
    } catch (error) {
      fail(error);
    }
  }

  /** Makes the calls of a request. Rejects with `RangeError` for an invalid one. */
  async request(event: CapturedEvent, body: unknown): Promise<readonly Call[]> {
    const { name, given } = readRequest(body);
    const { on, callbacks, context } = this.#find(`${event.plugin}/${event.provider}`);
    const kind = Object.hasOwn(callbacks.kinds, name) ? callbacks.kinds[name] : undefined;
    if (kind === undefined) {
      const unknown = unknownName("callback", name, Object.keys(callbacks.kinds));
      throw new RangeError(`Cannot send a callback of ${on}: ${unknown}`);
    }
    const params = readParams(kind.params ?? {}, given, name);
    const calls = await callbacks.make({ event, name, with: params }, context);
    return this.#send(calls, { on, event });
  }

  /** Sends the application an inbound item. Rejects with `RangeError` for an invalid one. */
  async inbound(body: unknown): Promise<{ calls: readonly Call[]; event?: CapturedEvent }> {
    const { provider, payload = {}, ...rest } = toTable(body, "the request");
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) {
      throw new RangeError(`Cannot read the request: ${unknownName("key", unknown, INBOUND_KEYS)}`);
    }
    if (typeof provider !== "string") {
      throw new RangeError('Cannot read the request: expected "provider" as text');
    }
    const { on, callbacks, context } = this.#find(
      provider,
      ({ callbacks }) => callbacks.inbound !== undefined,
    );
    if (callbacks.inbound === undefined) {
      const able = [...this.#opened.values()].filter(({ callbacks }) => callbacks.inbound);
      throw new RangeError(
        `Cannot send anything in as ${on}: it has no inbound calls; providers that have ` +
          `some are ${able.map(({ on }) => on).join(", ")}`,
      );
    }
    const made = await callbacks.inbound.make(toTable(payload, "payload"), context);
    return { ...made, calls: this.#send(made.calls, { on, ...compact({ event: made.event }) }) };
  }

  /** Like `call`, but waits until each call has its response. */
  async callback(
    given: CapturedEvent | string,
    name: string,
    { params = {}, ...wait }: CallWait & { params?: Readonly<Record<string, unknown>> | undefined },
  ): Promise<readonly CallRecord[]> {
    const id = idOf(given);
    const event = this.#options.events.get(id);
    if (event === undefined) throw new RangeError(`Cannot find event "${id}": it is not held`);
    const calls = await this.request(event, { ...params, event: name });
    await untilOver(calls, wait);
    return calls.map((call) => call.toRecord());
  }

  /** The same for an inbound item. */
  async comeIn(provider: string, payload: object, wait: CallWait = {}): Promise<SentCalls> {
    const { calls, event } = await this.inbound({ provider, payload });
    await untilOver(calls, wait);
    return {
      calls: calls.map((call) => call.toRecord()),
      count: calls.length,
      ...compact({ event: event?.id }),
    };
  }

  /** The calls about an event, or all, as the API shows them. */
  records(event?: CapturedEvent | string): readonly CallRecord[] {
    return this.list(event === undefined ? undefined : idOf(event)).map((call) => call.toRecord());
  }

  /** The calls about an event, or all; oldest first. */
  list(event?: string): readonly Call[] {
    return this.#engine?.list(event) ?? [];
  }

  /** The calls that meet every condition, oldest first. Throws `RangeError` for a provider that does not run. */
  find({ provider, event, name, state, namespace }: CallFilter): readonly Call[] {
    const places = provider === undefined ? undefined : this.#places(provider);
    return this.list(event).filter((call) =>
      (places === undefined || places.has(call.owner.on)) &&
      (name === undefined || call.call.name === name) &&
      (state === undefined || call.state === state) &&
      (namespace === undefined || call.owner.event?.namespace === namespace)
    );
  }

  #places(name: string): ReadonlySet<string> {
    const meant = placesNamed(name, this.#running);
    if (meant.length > 0) return new Set(meant.map(({ plugin, id }) => `${plugin}/${id}`));
    const known = this.#running.map(({ plugin, id }) => `${plugin}/${id}`);
    const others = this.#running.flatMap(({ aliases }) => aliases);
    throw new RangeError(
      `Cannot list callbacks: ${unknownName("provider", name, known, others)}`,
    );
  }

  get(id: string): Call | undefined {
    return this.#engine?.get(id);
  }

  /** Returns the callbacks that can be requested for an event. */
  offers(event: CapturedEvent): readonly CallOffer[] {
    const opened = this.#opened.get(`${event.plugin}/${event.provider}`);
    if (opened === undefined) return [];
    const { callbacks, context } = opened;
    const kinds = Object.entries(callbacks.kinds)
      .filter(([name]) => callbacks.applies?.(name, event, context) !== false)
      .map(([name, { label, about, params = {} }]): CallOffer => ({
        event: name,
        label,
        about,
        params: toShownParams(params),
      }));
    const presets = (callbacks.presets?.(event, context) ?? []).map((
      { asks = {}, ...preset },
    ): CallOffer => ({
      ...preset,
      about: callbacks.kinds[preset.event]?.about ?? "",
      params: asks,
    }));
    return [...presets, ...kinds];
  }

  /** Everything that the running providers declare. */
  async describe(): Promise<readonly DescribedCallbacks[]> {
    return await Promise.all([...this.#opened.values()].map(async (opened) => ({
      on: opened.on,
      callbacks: opened.callbacks,
      webhook: opened.context.webhook,
      inbound: opened.context.inbound,
      keys: await opened.callbacks.keys?.(opened.context) ?? [],
    })));
  }

  /** Cancels and forgets everything. */
  reset(): void {
    this.#engine?.forget(this.#engine.list());
  }

  /** Of several providers with the name, `fits` tells which is meant. */
  #find(name: string, fits: (opened: Opened) => boolean = () => true): Opened {
    if (!this.enabled) throw new CallbacksOffError();
    const all = [...this.#opened.values()];
    const meant = placesNamed(name, all.map(({ place }) => place));
    const named = meant.flatMap((place) => all.find((one) => one.place === place) ?? []);
    const opened = named.find(fits) ?? named[0];
    if (opened !== undefined) return opened;
    const able = [...this.#opened.keys()];
    const runs = placesNamed(name, this.#running).length > 0;
    throw new RangeError(
      runs
        ? `Cannot call the application for ${name}: it has no callbacks; providers that have some are ` +
          able.join(", ")
        : `Cannot call the application: ${
          unknownName("provider", name, able, all.flatMap(({ place }) => place.aliases))
        }`,
    );
  }

  #send(calls: readonly OutgoingCall[], owner: { on: string; event?: CapturedEvent }) {
    const engine = this.#engine!;
    for (const call of calls) {
      const reason = engine.reasonAgainst(call);
      if (reason !== undefined) throw new RangeError(reason);
    }
    return engine.send(calls, toOwner(owner.on, owner.event));
  }

  #follow(item: StreamItem): void {
    if (item.kind === "deleted") {
      const calls = this.list(item.id);
      if (calls.length > 0) this.#engine?.forget(calls);
    } else if (item.kind === "cleared") {
      const { plugin, namespace } = item;
      this.#engine?.forget(
        this.list().filter(({ owner: { on, event } }) =>
          event !== undefined && (plugin === undefined || on.startsWith(`${plugin}/`)) &&
          (namespace === undefined || event.namespace === namespace)
        ),
      );
    }
  }

  #contextOf({ provider, env }: OpenedProvider): Context {
    const { webhooks, inbound, secret } = this.#options.settings.callbacks;
    const name = provider.callbacks?.setting ?? provider.id;
    return {
      env,
      webhook: webhooks[name],
      inbound: inbound[name],
      key: (purpose) =>
        new Uint8Array(createHmac("sha256", secret).update(`${provider.id}/${purpose}`).digest()),
    };
  }
}

/** Waits until each call has its response. Rejects with `TimeoutError` when that takes too long. */
async function untilOver(calls: readonly Call[], options: CallWait): Promise<void> {
  const { timeoutMs = DEFAULT_WAIT_MS } = options;
  const late = awaitCalls(calls, timeoutMs);
  const problem = await late;
  if (problem !== undefined) throw new TimeoutError(problem);
}

/** A call keeps no more of its event, which may be dropped first. */
function toOwner(on: string, event?: CapturedEvent): CallOwner {
  if (event === undefined) return { on };
  return { on, event: { id: event.id, ...compact({ namespace: event.namespace }) } };
}

function idOf(event: CapturedEvent | string): string {
  return typeof event === "string" ? event : event.id;
}

const INBOUND_KEYS = ["provider", "payload"];

function placeOf({ plugin, provider }: OpenedProvider): ProviderPlace {
  return { plugin: plugin.id, id: provider.id, aliases: aliasesOf(provider) };
}

function nameOf({ plugin, provider }: OpenedProvider): string {
  return `${plugin.id}/${provider.id}`;
}
