import type { ApiState, ProcessMemory } from "../api/state.ts";
import { MemoryBlobStore } from "../blobs/memory.ts";
import type { Clock } from "../clock.ts";
import { compact } from "../compact.ts";
import type { CapturedEvent } from "../events/event.ts";
import { RejectedJournal, type RejectedRecord } from "../events/journal.ts";
import { createNamespaces, parseNamespaceRule } from "../events/namespace.ts";
import { withoutPeerPort, withoutPort } from "../events/peer_port.ts";
import { MemoryEventStore } from "../events/store.ts";
import { type NextId, timeOfId } from "../ids.ts";
import type { LogFields, Logger } from "../log.ts";
import { type Gauge, MemoryBudget } from "../memory/budget.ts";
import type { Settings } from "../options/settings.ts";

/** In-memory stores of a service, and their account. */
export interface Stores {
  readonly memory: MemoryBudget;
  readonly blobs: MemoryBlobStore;
  readonly events: MemoryEventStore;
  readonly rejected: RejectedJournal;
  /** Namespaces by sender. */
  readonly namespaceOf: ReturnType<typeof createNamespaces>;
}

/**
 * Opens the stores as the settings say; nothing is kept yet. Each item that is captured or refused gets a line in the
 * log.
 */
export function openStores(
  settings: Settings,
  { clock, nextId, seeded, log, gauge, pageUrl }: {
    clock: Clock;
    nextId: NextId;
    /** Nothing kept may differ from one run to the next. */
    seeded: boolean;
    log: Logger;
    gauge?: Gauge;
    /** Address of the pages of the user interface; `undefined` while it does not listen. */
    pageUrl: () => string | undefined;
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
      log.info("Dropped the oldest blobs no event names, to make room", { count, bytes }),
  });
  const namespaceOf = namespaceRules(settings);
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
    onCapture: (event) => log.info("Captured", aboutEvent(event, pageUrl())),
    onOversize: (plugin, why) => log.warn(OVERSIZE[why], { plugin }),
  });
  const rejected = new RejectedJournal({
    capacity: ingress.rejected_capacity,
    nextId,
    now: () => clock.now(),
    tally: events.tally,
    memory,
    onAdd: (record) => log.info("Refused", aboutRejected(record, pageUrl())),
    ...(seeded ? { peerOf: withoutPort } : {}),
  });
  return { memory, blobs, events, rejected, namespaceOf };
}

/**
 * Reads the events that were kept, where they outlast the program, and keeps those to come; the log is loaded only then.
 * Returns the first moment for new ids, in milliseconds: they sort behind those of the events. Rejects with
 * `ConfigError` for what cannot be used or read.
 */
export async function openLog(
  { core: { storage: { eventFolder: folder } } }: Settings,
  { blobs, events }: Stores,
  { log, undo }: { log: Logger; undo: AsyncDisposableStack },
): Promise<number> {
  if (folder === undefined) return 0;
  const { openFileLog } = await import("../persist/event_log.ts");
  await events.follow(undo.use(await openFileLog({ folder, blobs, log })));
  const [newest] = events.list({}, { limit: 1 });
  return newest === undefined ? 0 : timeOfId(newest.id) + 1;
}

/** As the report on health has it. */
export function describeStorage(
  { core: { storage: { events, eventFolder } } }: Settings,
): ApiState["storage"] {
  return { events, ...compact({ path: eventFolder }) };
}

const OVERSIZE = {
  bytes: "Dropped the oldest event: its plugin holds raw_limit bytes",
  memory: "Dropped the oldest event: memory_limit is reached, and its plugin holds most",
} as const;

function aboutEvent(event: CapturedEvent, pages: string | undefined): LogFields {
  return {
    id: event.id,
    provider: `${event.plugin}/${event.provider}`,
    namespace: event.namespace,
    summary: event.summary,
    url: pages && `${pages}/events/${event.id}`,
  };
}

/** Without the client's data: paths, arguments and headers may hold a password. */
function aboutRejected(record: RejectedRecord, pages: string | undefined): LogFields {
  return {
    id: record.id,
    provider: record.provider,
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
