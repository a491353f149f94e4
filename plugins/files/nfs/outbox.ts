import { MemoryFullError } from "../../../core/errors.ts";
import type { Memory } from "../../../core/memory/budget.ts";
import type { MemoryLease } from "../../../core/memory/lease.ts";
import type { Reply } from "./codec/rpc.ts";
import type { Transport } from "../../../core/net/transport.ts";

/** Chunks up to this size are copied, to be sent together; longer ones must not change until they are sent. */
export const COPIED_BYTES = 16 * 1024;
/** Initial and largest size of the buffer for joined chunks. */
const [FIRST_BYTES, JOINED_BYTES] = [1024, 64 * 1024] as const;
/** Limits of unsent or unfinished replies before no more calls are accepted. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const MAX_CALLS = 64;
/** Waiting bytes that are not worth counting. */
const UNCOUNTED_BYTES = 64 * 1024;
const WRITE_IDLE_MS = 60_000;

/** Sends replies in the order in which they are ready, and applies back-pressure. */
export class Outbox {
  readonly #wire: Transport;
  /** Queued chunks, followed by the joined ones. */
  readonly #chunks: Uint8Array[] = [];
  #joined = new Uint8Array(FIRST_BYTES);
  #joinedBytes = 0;
  /** Buffer of the current write, if it was of joined chunks: reused for the next ones. */
  #lent: Uint8Array<ArrayBuffer> | undefined;
  #spare: Uint8Array<ArrayBuffer> | undefined;
  #waitingBytes = 0;
  /** Bytes that are read for replies. */
  #comingBytes = 0;
  /** Memory of both; less than that while there is none. */
  readonly #lease: MemoryLease;
  #writingBytes = 0;
  /** All bytes queued so far, and those that have been sent. */
  #queued = 0;
  #sent = 0;
  /** Loans of bytes that are queued, with the number of queued bytes at their ends. */
  readonly #loans: { readonly end: number; readonly loan: Disposable }[] = [];
  #calls = 0;
  #failure: unknown;
  #eased: PromiseWithResolvers<void> | undefined;

  constructor(wire: Transport, memory: Memory) {
    this.#wire = wire;
    this.#lease = memory.lease();
  }

  /** Whether callers must wait for `room` before the next call. */
  get full(): boolean {
    return this.#failure !== undefined || this.#calls >= MAX_CALLS ||
      this.#heldBytes >= MAX_WAITING_BYTES ||
      this.#waitingBytes > 0 && this.#lease.bytes + UNCOUNTED_BYTES < this.#heldBytes;
  }

  get #heldBytes(): number {
    return this.#waitingBytes + this.#comingBytes;
  }

  /**
   * Takes the memory of bytes that are read for a reply. Nothing to wait for if there is enough; else it waits, and rejects
   * with `MemoryFullError` if there is none in time. `arrived` is to be called in any case.
   */
  hold(bytes: number): Promise<void> | undefined {
    this.#comingBytes += bytes;
    return this.#heldBytes > UNCOUNTED_BYTES ? this.#lease.cover(this.#heldBytes) : undefined;
  }

  /** Ends the claim of `hold`: the bytes are now queued, or will never be. */
  arrived(bytes: number): void {
    this.#comingBytes -= bytes;
  }

  /** Releases its memory. */
  [Symbol.dispose](): void {
    this.#lease[Symbol.dispose]();
  }

  /** Resolves when another call may be accepted. Rejects if nothing can be sent. */
  async room(): Promise<void> {
    while (this.#failure === undefined && this.full) await this.#change();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Sends a reply once it is ready; `loan` returns the loan of its bytes. */
  expect(reply: Promise<Reply>, loan?: () => Disposable | undefined): void {
    this.#calls++;
    reply.then((chunks) => {
      this.add(chunks, loan?.());
      this.flush();
    }, (error) => this.#fail(error)).finally(() => {
      this.#calls--;
      this.#ease();
    });
  }

  /** Queues a reply for the next `flush`. Ends the loan of its bytes once they are sent. */
  add(reply: Reply, loan?: Disposable): void {
    if (this.#failure !== undefined) return;
    for (const chunk of reply) {
      this.#waitingBytes += chunk.length;
      this.#queued += chunk.length;
      if (chunk.length <= COPIED_BYTES) this.#join(chunk);
      else {
        this.#seal();
        this.#chunks.push(chunk);
      }
    }
    if (loan !== undefined) this.#loans.push({ end: this.#queued, loan });
    if (this.#heldBytes > this.#lease.bytes + UNCOUNTED_BYTES) this.#cover();
  }

  /** Takes the memory of what waits, if there is enough. */
  #cover(): void {
    try {
      this.#lease.take(this.#heldBytes - this.#lease.bytes);
    } catch (error) {
      if (!(error instanceof MemoryFullError)) throw error;
    }
  }

  /** Sends the queue. */
  flush(): void {
    if (this.#writingBytes > 0 || this.#waitingBytes === 0) return;
    const bytes = this.#chunks.shift() ?? this.#lend();
    this.#writingBytes = bytes.length;
    this.#wire.write(bytes, { idleMs: WRITE_IDLE_MS }).then(this.#wrote, this.#fail);
  }

  /** Resolves when every reply has been sent, including those that are not ready yet. */
  async end(): Promise<void> {
    this.flush();
    while (this.#failure === undefined && (this.#calls > 0 || this.#waitingBytes > 0)) {
      await this.#change();
    }
  }

  /** Appends a chunk to the joined ones. */
  #join(chunk: Uint8Array): void {
    const needed = this.#joinedBytes + chunk.length;
    if (needed > JOINED_BYTES) {
      this.#seal();
      return this.#join(chunk);
    }
    if (needed > this.#joined.length) {
      const grown = new Uint8Array(
        Math.min(JOINED_BYTES, Math.max(2 * this.#joined.length, needed)),
      );
      grown.set(this.#joined.subarray(0, this.#joinedBytes));
      this.#joined = grown;
    }
    this.#joined.set(chunk, this.#joinedBytes);
    this.#joinedBytes = needed;
  }

  /** Ends the joined chunks, because another kind follows. */
  #seal(): void {
    if (this.#joinedBytes === 0) return;
    this.#chunks.push(this.#joined.subarray(0, this.#joinedBytes));
    this.#joined = new Uint8Array(FIRST_BYTES);
    this.#joinedBytes = 0;
  }

  /** Returns the joined chunks, whose buffer is free once they are written. */
  #lend(): Uint8Array {
    const bytes = this.#joined.subarray(0, this.#joinedBytes);
    this.#lent = this.#joined;
    this.#joined = this.#spare ?? new Uint8Array(FIRST_BYTES);
    this.#spare = undefined;
    this.#joinedBytes = 0;
    return bytes;
  }

  readonly #wrote = (): void => {
    this.#waitingBytes -= this.#writingBytes;
    this.#sent += this.#writingBytes;
    this.#writingBytes = 0;
    while (this.#loans.length > 0 && this.#loans[0]!.end <= this.#sent) {
      this.#loans.shift()!.loan[Symbol.dispose]();
    }
    const spare = this.#lease.bytes - this.#heldBytes;
    if (spare > 0) this.#lease.give(spare);
    if (this.#lent !== undefined) {
      this.#spare = this.#lent;
      this.#lent = undefined;
    }
    this.flush();
    this.#ease();
  };

  readonly #fail = (error: unknown): void => {
    this.#failure ??= error;
    this.#chunks.length = 0;
    this.#joinedBytes = 0;
    this.#ease();
  };

  #change(): Promise<void> {
    this.#eased ??= Promise.withResolvers();
    return this.#eased.promise;
  }

  #ease(): void {
    this.#eased?.resolve();
    this.#eased = undefined;
  }
}
