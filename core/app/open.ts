import { join } from "@std/path/join";
import type { BlobStore } from "../blobs/blob.ts";
import { BLOBS_FOLDER, openDiskBlobs } from "../blobs/disk.ts";
import type { Clock } from "../clock.ts";
import { compact } from "../compact.ts";
import { ConfigError, reasonOf } from "../errors.ts";
import type { CapturedEvent, EventStore } from "../events/event.ts";
import type { EventNames } from "../http/event_names.ts";
import type { RouteContext } from "../http/route.ts";
import type { FaultGate, Faults } from "../faults/engine.ts";
import type { RejectedJournal } from "../events/journal.ts";
import { createIds, randomBits } from "../ids.ts";
import type { Logger } from "../log.ts";
import type { Nats } from "../nats/mod.ts";
import type { WriterLease } from "../nats/writer_lease.ts";
import type { Team } from "../peers/team.ts";
import type { Memory } from "../memory/budget.ts";
import type { Random } from "../random.ts";
import type { Net } from "../net/transport.ts";
import type { PluginSettings, Settings } from "../options/settings.ts";
import type { AnyPlugin, PluginContext, PluginState, Provider } from "../plugin.ts";
import type { SharedStorage } from "../shared_state.ts";
import { providerPlaces } from "../provider_names.ts";
import { asking } from "./faulty_call.ts";
import type { AnyEnv } from "./recording.ts";

/** Context for opening plugins. */
export interface OpenContext {
  readonly settings: Settings;
  readonly events: EventStore;
  readonly blobs: BlobStore;
  readonly memory: Memory;
  /** Opens what plugins share with other instances; absent if each has its own. */
  readonly nats?: Pick<Nats, "openBlobs" | "follow" | "elect">;
  /** Opens the port for other instances, once; where there is `nats`. */
  team(): Team;
  /** Makes the blobs of a plugin's own store readable by their ids. */
  joinBlobs(store: BlobStore): void;
  readonly rejected: RejectedJournal;
  readonly faults: Faults;
  /** Called with each event that a provider captures. */
  onCapture?(on: string, event: CapturedEvent): void;
  /** Called with each event that its sender cancels. */
  onCancel?(on: string, event: CapturedEvent): void;
  readonly log: Logger;
  readonly clock: Clock;
  /** Random source of one plugin. */
  random(plugin: string): Random;
  /** The network of a provider, `plugin/provider`. */
  net(on: string): Net;
  readonly signal: AbortSignal;
  /** Folder for the program's keys. */
  readonly configFolder?: string | undefined;
  eventUrl(id: string): string;
  ingressUrl(): string;
}

/** An enabled provider with its environment. */
export interface OpenedProvider {
  readonly plugin: AnyPlugin;
  readonly provider: Provider<PluginState>;
  readonly env: AnyEnv;
  /** Gate for faults. */
  readonly gate: FaultGate;
  /** Address to listen on, for a provider with its own port. */
  readonly bind: string;
  /** Passes its connections on; absent if each instance serves its own. */
  readonly passing?: Passing;
}

/** Who serves the connections of a plugin, and how they get there. */
export interface Passing {
  readonly team: Team;
  readonly lease: WriterLease;
}

/** An enabled plugin with its state. */
export interface OpenedPlugin {
  readonly plugin: AnyPlugin;
  readonly ctx: PluginContext;
  readonly state: PluginState;
  readonly providers: readonly OpenedProvider[];
  readonly passing?: Passing;
}

/** Opens every enabled plugin in order; `undo` disposes of them, even if a later one fails. */
export async function openPlugins(
  plugins: readonly AnyPlugin[],
  context: OpenContext,
  undo: AsyncDisposableStack,
): Promise<OpenedPlugin[]> {
  const opened: OpenedPlugin[] = [];
  for (const plugin of plugins) {
    const settings = context.settings.plugins.get(plugin.id);
    if (settings?.enabled) opened.push(await openPlugin(plugin, settings, { context, undo }));
  }
  return opened;
}

/** Names that events of the installed plugins can have, and the running plugins. */
export function namesOf(
  plugins: readonly AnyPlugin[],
  opened: readonly OpenedPlugin[],
): readonly EventNames[] {
  return plugins.map(({ id, eventTypes, providers }) => {
    const own = opened.find(({ plugin }) => plugin.id === id);
    const running = new Set(own?.providers.map(({ provider }) => provider.id));
    return {
      plugin: id,
      running: own !== undefined,
      types: eventTypes,
      providers: new Map(providers.map((provider) => [provider.id, running.has(provider.id)])),
      places: providerPlaces([{ id, providers }]),
    };
  });
}

/** Filters of each running plugin that has any. */
export function filtersOf(opened: readonly OpenedPlugin[]): RouteContext["filters"] {
  return new Map(
    opened.flatMap(({ plugin: { id, filters } }) =>
      filters === undefined ? [] : [[id, filters] as const]
    ),
  );
}

/** A running plugin as the read-back API serves it. */
interface Mount {
  readonly id: string;
  readonly routes: AnyPlugin["routes"];
  readonly state: PluginState;
  readonly ctx: RouteContext;
}

/** The running plugins as the read-back API serves them. */
export function mountsOf(
  opened: readonly OpenedPlugin[],
  core: Omit<RouteContext, "plugin">,
): readonly Mount[] {
  return opened.map(({ plugin: { id, routes }, state }) => ({
    id,
    routes,
    state,
    ctx: { ...core, plugin: id },
  }));
}

async function openPlugin(
  plugin: AnyPlugin,
  settings: PluginSettings,
  { context, undo }: { context: OpenContext; undo: AsyncDisposableStack },
): Promise<OpenedPlugin> {
  const configured = context.settings.core.storage.plugins[plugin.id]?.folder;
  const folder = plugin.persists ? configured : undefined;
  const nats = plugin.shares === true && folder === undefined ? context.nats : undefined;
  const { fileFolder } = context.settings;
  const ctx: PluginContext = {
    plugin: plugin.id,
    events: context.events,
    blobs: nats !== undefined
      ? await openSharedBlobs(plugin.id, { nats, context, undo })
      : folder === undefined
      ? context.blobs
      : await openBlobs(folder, context),
    memory: context.memory,
    log: context.log,
    signal: context.signal,
    callsBack: context.settings.core.callbacks.enabled,
    ...compact({ configFolder: context.configFolder, fileFolder }),
    now: () => context.clock.now(),
    uuid: context.random(plugin.id).uuid,
    eventUrl: context.eventUrl,
    ingressUrl: context.ingressUrl,
  };
  const shared = nats && toShared(plugin.id, { nats, context, undo });
  const storage = compact({ folder, shared: shared?.storage });
  const state = await plugin.open({ ctx, storage, values: settings.values });
  const passing = shared?.passing();
  undo.defer(async () => await state[Symbol.asyncDispose]?.());
  const providers: OpenedProvider[] = [];
  for (const provider of plugin.providers) {
    const own = settings.providers.get(provider.id);
    if (!own?.enabled) continue;
    const on = `${plugin.id}/${provider.id}`;
    const gate = context.faults.gate(on);
    const env: AnyEnv = {
      values: own.values,
      state,
      store: undefined,
      ctx,
      net: context.net(on),
      capture(event) {
        const added = context.events.add(plugin.id, provider.id, event);
        context.onCapture?.(on, added);
        return added;
      },
      canceled: (event) => context.onCancel?.(on, event),
      announce: (event) => context.onCapture?.(on, event),
      settled: (event) => context.events.settled(event),
      reject(note) {
        context.rejected.add({ peer: "", raw: new Uint8Array(), ...note, provider: provider.id });
      },
      fault: asking(gate, {
        main: Object.keys(provider.faults?.phases ?? {})[0],
        // A provider with its own HTTP port records it with its call.
        reject: (note) => provider.kind === "http" || env.reject(note),
      }),
    };
    const store = provider.kind === "ingress" ? await provider.open?.(env) : undefined;
    const { bind } = own;
    providers.push({
      plugin,
      provider,
      env: { ...env, store },
      gate,
      bind,
      ...compact({ passing }),
    });
  }
  return { plugin, ctx, state, providers, ...compact({ passing }) };
}

/** Returns the storage that a plugin shares with other instances, and who serves its connections afterwards. */
function toShared(
  plugin: string,
  { nats, context, undo }: {
    nats: NonNullable<OpenContext["nats"]>;
    context: OpenContext;
    undo: AsyncDisposableStack;
  },
): { readonly storage: SharedStorage; passing(): Passing | undefined } {
  let passing: Passing | undefined;
  return {
    storage: {
      follow: async (view) => undo.use(await nats.follow(plugin, view)),
      elect(role) {
        const lease = undo.use(nats.elect(plugin, role));
        passing = { team: context.team(), lease };
        return lease;
      },
    },
    passing: () => passing,
  };
}

/** With shared events, a plugin's bytes are in NATS, beside its state. */
async function openSharedBlobs(
  plugin: string,
  { nats, context, undo }: {
    nats: NonNullable<OpenContext["nats"]>;
    context: OpenContext;
    undo: AsyncDisposableStack;
  },
): Promise<BlobStore> {
  const blobs = undo.use(
    await nats.openBlobs(plugin, { nextId: blobIds(context), memory: context.memory }),
  );
  context.joinBlobs(blobs);
  return blobs;
}

function blobIds({ clock }: OpenContext): () => string {
  return createIds({ nowMs: () => clock.now().getTime(), random: randomBits() });
}

/** With storage on, a plugin's bytes are beside its state on disk, and count against no limit. */
async function openBlobs(folder: string, context: OpenContext): Promise<BlobStore> {
  const path = join(folder, BLOBS_FOLDER);
  try {
    const blobs = await openDiskBlobs(path, blobIds(context), { reserve: folder });
    context.joinBlobs(blobs);
    return blobs;
  } catch (error) {
    const reason = reasonOf(error);
    throw new ConfigError(`Cannot use the folder "${path}": ${reason}`);
  }
}

/** Scheme of the provider's listed address. */
export function schemeOf(provider: OpenedProvider["provider"]): string {
  return provider.kind === "tcp" || provider.kind === "udp" ? provider.scheme : "http";
}
