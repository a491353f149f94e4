/** All calls held, within limits. */
import type { Holding } from "../memory/budget.ts";
import type { Call, StoredCall } from "./call.ts";

/** Stores calls across restarts. */
export interface CallKeeper {
  /** Returns everything stored, oldest first. */
  load(): readonly StoredCall[];
  /** Stores a call, or its new state. */
  save(call: StoredCall): void;
  remove(ids: readonly string[]): void;
}

/** What a shared keeper does with calls of other instances. */
export interface SharedCallHooks {
  /** Makes calls that another instance has left, oldest first; resolves with whether there was room for all. */
  adopt(calls: readonly StoredCall[]): Promise<boolean>;
  /** Forgets calls that another instance makes from now on. */
  release(ids: readonly string[]): void;
}

/** A keeper whose unfinished calls are made by another instance when this one is gone. */
export interface SharedCallKeeper extends CallKeeper {
  /** Begins to track the calls of all instances. Rejects with `ConfigError`. */
  start(hooks: SharedCallHooks): Promise<void>;
  /**
   * Resolves once no other instance can be making the calls held here: those taken over were
   * released by then. `undefined` if that is certain already.
   */
  confirmed(): Promise<void> | undefined;
}

/** Limits of a ledger. */
export interface LedgerBounds {
  /** Maximum number of unfinished calls. */
  readonly pending: number;
  /** Maximum of their bytes. */
  readonly pendingBytes: number;
  /** Maximum number of all calls; the oldest finished ones are dropped first. */
  readonly calls: number;
  /** Maximum bytes of all calls. */
  readonly bytes: number;
}

/** Holds calls by id, in order. */
export class Ledger {
  readonly #bounds: LedgerBounds;
  readonly #keeper: CallKeeper | undefined;
  readonly #holding: Holding | undefined;
  readonly #calls = new Map<string, Call>();
  readonly #byEvent = new Map<string, Set<Call>>();
  readonly #costs = new Map<Call, number>();
  #bytes = 0;
  #pending = 0;
  #pendingBytes = 0;

  constructor(
    bounds: LedgerBounds,
    { keeper, holding }: {
      keeper?: CallKeeper | undefined;
      /** Account of the bytes held. */
      holding?: Holding | undefined;
    } = {},
  ) {
    this.#bounds = bounds;
    this.#keeper = keeper;
    this.#holding = holding;
  }

  /** Number of unfinished calls. */
  get pending(): number {
    return this.#pending;
  }

  /** Returns whether another call with a body of this size can wait. */
  hasRoom(bytes: number): boolean {
    return this.#pending < this.#bounds.pending &&
      this.#pendingBytes + bytes <= this.#bounds.pendingBytes;
  }

  add(call: Call): void {
    this.#calls.set(call.id, call);
    const { event } = call.owner;
    if (event !== undefined) {
      const siblings = this.#byEvent.get(event.id);
      if (siblings === undefined) this.#byEvent.set(event.id, new Set([call]));
      else siblings.add(call);
    }
    if (!call.isOver) {
      this.#pending++;
      this.#pendingBytes += call.size;
    }
    this.#account(call);
    this.#keeper?.save(call);
    this.#evict();
  }

  /** Updates a changed call; `isOver` if it has just ended. */
  changed(call: Call, { isOver = false } = {}): void {
    if (!this.#calls.has(call.id)) return;
    if (isOver) {
      this.#pending--;
      this.#pendingBytes -= call.size;
    }
    this.#account(call);
    this.#keeper?.save(call);
    this.#evict();
  }

  get(id: string): Call | undefined {
    return this.#calls.get(id);
  }

  /** Returns the calls of one event, or all; oldest first. */
  list(event?: string): readonly Call[] {
    return [...(event === undefined ? this.#calls.values() : this.#byEvent.get(event) ?? [])];
  }

  remove(calls: readonly Call[]): void {
    const held = calls.filter(({ id }) => this.#calls.has(id));
    for (const call of held) {
      this.#calls.delete(call.id);
      const { event } = call.owner;
      const siblings = event === undefined ? undefined : this.#byEvent.get(event.id);
      siblings?.delete(call);
      if (event !== undefined && siblings?.size === 0) this.#byEvent.delete(event.id);
      this.#bytes -= this.#costs.get(call) ?? 0;
      this.#costs.delete(call);
    }
    if (held.length === 0) return;
    this.#keeper?.remove(held.map(({ id }) => id));
    this.#holding?.set(this.#bytes);
  }

  #account(call: Call): void {
    this.#bytes += call.cost - (this.#costs.get(call) ?? 0);
    this.#costs.set(call, call.cost);
    this.#holding?.set(this.#bytes);
  }

  #evict(): void {
    const { calls, bytes } = this.#bounds;
    if (this.#calls.size <= calls && this.#bytes <= bytes) return;
    for (const call of this.#calls.values()) {
      if (this.#calls.size <= calls && this.#bytes <= bytes) return;
      if (call.isOver) this.remove([call]);
    }
  }
}
