import type { SharedLogState, Writer } from "../shared_state.ts";
import type { CapturedEvent } from "./event.ts";

/** An event that has no place among the others yet: the log decides on their order. */
export type Placeless = Omit<CapturedEvent, "seq">;

/** A record of the log. */
export type LogRecord =
  | {
    readonly kind: "captured";
    readonly event: CapturedEvent;
    /** Time of the clock, in milliseconds; the event may have a later one, so that lists stay in order. */
    readonly ms: number;
    /** It was captured by another instance, or before a restart: nothing here counts it. */
    readonly elsewhere?: boolean;
  }
  /** Events captured elsewhere, or before a restart; their ids give their order. */
  | { readonly kind: "restored"; readonly events: readonly Placeless[] }
  /** Deleted events. */
  | { readonly kind: "deleted"; readonly ids: readonly string[] }
  /** The events of a plugin up to this one, which an instance dropped for lack of memory. */
  | { readonly kind: "evicted"; readonly plugin: string; readonly upTo: string }
  /** All events before this record: of one plugin, one namespace or both, where given. */
  | { readonly kind: "cleared"; readonly plugin?: string; readonly namespace?: string }
  /** All events before this record; instances that share the log also reset what each has for itself. */
  | { readonly kind: "reset" };

/** Receives each record once, in log order. */
export type LogFollower = (record: LogRecord) => void;

/**
 * What was captured and deleted, in order. The event store is a view of it: an event is held, listed and announced only
 * once the log has it, and instances that share a log have the same view.
 */
export interface EventLog {
  /** Whether it can be written; if not, reading this checks again. */
  readonly writable: boolean;
  /** Whether other instances write to it, so that readers must await `last` to see what those acknowledged. */
  readonly shared: boolean;
  /**
   * Passes the records in the log to the only follower, then each new record before its `append`
   * settles.
   */
  follow(follower: LogFollower): Promise<void> | undefined;
  /**
   * Resolves once the record is stored; returns `undefined` if it already is. Rejects with `LogWriteError`; the
   * follower does not get events then.
   */
  append(record: LogRecord): Promise<void> | undefined;
  /**
   * The follower no longer holds an event: its bytes are removed before a later `last` resolves.
   */
  trim(event: CapturedEvent): void;
  /**
   * The read barrier: resolves once everything that was stored before the call, by anyone, has been given to the
   * follower; returns `undefined` if that is so already. Rejects with `LogWriteError` if that cannot be found out, or
   * if a deletion cannot be stored.
   */
  last(): Promise<void> | undefined;
}

/** State of the engine that instances share. */
export interface EngineState {
  /** Address of the connected server, or of the last one. */
  readonly server: string;
  readonly connected: boolean;
  /** Messages of others that are not in the view of this instance yet. */
  readonly behind: number;
  /** Time since the engine last sent anything of the log; `behind` is of that moment. */
  readonly silentSeconds: number;
  /** Messages written by this instance. */
  readonly messages: number;
  /** Events in them. */
  readonly events: number;
  /** Sum of the times until they were stored, in seconds. */
  readonly seconds: number;
  /** The logs of plugins whose state instances share, by plugin. */
  readonly shared: ReadonlyMap<string, SharedLogState>;
  /** Instances that alone write the state of a plugin, by plugin; `undefined` if there is none now. */
  readonly writers: ReadonlyMap<string, Writer | undefined>;
}

/** The log of events in memory: it stores nothing itself. */
export class MemoryLog implements EventLog {
  readonly writable = true;
  readonly shared = false;
  #follower: LogFollower = () => {};

  follow(follower: LogFollower): undefined {
    this.#follower = follower;
  }

  append(record: LogRecord): undefined {
    this.#follower(record);
  }

  trim(): void {}

  last(): undefined {}
}
