import { closeQuietly, isGone, writeAll } from "../../../net/socket.ts";
import { type FrontLimits, LINGER_PATIENCE } from "./limits.ts";
import type { Wire } from "./wire.ts";

/** Bytes that a connection is read with at first. */
const FIRST_BUFFER_BYTES = 16_384;
/** Large bodies then cost a quarter of the calls; only connections that fill one have it. */
const BUFFER_BYTES = 262_144;
const BUFFER_GROWTH = 4;

/** Larger after a read that filled it, small again after a short one. */
function nextBuffer(buffer: Uint8Array, count: number, mostBytes = BUFFER_BYTES): Uint8Array {
  if (count === buffer.length && count < mostBytes) {
    return new Uint8Array(Math.min(count * BUFFER_GROWTH, mostBytes));
  }
  const isShort = count < FIRST_BUFFER_BYTES && buffer.length > FIRST_BUFFER_BYTES;
  return isShort ? new Uint8Array(FIRST_BUFFER_BYTES) : buffer;
}

/** Hooks of a pump. */
export interface PumpOptions {
  readonly limits: FrontLimits;
  /** The other end of the pump, on loopback. */
  readonly inner: Deno.TcpConn;
  /** Returns the part of received bytes to pass on. Errors end the connection. */
  inward(bytes: Uint8Array): Uint8Array;
  /** Maximum size of the buffer for received bytes; by default large. */
  readonly inwardBytes?: number;
  /** Called before bytes are passed on; errors end the connection. By default there is no wait. */
  room?(bytes: number): Promise<void> | undefined;
  /** Bytes of the other end, before they are passed on. */
  outward?(bytes: Uint8Array): void;
  /** Awaited after this many bytes of the other end were passed on. */
  spent?(bytes: number): Promise<void> | undefined;
  /** Time to forward them. */
  onPassed(ms: number): void;
  /** The client sends no more. */
  onEnd?(): void;
  /** Sent to the client if the inner end closes without a byte. */
  readonly farewell?: Uint8Array;
}

/** Copies bytes between a client connection and its loopback connection, in both directions. */
export class Pump {
  readonly #wire: Wire;
  readonly #options: PumpOptions;
  #lastIn = performance.now();
  #lastOut = performance.now();
  // Times of `performance.now()`; `undefined` while it is not the case.
  #writingSince: number | undefined;
  #lingerSince: number | undefined;
  #passingOn = false;
  #halfClosed = false;
  #discarding = false;
  #finishing = false;

  constructor(wire: Wire, options: PumpOptions) {
    this.#wire = wire;
    this.#options = options;
  }

  /** Whether the inner end is slow to read. */
  get passingOn(): boolean {
    return this.#passingOn;
  }

  /** Whether bytes are being sent to the client. */
  get writing(): boolean {
    return this.#writingSince !== undefined;
  }

  /** Time since the last byte in either direction. */
  quietMs(now: number): number {
    return now - Math.max(this.#lastIn, this.#lastOut);
  }

  /** Something happened that the client cannot see. */
  touch(): void {
    this.#lastOut = performance.now();
  }

  /** Stops waiting for the client's end once ours has been sent. */
  finish(): void {
    this.#finishing = true;
  }

  /** The inner end sends nothing beyond what is already on its way. */
  drain(): void {
    this.#halfClosed = true;
  }

  /** Continues, even if the client had ended its side. */
  goOn(): void {
    this.#halfClosed = false;
  }

  /** Until both have ended. Rejects when either breaks. */
  async run(): Promise<void> {
    const outward = this.#outward();
    // It may break long before the other direction ends, and is awaited only then.
    outward.catch(() => {});
    try {
      await this.#inward();
      if (!this.#wire.facts.gone.aborted) await outward;
    } finally {
      closeQuietly(this.#options.inner);
      await outward.catch(() => {});
    }
  }

  /** Returns the action that the limits require; nothing if there is none. */
  sweep(now: number): "close" | "unread" | "ends" | undefined {
    const { limits } = this.#options;
    const over = (since: number | undefined, ms: number) => since !== undefined && now - since > ms;
    if (this.#lingerSince !== undefined) {
      const isSilent = over(Math.max(this.#lingerSince, this.#lastIn), limits.lingerMs);
      if (isSilent || over(this.#lingerSince, LINGER_PATIENCE * limits.lingerMs)) return "close";
    }
    if (over(this.#writingSince, limits.writeMs)) return "unread";
    if (this.#discarding) return "ends";
    if (!this.#halfClosed) return undefined;
    const isQuiet = this.#writingSince === undefined && this.quietMs(now) > limits.halfClosedMs;
    return isQuiet ? "close" : "ends";
  }

  async #inward(): Promise<void> {
    const { conn, input } = this.#wire;
    await this.#passOn(input.held);
    input.skip(input.length);
    let buffer: Uint8Array = new Uint8Array(FIRST_BUFFER_BYTES);
    for (;;) {
      const count = await conn.read(buffer);
      if (count === null) return await this.#clientEnded();
      this.#lastIn = performance.now();
      if (!this.#discarding) await this.#passOn(buffer.subarray(0, count));
      buffer = nextBuffer(buffer, count, this.#options.inwardBytes);
    }
  }

  async #passOn(given: Uint8Array): Promise<void> {
    const bytes = this.#options.inward(given);
    if (bytes.length === 0) return;
    this.#passingOn = true;
    const sinceMs = performance.now();
    try {
      await this.#options.room?.(bytes.length);
      await writeAll(this.#options.inner, bytes);
    } catch (error) {
      if (!isGone(error)) throw error;
      // The inner end has answered early and closed; its response is still on the way out.
      this.#discarding = true;
    } finally {
      this.#passingOn = false;
      this.#options.onPassed(performance.now() - sinceMs);
    }
  }

  async #clientEnded(): Promise<void> {
    if (this.#discarding) return;
    this.#options.onEnd?.();
    try {
      await this.#options.inner.closeWrite();
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  async #outward(): Promise<void> {
    const { inner } = this.#options;
    let buffer: Uint8Array = new Uint8Array(FIRST_BUFFER_BYTES);
    let farewell = this.#options.farewell;
    const progress = () => {
      this.#lastOut = this.#writingSince = performance.now();
    };
    try {
      for (;;) {
        const count = await inner.read(buffer);
        if (count === null) break;
        progress();
        farewell = undefined;
        const bytes = buffer.subarray(0, count);
        this.#options.outward?.(bytes);
        await writeAll(this.#wire.conn, bytes, progress);
        this.#writingSince = undefined;
        await this.#options.spent?.(count);
        buffer = nextBuffer(buffer, count);
      }
      if (farewell !== undefined) await writeAll(this.#wire.conn, farewell);
      // Ends our side; input is discarded until the client closes too.
      this.#discarding = true;
      this.#lingerSince = performance.now();
      await this.#wire.conn.closeWrite();
      if (this.#finishing) this.#wire.cut();
    } catch (error) {
      // Wakes what waits for the client.
      this.#wire.fail(error);
      throw error;
    }
  }
}
