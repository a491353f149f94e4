import type { CapturedEvent } from "./event.ts";
import type { DropReason } from "./tally.ts";

/** Bytes that an event costs besides its raw body: a rough figure for payload, headers and bookkeeping. */
const OVERHEAD = 2048;

/** The newest events of one plugin, oldest first, bounded by count and by bytes. */
export class Ring {
  /** Events from `#head` on; what lies before was evicted and is cut off now and then. */
  #events: CapturedEvent[] = [];
  #head = 0;
  #bytes = 0;
  /** How many held events have a raw body: the events of one request share it, so its bytes are counted once. */
  readonly #holders = new Map<Uint8Array, number>();
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
    return this.#events.length - this.#head;
  }

  /** Never evicts the event that is added, however large. `ms`: what the clock said, if not the same as the event. */
  add(event: CapturedEvent, ms: number = event.received_at.getTime()): void {
    this.#noteTime(event, ms);
    this.#charge(event);
    this.#events.push(event);
    while (this.count > this.#capacity) this.#evict("count");
    while (this.#bytes > this.#maxBytes && this.count > 1) this.#evict("bytes");
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
    return this.#events[this.#head + index];
  }

  delete(event: CapturedEvent): boolean {
    const index = this.#indexOf(event.seq);
    if (this.#events[index] !== event) return false;
    this.#events.splice(index, 1);
    this.#discharge(event);
    return true;
  }

  /** Empties the ring and returns what was held, oldest first. */
  clear(): CapturedEvent[] {
    const held = this.#events.slice(this.#head);
    this.#events = [];
    this.#head = 0;
    this.#bytes = 0;
    this.#steps = [];
    this.#holders.clear();
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
    const last = this.count === 0 ? undefined : this.#events.at(-1);
    if (last === undefined || ms >= this.#timeOf(last)) return;
    while (this.#steps.length > 0 && this.#steps.at(-1)!.ms >= ms) this.#steps.pop();
    this.#steps.push({ seq: last.seq, ms });
  }

  #evict(why: DropReason): void {
    const event = this.#events[this.#head]!;
    this.#head++;
    this.#discharge(event);
    // Cutting off half at a time keeps an eviction at constant cost on average.
    if (this.#head > 64 && this.#head * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#head);
      this.#head = 0;
    }
    this.#onEvict(event, why);
  }

  #charge({ raw: { body } }: CapturedEvent): void {
    const holders = this.#holders.get(body) ?? 0;
    this.#holders.set(body, holders + 1);
    this.#bytes += OVERHEAD + (holders === 0 ? body.byteLength : 0);
  }

  #discharge({ raw: { body } }: CapturedEvent): void {
    const holders = (this.#holders.get(body) ?? 1) - 1;
    if (holders > 0) this.#holders.set(body, holders);
    else this.#holders.delete(body);
    this.#bytes -= OVERHEAD + (holders === 0 ? body.byteLength : 0);
  }

  /** Binary search: events stand in order of `seq`. */
  #indexOf(seq: number): number {
    let low = this.#head;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#events[middle]!.seq < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
