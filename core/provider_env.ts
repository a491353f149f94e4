import type { BlobStore } from "./blobs/blob.ts";
import type { CapturedEvent, EventStore, NewEvent } from "./events/event.ts";
import type { NewRejected } from "./events/journal.ts";
import type { Fault, FaultSubject } from "./faults/outcome.ts";
import type { Logger } from "./log.ts";
import type { Memory } from "./memory/budget.ts";
import type { Net } from "./net/transport.ts";
import type { OptionSet, Values } from "./options/spec.ts";

/** What core lends to a plugin. Nothing is global, so two services run in one process. */
export interface PluginContext {
  /** Id of the plugin. */
  readonly plugin: string;
  /** Everything captured, of every plugin. */
  readonly events: EventStore;
  /** Where bytes of attachments and files go. */
  readonly blobs: BlobStore;
  /** What is held while it is received, or made, takes its room from here. */
  readonly memory: Memory;
  /** Lines for the person who runs the service. */
  readonly log: Logger;
  /** Folder for keys of the program's own; absent where none is known, or none is to be written. */
  readonly configFolder?: string;
  /** Folder of the configuration file; absent when the service was started without one. */
  readonly fileFolder?: string;
  /** Aborts when the service begins to stop: conversations that wait for their peer end then. */
  readonly signal: AbortSignal;
  /** Time of the injected clock. */
  now(): Date;
  /** A random UUID, the same in every run where the service was started with a seed. */
  uuid(): string;
  /** Absolute address of an event's page: `{ui_base}/ui/events/<id>`. */
  eventUrl(id: string): string;
  /** Absolute base address of the shared ingress, without a trailing slash. */
  ingressUrl(): string;
}

/** What a provider works with: its merged options, its plugin's state, its own, and ways to record. */
export interface ProviderEnv<O extends OptionSet, S, T = unknown> {
  /** Merged options. */
  readonly values: Values<O>;
  /** State of the plugin, shared by its providers. */
  readonly state: S;
  /** What the provider keeps between calls: what its `open` returned, once it did. */
  readonly store: T;
  /** What core lends. */
  readonly ctx: PluginContext;
  /** Sockets that a session opens itself. */
  readonly net: Net;
  /**
   * Records one item, which must not be acknowledged before `settled`. Core awaits that for an HTTP call, and names the
   * item in the answer's `X-Service-Event-Url`.
   */
  capture<P>(event: NewEvent<P>): CapturedEvent<P>;
  /**
   * Resolves when the log has the event, or with none given everything that was captured; `undefined` when it does
   * already. Rejects with `LogWriteError`: nothing is kept, and the client is refused as for a passing fault.
   */
  settled(event?: CapturedEvent): Promise<void> | undefined;
  /**
   * Notes a refused request or broken conversation in the rejected journal; it makes no event.
   * During an HTTP call, what is not given is taken from the call.
   */
  reject(record: RejectedNote): void;
  /**
   * The fault that a rule wants here, with a record of it in the journal unless it comes after a capture. Nothing, at
   * once, where no rule can apply; `subjects` is called only where one can. Of several, one that fits is enough.
   */
  fault(
    phase: string,
    subjects: () => readonly FaultSubject[],
    gone?: AbortSignal,
  ): Promise<Fault | undefined> | undefined;
}

/** What a provider says of something it refused. */
export type RejectedNote = Pick<NewRejected, "reason"> & Partial<Omit<NewRejected, "provider">>;
