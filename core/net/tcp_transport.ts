import { addressOf } from "./address.ts";
import { IdleTimer } from "./idle_timer.ts";
import { DisconnectedError, IdleError, type Transport } from "./transport.ts";
import { within } from "./within.ts";

/** Bytes of one read buffer; chunks are cut from it until it is nearly used up. */
const SLAB_BYTES = 65_536;
/** To what a buffer that is used again grows, as long as it is filled each time. */
const MAX_REUSED_BYTES = 4 * SLAB_BYTES;
/** Room that makes another read from the same buffer worth while. */
const MIN_ROOM = 4096;
const WRITE_IDLE_MS = 60_000;
/** Limits of the farewell: how long silent, and how much, a peer may keep sending after our end. */
const LINGER_IDLE_MS = 250;
/** The same when the service stops: whatever a peer was about to send is worth nothing any more. */
const HURRY_IDLE_MS = 20;
const LINGER_MAX_BYTES = 4 * 1024 * 1024;

/**
 * A `Transport` over an accepted or opened socket. A chunk handed out stays valid; it may share its buffer with
 * others, so what is kept for long is better copied.
 */
export class TcpTransport implements Transport {
  readonly peer: string;
  readonly local: string;
  readonly #conn: Deno.Conn;
  #slab = new Uint8Array(0);
  #used = 0;
  readonly #readTimer = new IdleTimer();
  readonly #writeTimer = new IdleTimer();
  /** A read that outlived its time-out; the next call takes it over, so no byte is lost. */
  #reading: Promise<number | null> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #state: "open" | "ended" | "closed" = "open";
  #lingerIdleMs = LINGER_IDLE_MS;

  constructor(conn: Deno.Conn, names: { peer?: string; local?: string } = {}) {
    this.#conn = conn;
    this.peer = names.peer ?? addressOf(conn.remoteAddr);
    this.local = names.local ?? addressOf(conn.localAddr);
    if ("setNoDelay" in conn) setNoDelay(conn as Deno.TcpConn);
  }

  async read(
    { idleMs, reuse = false }: { idleMs: number; reuse?: boolean },
  ): Promise<Uint8Array | undefined> {
    if (this.#state === "ended") return undefined;
    if (this.#state === "closed") {
      throw new DisconnectedError(`Cannot read from ${this.peer}: the connection is closed`);
    }
    const reading = this.#reading ??= this.#startRead(reuse);
    const message = `Nothing came from ${this.peer} for ${idleMs} ms`;
    let count: number | null;
    try {
      count = await this.#readTimer.within(reading, idleMs, message);
    } catch (error) {
      if (error instanceof IdleError) throw error;
      this.abort();
      throw new DisconnectedError(`Cannot read from ${this.peer}: ${reasonOf(error)}`, {
        cause: error,
      });
    }
    this.#reading = undefined;
    if (count === null) {
      this.#state = "ended";
      return undefined;
    }
    const chunk = this.#slab.subarray(this.#used, this.#used + count);
    this.#used += count;
    return chunk;
  }

  write(bytes: Uint8Array, { idleMs = WRITE_IDLE_MS } = {}): Promise<void> {
    const written = this.#writing.then(() => this.#writeAll(bytes, idleMs));
    // The next write waits for this one; whether it failed is for the caller of this one to know.
    this.#writing = written.catch(() => {});
    return written;
  }

  /** Shortens the farewell. */
  hurry(): void {
    this.#lingerIdleMs = HURRY_IDLE_MS;
  }

  /** Says goodbye, takes what still comes so that the goodbye is not lost to a reset, and closes. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#state === "closed") return;
    await this.#writing;
    try {
      await within(this.#conn.closeWrite(), this.#lingerIdleMs, "Nothing was taken");
      let left = LINGER_MAX_BYTES;
      while (left > 0) {
        const chunk = await this.read({ idleMs: this.#lingerIdleMs });
        if (chunk === undefined) break;
        left -= chunk.length;
      }
    } catch {
      // The peer is gone already, or silent: either way there is nobody left to be polite to.
    }
    this.abort();
  }

  /** Closes now; a pending read or write rejects. */
  abort(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#readTimer.stop();
    this.#writeTimer.stop();
    try {
      this.#conn.close();
    } catch {
      // Deno closes a connection itself after some failures.
    }
  }

  #startRead(reuse: boolean): Promise<number | null> {
    const isFull = this.#used === this.#slab.length;
    if (reuse) this.#used = 0;
    if (reuse && isFull && this.#slab.length < MAX_REUSED_BYTES) {
      this.#slab = new Uint8Array(Math.max(SLAB_BYTES, 2 * this.#slab.length));
    } else if (this.#slab.length - this.#used < MIN_ROOM) {
      this.#slab = new Uint8Array(SLAB_BYTES);
      this.#used = 0;
    }
    return this.#conn.read(this.#slab.subarray(this.#used));
  }

  async #writeAll(bytes: Uint8Array, idleMs: number): Promise<void> {
    let left = bytes;
    while (left.length > 0) {
      if (this.#state === "closed") {
        throw new DisconnectedError(`Cannot write to ${this.peer}: the connection is closed`);
      }
      left = left.subarray(await this.#writeSome(left, idleMs));
    }
  }

  async #writeSome(bytes: Uint8Array, idleMs: number): Promise<number> {
    const message = `${this.peer} took nothing for ${idleMs} ms`;
    try {
      return await this.#writeTimer.within(this.#conn.write(bytes), idleMs, message);
    } catch (error) {
      // How much was taken is unknown from here on.
      this.abort();
      if (error instanceof IdleError) throw error;
      throw new DisconnectedError(`Cannot write to ${this.peer}: ${reasonOf(error)}`);
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function setNoDelay(conn: Deno.TcpConn): void {
  try {
    conn.setNoDelay(true);
  } catch {
    // A peer that has already gone; the first read will tell.
  }
}
