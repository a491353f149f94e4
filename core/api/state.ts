import type { KnownPlugin } from "../bundle/read.ts";
import type { BlobRef, BlobStore } from "../blobs/blob.ts";
import type { CapturedEvent, EventFilter, EventStore, StreamItem } from "../events/event.ts";
import type { EngineState } from "../events/log.ts";
import type { CallbackDesk } from "../app/callbacks.ts";
import type { ExpectationHistory, ExpectationRecord } from "../expect/history.ts";
import type { Faults } from "../faults/engine.ts";
import type { FaultPlace } from "../faults/places.ts";
import type { RejectedJournal } from "../events/journal.ts";
import type { StoryIndex } from "../stories/stories.ts";
import type { Tally } from "../events/tally.ts";
import type { Memory } from "../memory/budget.ts";
import type { SpanCounts } from "../otel/exporter.ts";
import type { OpenApiObject } from "../http/openapi.ts";
import type { PluginInfo } from "./describe.ts";
import type { Readiness } from "./ready.ts";

/** State of the service's own read-back routes. */
export interface ApiState {
  readonly version: string;
  readonly startedAt: Date;
  now(): Date;
  readonly events: EventStore;
  /** Like `events.subscribe`, for readers that take several items at a time. */
  follow(filter: EventFilter, options: { signal: AbortSignal; after?: string }): EventReader;
  readonly blobs: BlobStore;
  readonly rejected: RejectedJournal;
  /** Expectations that ran. */
  readonly expectations: ExpectationHistory;
  /** Rules by which providers fail. */
  readonly faults: Faults;
  /** Outcomes of each running provider. */
  readonly faultPlaces: readonly FaultPlace[];
  /** Calls to the application. */
  readonly callbacks: CallbackDesk;
  /** Spans sent to a collector; `undefined` without one. */
  spans(): SpanCounts | undefined;
  /** Finds the events of one flow. */
  readonly stories: StoryIndex;
  /** Aborts when the service stops, which ends streams. */
  readonly signal: AbortSignal;
  readonly enabledPlugins: readonly string[];
  /** Describes plugins on the live ports; `all` includes disabled ones. */
  describe(all: boolean): readonly PluginInfo[];
  reset(): Promise<void>;
  /** Returns the absolute address of an event's page. */
  eventUrl(id: string): string;
  /** Describes one enabled plugin's routes, or the service's own. */
  openApi(plugin?: string): OpenApiObject | undefined;
  /** Returns the CA that clients must trust, PEM; `undefined` for a certificate of the user. */
  ca(): Promise<string | undefined>;
  /** Returns whether every listener takes connections, and its address. */
  readiness(): Readiness;
  /** Where events are stored. */
  readonly storage: {
    readonly events: "memory" | "filesystem" | "nats";
    readonly path?: string;
    readonly servers?: readonly string[];
  };
  /** State of the engine that instances share; `undefined` without one. */
  engine(): EngineState | undefined;
  /** Counters of captured, dropped and refused items since the start. */
  readonly tally: Tally;
  /** Bytes of attachments held in memory. */
  blobBytes(): number;
  /** Budget for received data. */
  readonly budget: Memory;
  /** Memory of the process, in bytes. */
  memory(): ProcessMemory;
  /** Adds events that were captured elsewhere. */
  readonly restoring: Restoring;
}

/** Reads items of the event store as they arrive. */
export interface EventReader {
  /** Resolves when there are items, or after `nudge`; false at the end. */
  ready(): Promise<boolean>;
  /** Takes the available items in order, until their raw bodies reach `bytes`. */
  take(bytes: number): readonly StreamItem[];
  /** Ends the wait of `ready`. */
  nudge(): void;
}

/** Memory use of the process, in bytes. */
export interface ProcessMemory {
  /** Total of the process. */
  readonly rss: number;
  /** Size of the JavaScript heap, including free space. */
  readonly heapTotal: number;
  /** Used part of the heap. */
  readonly heapUsed: number;
  /** Outside the heap but owned by objects in it, such as buffers. */
  readonly external: number;
  /** Budget used by stored data: events, attachments, files, rejected requests. */
  readonly kept: number;
  /** Budget used by data being received or answered. */
  readonly inFlight: number;
  /** Limit of the sum of both. */
  readonly limit: number;
}

/** Access to the stores for items that have an id already. */
export interface Restoring {
  /** Whether ids repeat in every run, so that an import may clash. */
  readonly seeded: boolean;
  /** The running plugins, with the rules for their events. */
  readonly plugins: readonly KnownPlugin[];
  /** Stores bytes under their old id. Throws `StoreFullError`. */
  blob(ref: BlobRef, bytes: Uint8Array): void;
  /** Imports records of expectations that ran elsewhere. */
  expectations(records: readonly ExpectationRecord[]): void;
  /** Inserts events in order; returns how many were kept. Rejects with `LogWriteError`. */
  events(events: readonly Omit<CapturedEvent, "seq">[]): number | Promise<number>;
}
