import { ByteGatherer } from "../../../core/bytes/gatherer.ts";
import { MemoryFullError } from "../../../core/errors.ts";
import type { MemoryLease } from "../../../core/memory/lease.ts";
import { SMALL_WORK, WORK_FACTOR } from "../../../core/memory/size.ts";

/**
 * Collects one message up to a limit, and while there is memory. Beyond that, everything is dropped, including what was
 * collected. Must be disposed of.
 */
export class MessageBuffer implements Disposable {
  readonly #maxBytes: number;
  readonly #kept: ByteGatherer;
  readonly #lease: MemoryLease | undefined;
  #total = 0;
  #shortage: MemoryFullError | undefined;

  /** Without a lease, memory is not counted. */
  constructor(maxBytes: number, lease?: MemoryLease) {
    this.#maxBytes = maxBytes;
    this.#kept = new ByteGatherer(maxBytes);
    this.#lease = lease;
  }

  /** Number of octets added, including dropped ones. */
  get total(): number {
    return this.#total;
  }

  /** Whether the message is over the limit. */
  get overflowed(): boolean {
    return this.#total > this.#maxBytes;
  }

  /** Set if the message was dropped for lack of memory. */
  get shortage(): MemoryFullError | undefined {
    return this.#shortage;
  }

  /**
   * Reserves memory for a chunk of at most `octets`. Returns `undefined` if there is nothing to await; never rejects.
   */
  room(octets: number): Promise<void> | undefined {
    const isKept = !this.#isDropped && this.#total + octets <= this.#maxBytes;
    const covered = isKept ? this.#cover(this.#kept.bytesWith(octets)) : undefined;
    // The chunk itself is garbage once it has been copied.
    return covered ?? this.#lease?.waste(octets);
  }

  /** Reserves memory for decoding the whole message, in the same way. */
  roomToWork(): Promise<void> | undefined {
    return this.#total <= SMALL_WORK ? undefined : this.#cover(WORK_FACTOR * this.#total);
  }

  /** Copies `chunk`. */
  add(chunk: Uint8Array): void {
    this.#total += chunk.length;
    if (this.#isDropped) this.#kept.clear();
    else this.#kept.append(chunk);
  }

  /** Returns a copy of the first `maxBytes`, to record a truncated message. */
  head(maxBytes: number): Uint8Array {
    return this.#kept.view(maxBytes).slice();
  }

  /** Returns the message in a buffer of exactly its size and empties this one; its memory stays counted. */
  take(): Uint8Array<ArrayBuffer> {
    this.#total = 0;
    return this.#kept.take();
  }

  [Symbol.dispose](): void {
    this.#lease?.[Symbol.dispose]();
  }

  get #isDropped(): boolean {
    return this.overflowed || this.#shortage !== undefined;
  }

  #cover(bytes: number): Promise<void> | undefined {
    return this.#lease?.cover(bytes)?.catch((error) => {
      if (!(error instanceof MemoryFullError)) throw error;
      this.#shortage = error;
      this.#kept.clear();
      this.#lease?.give(this.#lease.bytes);
    });
  }
}
