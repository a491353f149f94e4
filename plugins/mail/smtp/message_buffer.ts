import { ByteGatherer } from "../../../core/bytes/gatherer.ts";
import { MemoryFullError } from "../../../core/errors.ts";
import type { MemoryLease } from "../../../core/memory/lease.ts";
import { SMALL_WORK, WORK_FACTOR } from "../../../core/memory/work.ts";

/**
 * Collects one message up to a limit, as far as there is memory. What goes over it is dropped along with all that came
 * before. Must be disposed of.
 */
export class MessageBuffer implements Disposable {
  readonly #maxBytes: number;
  readonly #kept: ByteGatherer;
  readonly #lease: MemoryLease | undefined;
  #total = 0;
  #shortage: MemoryFullError | undefined;

  /** Without a lease nothing is counted. */
  constructor(maxBytes: number, lease?: MemoryLease) {
    this.#maxBytes = maxBytes;
    this.#kept = new ByteGatherer(maxBytes);
    this.#lease = lease;
  }

  /** Octets seen, dropped ones included. */
  get total(): number {
    return this.#total;
  }

  /** Whether more came than is allowed. */
  get overflowed(): boolean {
    return this.#total > this.#maxBytes;
  }

  /** Why the message was dropped for want of memory, if it was. */
  get shortage(): MemoryFullError | undefined {
    return this.#shortage;
  }

  /** Makes room for a piece of at most so many octets. Nothing to wait for where there is; never rejects. */
  room(octets: number): Promise<void> | undefined {
    if (this.#isDropped || this.#total + octets > this.#maxBytes) return undefined;
    return this.#cover(this.#kept.bytesWith(octets));
  }

  /** Makes room for what is done with the whole message. The same. */
  roomToWork(): Promise<void> | undefined {
    return this.#total <= SMALL_WORK ? undefined : this.#cover(WORK_FACTOR * this.#total);
  }

  /** Copies `piece`. */
  add(piece: Uint8Array): void {
    this.#total += piece.length;
    if (this.#isDropped) this.#kept.clear();
    else this.#kept.append(piece);
  }

  /** The first `maxBytes` of what is held, for the record of a message that was cut off. */
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
