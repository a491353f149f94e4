import type { CaptureSpans, SpanContext } from "../otel/capture.ts";
import type { ApiState, ProcessMemory } from "../api/state.ts";
import type { EngineState } from "../events/log.ts";
import { MemoryBlobStore } from "../blobs/memory.ts";
import type { Clock } from "../clock.ts";
import { compact } from "../compact.ts";
import type { CapturedEvent } from "../events/event.ts";
import { RejectedJournal, type RejectedRecord } from "../events/journal.ts";
import { createNamespaces } from "../events/namespace.ts";
import { parseNamespaceRule } from "../options/namespace_rule.ts";
import { withoutPeerPort, withoutPort } from "../events/peer_port.ts";
import { MemoryEventStore } from "../events/store.ts";
import { ExpectationHistory } from "../expect/history.ts";
import { AnswerRoom } from "../http/server/wire/answer_room.ts";
import { HeadRoom } from "../http/server/wire/head_room.ts";
import { type NextId, timeOfId } from "../ids.ts";
import type { Nats } from "../nats/mod.ts";
import type { LogFields, Logger } from "../log.ts";
import { type Gauge, MemoryBudget } from "../memory/budget.ts";
import type { Settings } from "../options/settings.ts";
import { type NamedPlugin, vendorOf } from "../provider_names.ts";

/** In-memory stores of a service, and their budget. */
export interface Stores {
  readonly memory: MemoryBudget;
  /** Its parts that all HTTP listeners share. */
  readonly rooms: { readonly headRoom: HeadRoom; readonly answerRoom: AnswerRoom };
  readonly blobs: MemoryBlobStore;
  readonly events: MemoryEventStore;
  readonly rejected: RejectedJournal;
  readonly expectations: ExpectationHistory;
  /** Rules for namespaces. */
  readonly namespaceOf: ReturnType<typeof createNamespaces>;
}

/** Opens the stores by the settings, without a log of events. Logs each captured or refused item. */
export function openStores(
  settings: Settings,
  { clock, nextId, seeded, log, gauge, pageUrl, plugins, onReset, onCapture }: {
    clock: Clock;
    nextId: NextId;
    /** In a repeatable run, events must not contain random ports. */
    seeded: boolean;
    log: Logger;
    gauge?: Gauge;
    /** Returns the base URL of the user interface; `undefined` until it listens. */
    pageUrl: () => string | undefined;
    /** Every installed plugin, for the vendors' names. */
    plugins: readonly NamedPlugin[];
    /** Called when another instance on the same log was reset. */
    onReset: () => void;
    /** Called with each event that this instance captured, once the log has it. */
    onCapture: (event: CapturedEvent) => void;
  },
): Stores {
  const { storage, ingress } = settings.core;
  const memory = new MemoryBudget({
    limitBytes: storage.memory_limit,
    ...compact({ gauge }),
  });
  const mostBytes = storage.memory_limit / 2;
  const blobs = new MemoryBlobStore({
    maxBytes: Math.min(storage.blob_limit, mostBytes),
    memory,
    nextId,
    onDrop: (count, bytes) =>
      log.info("Dropped the oldest unreferenced blobs to make room", { count, bytes }),
  });
  const namespaceOf = namespaceRules(settings);
  const vendors = vendorNames(plugins);
  const events = new MemoryEventStore({
    limits: {
      capacityOf: (plugin) => storage.plugin_capacity[plugin] ?? storage.capacity,
      maxRawBytes: Math.min(storage.raw_limit, mostBytes),
      ...compact({ maxAgeMs: storage.max_age }),
    },
    clock,
    nextId,
    blobs,
    memory,
    namespaceOf,
    ...(seeded ? { amend: withoutPeerPort } : {}),
    onReset,
    onCapture(event) {
      log.info("Captured", aboutEvent(event, vendors, pageUrl()));
      onCapture(event);
    },
    onOversize: (plugin, why) => log.warn(OVERSIZE[why], { plugin }),
  });
  const rejected = new RejectedJournal({
    capacity: ingress.rejected_capacity,
    nextId,
    now: () => clock.now(),
    tally: events.tally,
    memory,
    onAdd: (record) => log.info("Refused", aboutRejected(record, vendors, pageUrl())),
    ...(seeded ? { peerOf: withoutPort } : {}),
  });
  const rooms = { headRoom: new HeadRoom(memory), answerRoom: new AnswerRoom(memory) };
  const expectations = new ExpectationHistory({ now: () => clock.now(), memory });
  return { memory, rooms, blobs, events, rejected, expectations, namespaceOf };
}

/**
 * Loads the stored events and stores new ones if storage is on; the module is loaded only then.
 * Rejects with `ConfigError` if the storage cannot be used or read.
 */
export async function openLog(
  { core: { storage } }: Settings,
  { blobs, events }: Stores,
  { log, undo }: { log: Logger; undo: AsyncDisposableStack },
): Promise<KeptLog> {
  const { eventFolder: folder, nats: settings } = storage;
  if (storage.events === "nats") {
    const { openNats } = await import("../nats/mod.ts");
    const nats = undo.use(await openNats({ settings, blobs, log }));
    await events.follow(nats.events);
    // By then, others have later ids anyway.
    return { firstIdMs: 0, engine: () => nats.state, nats };
  }
  if (folder === undefined) return { firstIdMs: 0 };
  const { openFileLog } = await import("../persist/event_log.ts");
  await events.follow(undo.use(await openFileLog({ folder, blobs, log })));
  const [newest] = events.list({}, { limit: 1 });
  return { firstIdMs: newest === undefined ? 0 : timeOfId(newest.id) + 1 };
}

/** Messages of a log that outlasts the program. */
interface KeptLog {
  /** Earliest time of new ids, in milliseconds, so that they sort after those of the events. */
  readonly firstIdMs: number;
  /** State of the engine that instances share. */
  readonly engine?: () => EngineState;
  /** Opens what plugins share. */
  readonly nats?: Pick<Nats, "openBlobs" | "follow" | "openCalls" | "elect" | "address">;
}

/** Returns the storage section of the health report. */
export function describeStorage(
  { core: { storage: { events, eventFolder, nats } } }: Settings,
): ApiState["storage"] {
  const servers = events === "nats" ? nats.servers : undefined;
  return { events, ...compact({ path: eventFolder, servers }) };
}

const OVERSIZE = {
  bytes: "Dropped the oldest event: its plugin holds raw_limit bytes",
  memory: "Dropped the oldest event: memory_limit is reached, and its plugin holds the most",
} as const;

/** Vendors of the installed providers. */
interface Vendors {
  /** `plugin/provider` and the vendor, by plugin and provider: joining names for each capture takes longer. */
  readonly byPlugin: ReadonlyMap<string, ReadonlyMap<string, ProviderName>>;
  /** By the provider alone where no other has its id. */
  readonly byProvider: ReadonlyMap<string, string | undefined>;
}

interface ProviderName {
  readonly path: string;
  readonly vendor?: string | undefined;
}

function vendorNames(plugins: readonly NamedPlugin[]): Vendors {
  const byPlugin = new Map<string, Map<string, ProviderName>>();
  const byProvider = new Map<string, string | undefined>();
  for (const { id, providers } of plugins) {
    const own = new Map<string, ProviderName>();
    byPlugin.set(id, own);
    for (const provider of providers) {
      const vendor = vendorOf(provider);
      own.set(provider.id, { path: `${id}/${provider.id}`, vendor });
      byProvider.set(provider.id, byProvider.has(provider.id) ? undefined : vendor);
    }
  }
  return { byPlugin, byProvider };
}

function aboutEvent(
  event: CapturedEvent,
  vendors: Vendors,
  pages: string | undefined,
): LogFields {
  const { plugin, provider } = event;
  const { path, vendor }: ProviderName = vendors.byPlugin.get(plugin)?.get(provider) ??
    { path: `${plugin}/${provider}` };
  return {
    id: event.id,
    provider: path,
    vendor,
    namespace: event.namespace,
    summary: event.summary,
    url: pages && `${pages}/events/${event.id}`,
  };
}

/** Without the client's data: paths, arguments and headers may hold a password. */
function aboutRejected(
  record: RejectedRecord,
  vendors: Vendors,
  pages: string | undefined,
): LogFields {
  return {
    id: record.id,
    provider: record.provider,
    vendor: record.provider && vendors.byProvider.get(record.provider),
    peer: record.peer === "" ? undefined : record.peer,
    status: record.status,
    summary: record.reason,
    url: pages && `${pages}/rejected/?id=${record.id}`,
  };
}

/** Memory of the process. */
export function memoryOf({ memory }: Stores): ProcessMemory {
  const { rss, heapTotal, heapUsed, external } = Deno.memoryUsage();
  const { keptBytes: kept, lentBytes: inFlight, limitBytes: limit } = memory;
  return { rss, heapTotal, heapUsed, external, kept, inFlight, limit };
}

function namespaceRules(
  { core: { namespaces } }: Settings,
): ReturnType<typeof createNamespaces> {
  return createNamespaces({
    header: namespaces.header,
    credentials: namespaces.credentials.map(parseNamespaceRule),
    recipients: namespaces.recipients.map(parseNamespaceRule),
  });
}

/** Opens the export to the collector of the settings; without one, nothing is loaded. */
export async function openSpans(
  settings: Settings,
  context: SpanContext,
  undo: AsyncDisposableStack,
): Promise<CaptureSpans | undefined> {
  const { endpoint } = settings.core.otel;
  if (endpoint === undefined) return undefined;
  const { openOtel } = await import("./otel.ts");
  return undo.use(openOtel(settings, endpoint, context));
}
