import { join } from "@std/path/join";
import type { BlobStore } from "../blobs/blob.ts";
import { BLOBS_FOLDER, openDiskBlobs } from "../blobs/disk.ts";
import type { Clock } from "../clock.ts";
import { compact } from "../compact.ts";
import { ConfigError, reasonOf } from "../errors.ts";
import type { EventStore } from "../events/event.ts";
import type { EventNames } from "../http/event_names.ts";
import type { FaultGate, Faults } from "../faults/engine.ts";
import type { RejectedJournal } from "../events/journal.ts";
import { createIds, randomBits } from "../ids.ts";
import type { Logger } from "../log.ts";
import type { Memory } from "../memory/budget.ts";
import type { Random } from "../random.ts";
import type { Net } from "../net/transport.ts";
import type { PluginSettings, Settings } from "../options/settings.ts";
import type { AnyPlugin, PluginContext, PluginState, Provider } from "../plugin.ts";
import { asking } from "./faulty_call.ts";
import type { AnyEnv } from "./recording.ts";

/** Context for opening plugins. */
export interface OpenContext {
  readonly settings: Settings;
  readonly events: EventStore;
  readonly blobs: BlobStore;
  readonly memory: Memory;
  /** Makes the blobs of a store of a plugin's own readable by their ids. */
  joinBlobs(store: BlobStore): void;
  readonly rejected: RejectedJournal;
  readonly faults: Faults;
  readonly log: Logger;
  readonly clock: Clock;
  /** Random source of one plugin. */
  random(plugin: string): Random;
  readonly net: Net;
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
  /** Where it asks whether it fails. */
  readonly gate: FaultGate;
  /** Address to listen on, for a provider with its own port. */
  readonly bind: string;
}

/** An enabled plugin with its state. */
export interface OpenedPlugin {
  readonly plugin: AnyPlugin;
  readonly ctx: PluginContext;
  readonly state: PluginState;
  readonly providers: readonly OpenedProvider[];
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

/** The names that events of the installed plugins can have, and which plugins run. */
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
    };
  });
}

async function openPlugin(
  plugin: AnyPlugin,
  settings: PluginSettings,
  { context, undo }: { context: OpenContext; undo: AsyncDisposableStack },
): Promise<OpenedPlugin> {
  const configured = context.settings.core.storage.plugins[plugin.id]?.folder;
  const folder = plugin.persists ? configured : undefined;
  const { fileFolder } = context.settings;
  const ctx: PluginContext = {
    plugin: plugin.id,
    events: context.events,
    blobs: folder === undefined ? context.blobs : await openBlobs(folder, context),
    memory: context.memory,
    log: context.log,
    signal: context.signal,
    ...compact({ configFolder: context.configFolder, fileFolder }),
    now: () => context.clock.now(),
    uuid: context.random(plugin.id).uuid,
    eventUrl: context.eventUrl,
    ingressUrl: context.ingressUrl,
  };
  const state = await plugin.open({
    ctx,
    storage: folder === undefined ? {} : { folder },
  });
  undo.defer(async () => await state[Symbol.asyncDispose]?.());
  const providers: OpenedProvider[] = [];
  for (const provider of plugin.providers) {
    const own = settings.providers.get(provider.id);
    if (!own?.enabled) continue;
    const gate = context.faults.gate(`${plugin.id}/${provider.id}`);
    const env: AnyEnv = {
      values: own.values,
      state,
      store: undefined,
      ctx,
      net: context.net,
      capture: (event) => context.events.add(plugin.id, provider.id, event),
      settled: (event) => context.events.settled(event),
      reject(note) {
        context.rejected.add({ peer: "", raw: new Uint8Array(), ...note, provider: provider.id });
      },
      fault: asking(gate, {
        main: Object.keys(provider.faults?.phases ?? {})[0],
        // One with an HTTP port of its own notes it with its call.
        reject: (note) => provider.kind === "http" || env.reject(note),
      }),
    };
    const store = provider.kind === "ingress" ? await provider.open?.(env) : undefined;
    providers.push({ plugin, provider, env: { ...env, store }, gate, bind: own.bind });
  }
  return { plugin, ctx, state, providers };
}

/** With storage on, a plugin's bytes are beside its state on disk, and count against no limit. */
async function openBlobs(folder: string, context: OpenContext): Promise<BlobStore> {
  const nextId = createIds({
    nowMs: () => context.clock.now().getTime(),
    random: randomBits(),
  });
  const path = join(folder, BLOBS_FOLDER);
  try {
    const blobs = await openDiskBlobs(path, nextId, { reserve: folder });
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
