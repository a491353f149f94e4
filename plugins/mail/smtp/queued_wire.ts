import { grown } from "../../../core/bytes/grow.ts";
import type { ReadOptions, Transport } from "../../../core/net/transport.ts";

/** Maximum bytes of replies that wait. */
const MAX_WAITING_BYTES = 16_384;
const NOTHING = new Uint8Array();

/**
 * Queues replies while pipelined commands are still buffered, and sends them in one write before the next read (RFC
 * 2920 section 3.2).
 */
export class QueuedWire implements Transport {
  readonly #wire: Transport;
  readonly #writeIdleMs: number;
  /** One buffer: thousands of short replies in buffers of their own would take many times their size. */
  #waiting: Uint8Array = NOTHING;
  #waitingBytes = 0;
  #received = 0;
  #writeFailed = false;

  constructor(wire: Transport, options: { writeIdleMs: number }) {
    this.#wire = wire;
    this.#writeIdleMs = options.writeIdleMs;
  }

  get peer(): string {
    return this.#wire.peer;
  }

  get local(): string {
    return this.#wire.local;
  }

  /** Number of bytes read. */
  get received(): number {
    return this.#received;
  }

  /** Whether a reply could not be sent. */
  get writeFailed(): boolean {
    return this.#writeFailed;
  }

  async read(options: ReadOptions): Promise<Uint8Array | undefined> {
    if (this.#waitingBytes > 0) await this.flush();
    const chunk = await this.#wire.read(options);
    this.#received += chunk?.length ?? 0;
    return chunk;
  }

  /** Queues bytes; they are sent with the next read or flush. */
  write(bytes: Uint8Array): Promise<void> {
    const length = this.#waitingBytes + bytes.length;
    // Most replies wait alone.
    if (this.#waitingBytes === 0 && this.#waiting.length < MAX_WAITING_BYTES) this.#waiting = bytes;
    else {
      this.#waiting = grown(this.#waiting, length);
      this.#waiting.set(bytes, this.#waitingBytes);
    }
    this.#waitingBytes = length;
    return this.#waitingBytes > MAX_WAITING_BYTES ? this.flush() : Promise.resolve();
  }

  /** Sends the queued bytes. */
  async flush(): Promise<void> {
    if (this.#waitingBytes === 0) return;
    const buffer = this.#waiting;
    const all = buffer.subarray(0, this.#waitingBytes);
    this.#waiting = NOTHING;
    this.#waitingBytes = 0;
    try {
      await this.#wire.write(all, { idleMs: this.#writeIdleMs });
      // Reused, unless a single reply was its own.
      if (this.#waitingBytes === 0 && buffer.length >= MAX_WAITING_BYTES) this.#waiting = buffer;
    } catch (error) {
      this.#writeFailed = true;
      throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#wire[Symbol.asyncDispose]() as Promise<void>;
  }
}
