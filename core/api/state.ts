import type { KnownPlugin } from "../bundle/read.ts";
import type { BlobRef, BlobStore } from "../blobs/blob.ts";
import type { CapturedEvent, EventFilter, EventStore, StreamItem } from "../events/event.ts";
import type { Faults } from "../faults/engine.ts";
import type { FaultPlace } from "../faults/places.ts";
import type { RejectedJournal } from "../events/journal.ts";
import type { Tally } from "../events/tally.ts";
import type { Memory } from "../memory/budget.ts";
import type { OpenApiObject } from "../http/openapi.ts";
import type { PluginInfo } from "./describe.ts";
import type { Readiness } from "./ready.ts";

/** What the service's own read-back routes work on. */
export interface ApiState {
  readonly version: string;
  readonly startedAt: Date;
  now(): Date;
  readonly events: EventStore;
  /** Like `events.subscribe`, for readers that take more than one item at a time. */
  follow(filter: EventFilter, options: { signal: AbortSignal; after?: string }): EventReader;
  readonly blobs: BlobStore;
  readonly rejected: RejectedJournal;
  /** Rules by which providers fail. */
  readonly faults: Faults;
  /** What can go wrong with each provider that runs. */
  readonly faultPlaces: readonly FaultPlace[];
  /** Aborts when the service stops; streams then end. */
  readonly signal: AbortSignal;
  readonly enabledPlugins: readonly string[];
  /** Descriptions rendered on the live ports; `all` adds what is disabled. */
  describe(all: boolean): readonly PluginInfo[];
  reset(): Promise<void>;
  /** Absolute address of an event's page. */
  eventUrl(id: string): string;
  /** Description of one enabled plugin's routes, or of the service's own. */
  openApi(plugin?: string): OpenApiObject | undefined;
  /** CA that clients must trust, PEM; `undefined` when the certificate was not made here. */
  ca(): Promise<string | undefined>;
  /** Whether every listener takes connections, and where. */
  readiness(): Readiness;
  /** Where events are kept. */
  readonly storage: { readonly events: "memory" | "filesystem"; readonly path?: string };
  /** What was captured, dropped and refused since the start. */
  readonly tally: Tally;
  /** Bytes of attachments held in memory. */
  blobBytes(): number;
  /** Where room is taken from for what is received. */
  readonly budget: Memory;
  /** Memory of the process, in bytes. */
  memory(): ProcessMemory;
  /** Takes what was captured elsewhere. */
  readonly restoring: Restoring;
}

/** Items of the event store as they come. */
export interface EventReader {
  /** Resolves when there is something to take, or after `nudge`; false at the end. */
  ready(): Promise<boolean>;
  /** Takes what is there, in order, up to the item with which the bodies as received have `bytes` together. */
  take(bytes: number): readonly StreamItem[];
  /** Ends the wait of `ready`. */
  nudge(): void;
}

/** Where the memory of the process is, in bytes. */
export interface ProcessMemory {
  /** In use by the process altogether. */
  readonly rss: number;
  /** Taken by the heap of JavaScript, free places in it included. */
  readonly heapTotal: number;
  /** Of those, in use. */
  readonly heapUsed: number;
  /** Outside the heap and owned by objects in it, such as buffers. */
  readonly external: number;
  /** Counted as kept: events, attachments and files, refused requests. */
  readonly kept: number;
  /** Counted as in flight: what is being received or answered. */
  readonly inFlight: number;
  /** What both may be together. */
  readonly limit: number;
}

/** Ways into the stores for what has an id already. */
export interface Restoring {
  /** Whether ids are the same in every run, so that those of another run may come again. */
  readonly seeded: boolean;
  /** The plugins that run, with what an event of each may be. */
  readonly plugins: readonly KnownPlugin[];
  /** Keeps bytes under the id they had, named once. Throws `StoreFullError`. */
  blob(ref: BlobRef, bytes: Uint8Array): void;
  /** Puts events in their places; returns how many of them are held then. Rejects with `LogWriteError`. */
  events(events: readonly Omit<CapturedEvent, "seq">[]): number | Promise<number>;
}
