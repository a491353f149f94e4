import type { BlobStore } from "./blobs/blob.ts";
import type { CapturedEvent, EventStore, NewEvent } from "./events/event.ts";
import type { NewRejected } from "./events/journal.ts";
import type { Client, Fault, FaultSubject } from "./faults/outcome.ts";
import type { Logger } from "./log.ts";
import type { Memory } from "./memory/budget.ts";
import type { Net } from "./net/transport.ts";
import type { OptionSet, Values } from "./options/spec.ts";

/** Environment of a plugin. Nothing is global, so two services can run in one process. */
export interface PluginContext {
  /** Id of the plugin. */
  readonly plugin: string;
  /** All captured events, of every plugin. */
  readonly events: EventStore;
  /** Store for the bytes of attachments and files. */
  readonly blobs: BlobStore;
  /** Budget for bytes while they are received or created. */
  readonly memory: Memory;
  /** Log for the person who runs the service. */
  readonly log: Logger;
  /** Folder for generated keys; absent if they are not stored. */
  readonly configFolder?: string;
  /** Folder of the configuration file; absent without one. */
  readonly fileFolder?: string;
  /** Whether the application is called back. */
  readonly callsBack?: boolean;
  /** Aborts when the service starts to stop: conversations that wait for their peer end then. */
  readonly signal: AbortSignal;
  /** Time of the injected clock. */
  now(): Date;
  /** Returns a random UUID, the same in every run of a service with a seed. */
  uuid(): string;
  /** Returns the absolute URL of an event's page: `{ui_base}/ui/events/<id>`. */
  eventUrl(id: string): string;
  /** Returns the absolute base URL of the shared ingress, without a trailing slash. */
  ingressUrl(): string;
}

/** Environment of a provider: its merged options, the state of its plugin and its own, and ways to record. */
export interface ProviderEnv<O extends OptionSet, S, T = unknown> {
  /** Merged options. */
  readonly values: Values<O>;
  /** State of the plugin, shared by its providers. */
  readonly state: S;
  /** The result of its `open`: its state between calls. */
  readonly store: T;
  /** Environment of its plugin. */
  readonly ctx: PluginContext;
  /** Sockets that a session opens itself. */
  readonly net: Net;
  /**
   * Records one item, which must not be acknowledged before `settled`. For an HTTP call core awaits that, and names the
   * item in the response's `X-Service-Event-Url`.
   */
  capture<P>(event: NewEvent<P>): CapturedEvent<P>;
  /**
   * Plans the calls that the vendor makes unprompted about an event that another part of the plugin captured, such as a
   * route of the API. Does nothing while callbacks are off.
   */
  announce(event: CapturedEvent): void;
  /**
   * Resolves when the log has the event, or by default everything captured so far; `undefined` if it already has.
   * Rejects with `LogWriteError`: nothing is kept, and the client gets a temporary error.
   */
  settled(event?: CapturedEvent): Promise<void> | undefined;
  /** Reports that the sender canceled a captured item: the vendor's calls about it that wait are not made. */
  canceled(event: CapturedEvent): void;
  /**
   * Records a refused request or broken conversation in the journal of refusals; it makes no event. During an HTTP
   * call, omitted fields are those of the call.
   */
  reject(record: RejectedNote): void;
  /**
   * Returns the fault of a rule that applies here, and records it in the journal unless it follows a capture. Returns
   * nothing, synchronously, if no rule can apply; calls `subjects` only if one can. One matching subject is enough.
   * A delay ends when `client`, the connection or the call, is gone.
   */
  fault(
    phase: string,
    subjects: () => readonly FaultSubject[],
    client?: Client,
  ): Promise<Fault | undefined> | undefined;
}

/** A refusal, as a provider reports it. */
export type RejectedNote = Pick<NewRejected, "reason"> & Partial<Omit<NewRejected, "provider">>;
