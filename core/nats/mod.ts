/** What instances share over NATS; loaded only with that setting. */
import type { MemoryBlobStore } from "../blobs/memory.ts";
import type { EngineState } from "../events/log.ts";
import type { Logger } from "../log.ts";
import type { Memory } from "../memory/budget.ts";
import type { NatsSettings } from "../options/settings.ts";
import type { SharedLog, SharedLogState, SharedView, WriterRole } from "../shared_state.ts";
import { type NatsBlobStore, openNatsBlobs } from "./blob_store.ts";
import { NatsCallKeeper } from "./call_keeper.ts";
import { openEngine } from "./engine.ts";
import { NatsEventLog } from "./event_log.ts";
import { NatsSharedLog } from "./shared_log.ts";
import { WriterLease } from "./writer_lease.ts";

/** Options of the connection. */
export interface NatsOptions {
  readonly settings: NatsSettings;
  /** Attachments of events. */
  readonly blobs: MemoryBlobStore;
  readonly log: Logger;
}

/** A connection, and its stores. */
export interface Nats extends AsyncDisposable {
  readonly events: NatsEventLog;
  /** Opens the store for the bytes of a plugin. Rejects with `ConfigError`. */
  openBlobs(
    plugin: string,
    options: { readonly nextId: () => string; readonly memory: Memory },
  ): Promise<NatsBlobStore>;
  /** Returns the store of unfinished callbacks. */
  openCalls(): NatsCallKeeper;
  /** Reads the state of a plugin, and follows it. Rejects with `ConfigError`. */
  follow<C>(plugin: string, view: SharedView<C>): Promise<SharedLog<C> & AsyncDisposable>;
  /** Prepares the choice of the one instance that writes the state of a plugin. */
  elect(plugin: string, role: WriterRole): WriterLease;
  /** Address of this instance as the server sees it. */
  readonly address: string | undefined;
  readonly state: EngineState;
}

/** Connects to the configured server. Rejects with `ConfigError` for an unusable one. */
export async function openNats({ settings, blobs, log }: NatsOptions): Promise<Nats> {
  await using undo = new AsyncDisposableStack();
  const engine = undo.use(await openEngine(settings, log));
  const events = undo.use(new NatsEventLog(engine, { blobs, log }));
  const logs = new Map<string, { readonly state: SharedLogState }>();
  const leases = new Map<string, WriterLease>();
  const opened = undo.move();
  return {
    events,
    openBlobs: (plugin, options) => openNatsBlobs(engine, { plugin, ...options, log }),
    openCalls: () => new NatsCallKeeper(engine, { log }),
    async follow(plugin, view) {
      await using undo = new AsyncDisposableStack();
      const shared = undo.use(new NatsSharedLog(engine, { plugin, view, log }));
      await shared.start();
      undo.move();
      logs.set(plugin, shared);
      return shared;
    },
    elect(plugin, role) {
      const lease = new WriterLease(engine, { plugin, role, log });
      leases.set(plugin, lease);
      return lease;
    },
    address: engine.connection.info?.client_ip,
    get state() {
      const shared = new Map([...logs].map(([plugin, { state }]) => [plugin, state]));
      const writers = new Map([...leases].map(([plugin, { writer }]) => [plugin, writer]));
      return { ...events.state, shared, writers };
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
