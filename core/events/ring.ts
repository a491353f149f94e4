import type { CapturedEvent } from "./event.ts";
import {
  type Cost,
  costOf,
  costOfSmall,
  forgetTexts,
  hasGrown,
  OVERHEAD,
  type SharedTexts,
} from "./cost.ts";
import type { DropReason } from "./tally.ts";

/** Initial number of places; it is always a power of two. */
const PLACES = 16;

/** The newest events of one plugin, oldest first, limited by count and by bytes. */
export class Ring {
  /**
   * The events held, from `#first` on, in a ring. Every other place is empty, also in a discarded array: until it is
   * collected, its events count as alive and would be promoted to old space.
   */
  #places: (CapturedEvent | undefined)[] = [];
  #first = 0;
  #count = 0;
  #bytes = 0;
  #memory = 0;
  /** Cost by large raw body: the events of one request share it, so its bytes count once. */
  #shared = new WeakMap<Uint8Array, SharedTexts & { holders: number }>();
  /** Cost of events with large raw bodies, besides what they share. */
  readonly #costs = new WeakMap<CapturedEvent, Cost>();
  /** Backward steps of the clock: events up to `seq` are at least as old as `ms`. Both increase. */
  #steps: { readonly seq: number; readonly ms: number }[] = [];
  /** Clock time of events that were given a later time, so that lists stay in order. */
  readonly #behind = new WeakMap<CapturedEvent, number>();
  readonly #capacity: number;
  readonly #maxBytes: number;
  readonly #onEvict: (event: CapturedEvent, why: DropReason) => void;

  constructor(options: {
    capacity: number;
    maxBytes: number;
    onEvict: (event: CapturedEvent, why: DropReason) => void;
  }) {
    this.#capacity = options.capacity;
    this.#maxBytes = options.maxBytes;
    this.#onEvict = options.onEvict;
  }

  get count(): number {
    return this.#count;
  }

  /** Cost of the held events in bytes, with raw bodies and payloads: an estimate. */
  get memoryBytes(): number {
    return this.#memory;
  }

  /** Never evicts the added event, however large. `ms` is the clock time, if it differs from that of the event. */
  add(event: CapturedEvent, ms: number = event.received_at.getTime()): void {
    this.#noteTime(event, ms);
    this.#charge(event);
    if (this.#count === this.#places.length) this.#grow();
    this.#count++;
    this.#put(this.#count - 1, event);
    while (this.#count > this.#capacity) this.#evict("count");
    while (this.#bytes > this.#maxBytes && this.#count > 1) this.#evict("bytes");
  }

  /**
   * Evicts the events captured before a moment, in milliseconds. Events before another are at least as old, whatever the
   * clock said then.
   */
  evictBefore(ms: number): void {
    for (let oldest = this.at(0); oldest !== undefined; oldest = this.at(0)) {
      while (this.#steps.length > 0 && this.#steps[0]!.seq < oldest.seq) this.#steps.shift();
      const stepMs = this.#steps[0]?.ms ?? Infinity;
      if (Math.min(this.#timeOf(oldest), stepMs) >= ms) return;
      this.#evict("age");
    }
  }

  /** Evicts the oldest event to free memory; there must be one. */
  evictOldest(): void {
    this.#evict("memory");
  }

  /** Evicts the events up to this `seq`, which another instance evicted. */
  evictUpTo(seq: number): void {
    for (let oldest = this.at(0); oldest !== undefined && oldest.seq <= seq; oldest = this.at(0)) {
      this.#evict("elsewhere");
    }
  }

  /** `index` counts from the oldest. */
  at(index: number): CapturedEvent | undefined {
    if (index < 0 || index >= this.#count) return undefined;
    return this.#places[(this.#first + index) & (this.#places.length - 1)];
  }

  /** Yields the events with a later `seq`. */
  *after(seq: number): Generator<CapturedEvent> {
    for (let index = this.#indexOf(seq + 1); index < this.#count; index++) yield this.at(index)!;
  }

  /** Returns the event with this `seq`. */
  find(seq: number): CapturedEvent | undefined {
    const event = this.at(this.#indexOf(seq));
    return event?.seq === seq ? event : undefined;
  }

  delete(event: CapturedEvent): boolean {
    const index = this.#indexOf(event.seq);
    if (this.at(index) !== event) return false;
    for (let i = index; i < this.#count; i++) this.#put(i, this.at(i + 1));
    this.#count--;
    this.#discharge(event);
    return true;
  }

  /** Empties the ring and returns what was held, oldest first. */
  clear(): CapturedEvent[] {
    const held = this.#held();
    this.#places.fill(undefined);
    this.#places = [];
    this.#first = 0;
    this.#count = 0;
    this.#bytes = 0;
    this.#memory = 0;
    this.#steps = [];
    this.#shared = new WeakMap();
    return held;
  }

  /** Removes the matching events, and returns them, oldest first. */
  take(fits: (event: CapturedEvent) => boolean): CapturedEvent[] {
    const held = this.clear();
    for (const event of held) if (!fits(event)) this.add(event, this.#timeOf(event));
    return held.filter(fits);
  }

  #timeOf(event: CapturedEvent): number {
    return this.#behind.get(event) ?? event.received_at.getTime();
  }

  #noteTime(event: CapturedEvent, ms: number): void {
    if (ms !== event.received_at.getTime()) this.#behind.set(event, ms);
    const last = this.at(this.#count - 1);
    if (last === undefined || ms >= this.#timeOf(last)) return;
    while (this.#steps.length > 0 && this.#steps.at(-1)!.ms >= ms) this.#steps.pop();
    this.#steps.push({ seq: last.seq, ms });
  }

  #evict(why: DropReason): void {
    const event = this.at(0)!;
    this.#put(0, undefined);
    this.#first = (this.#first + 1) & (this.#places.length - 1);
    this.#count--;
    this.#discharge(event);
    this.#onEvict(event, why);
  }

  #put(index: number, event: CapturedEvent | undefined): void {
    this.#places[(this.#first + index) & (this.#places.length - 1)] = event;
  }

  #held(): CapturedEvent[] {
    return Array.from({ length: this.#count }, (_, index) => this.at(index)!);
  }

  #grow(): void {
    const held = this.#held();
    this.#places.fill(undefined);
    this.#places = new Array(Math.max(PLACES, held.length * 2)).fill(undefined);
    this.#first = 0;
    for (const [index, event] of held.entries()) this.#places[index] = event;
  }

  #charge(event: CapturedEvent): void {
    const { body } = event.raw;
    this.#bytes += OVERHEAD;
    if (body.byteLength <= OVERHEAD && !hasGrown(event)) {
      this.#bytes += body.byteLength;
      this.#memory += costOfSmall(event);
      return;
    }
    const shared = this.#shared.get(body) ?? { holders: 0, bytes: 0 };
    const before = shared.bytes;
    const cost = costOf(event, shared);
    this.#memory += cost.bytes + shared.bytes - before;
    this.#costs.set(event, cost);
    if (shared.holders++ > 0) return;
    this.#shared.set(body, shared);
    this.#bytes += body.byteLength;
    this.#memory += body.byteLength;
  }

  #discharge(event: CapturedEvent): void {
    const { body } = event.raw;
    this.#bytes -= OVERHEAD;
    const cost = this.#costs.get(event);
    if (cost === undefined) {
      this.#bytes -= body.byteLength;
      this.#memory -= costOfSmall(event);
      return;
    }
    this.#memory -= cost.bytes;
    const shared = this.#shared.get(body);
    if (shared === undefined) return;
    const before = shared.bytes;
    forgetTexts(cost, shared);
    this.#memory -= before - shared.bytes;
    if (--shared.holders > 0) return;
    this.#shared.delete(body);
    this.#bytes -= body.byteLength;
    this.#memory -= body.byteLength + shared.bytes;
  }

  /** Binary search: events are in order of `seq`. */
  #indexOf(seq: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(middle)!.seq < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
