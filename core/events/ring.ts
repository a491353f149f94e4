import type { CapturedEvent } from "./event.ts";
import type { DropReason } from "./tally.ts";

/** Bytes that an event costs besides its raw body: a rough figure for payload, headers and bookkeeping. */
const OVERHEAD = 2048;

/** Places at first; there are always a power of two of them. */
const PLACES = 16;

/** The newest events of one plugin, oldest first, bounded by count and by bytes. */
export class Ring {
  /**
   * The events held from `#first` on, round the end. Every other place is empty, also in an array that is given up: as
   * long as the collector has not got to it, what an old array names counts as alive and is moved among the old.
   */
  #places: (CapturedEvent | undefined)[] = [];
  #first = 0;
  #count = 0;
  #bytes = 0;
  /** How many held events have a large raw body: the events of one request share it, so its bytes are counted once. */
  #holders = new WeakMap<Uint8Array, number>();
  /** Where the clock stepped back: what was captured up to `seq` is as old as `ms` at least. Both rise. */
  #steps: { readonly seq: number; readonly ms: number }[] = [];
  /** What the clock said at events that bear a later time, so that no list goes back in time. */
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

  /** Never evicts the event that is added, however large. `ms`: what the clock said, if not the same as the event. */
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
   * Evicts, from the oldest on, what was captured before a moment, in milliseconds. What stands before an event is at
   * least as old, whatever the clock said then.
   */
  evictBefore(ms: number): void {
    for (let oldest = this.at(0); oldest !== undefined; oldest = this.at(0)) {
      while (this.#steps.length > 0 && this.#steps[0]!.seq < oldest.seq) this.#steps.shift();
      const stepMs = this.#steps[0]?.ms ?? Infinity;
      if (Math.min(this.#timeOf(oldest), stepMs) >= ms) return;
      this.#evict("age");
    }
  }

  /** `index` counts from the oldest. */
  at(index: number): CapturedEvent | undefined {
    if (index < 0 || index >= this.#count) return undefined;
    return this.#places[(this.#first + index) & (this.#places.length - 1)];
  }

  /** The event with this `seq`. */
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
    this.#steps = [];
    this.#holders = new WeakMap();
    return held;
  }

  /** Takes out what fits, and returns it, oldest first. */
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

  #charge({ raw: { body } }: CapturedEvent): void {
    this.#bytes += OVERHEAD;
    const holders = body.byteLength > OVERHEAD ? this.#holders.get(body) ?? 0 : 0;
    if (holders === 0) this.#bytes += body.byteLength;
    if (body.byteLength > OVERHEAD) this.#holders.set(body, holders + 1);
  }

  #discharge({ raw: { body } }: CapturedEvent): void {
    this.#bytes -= OVERHEAD;
    const left = body.byteLength > OVERHEAD ? (this.#holders.get(body) ?? 1) - 1 : 0;
    if (left === 0) this.#bytes -= body.byteLength;
    if (body.byteLength > OVERHEAD) this.#holders.set(body, left);
  }

  /** Binary search: events stand in order of `seq`. */
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
