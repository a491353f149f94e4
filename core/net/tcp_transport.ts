import { reasonOf } from "../errors.ts";
import type { Disturbance } from "../faults/outcome.ts";
import { addressOf } from "./address.ts";
import { disturbWrites } from "./disturbed.ts";
import { IdleWait } from "./idle_wait.ts";
import type { ByteConn } from "./socket_conn.ts";
import type { ConnNames } from "./server.ts";
import { DisconnectedError, type ReadOptions, type Sockets, type Transport } from "./transport.ts";
import { within } from "./within.ts";

/** Bytes of a read buffer; chunks are cut from it until it is nearly used up. */
const SLAB_BYTES = 65_536;
/** Bytes of the first buffer: most connections send little. */
const FIRST_SLAB_BYTES = 8192;
/** Limit of the growth of a reused buffer that is filled each time. */
const MAX_REUSED_BYTES = 4 * SLAB_BYTES;
/** Room that makes another read into the same buffer worthwhile. */
const MIN_ROOM = 4096;
const WRITE_IDLE_MS = 60_000;
/** Limits after our end: silence and bytes of a peer that keeps sending. */
const LINGER_IDLE_MS = 250;
/** Limit of the silence when the service stops: further data is worthless then. */
const HURRY_IDLE_MS = 20;
const LINGER_MAX_BYTES = 4 * 1024 * 1024;
/** Receives what is discarded then, from every connection: hundreds may end at once. */
const DISCARDED = new Uint8Array(SLAB_BYTES);
const NOTHING = new Uint8Array(0);
/** Maximum time for that in total. */
const LINGER_MS = 2000;
/** How long a peer that has ended its side may only have closed its half. */
const HALF_CLOSED_MS = 1000;

/**
 * A `Transport` over an accepted or opened socket. A chunk stays valid, but may share its buffer with others, so copy
 * what is kept for long.
 */
export class TcpTransport implements Transport {
  readonly peer: string;
  readonly local: string;
  readonly sockets: Sockets | undefined;
  readonly #conn: ByteConn;
  readonly #isPlain: boolean;
  #slab = new Uint8Array(0);
  #used = 0;
  /** Buffer of the pending read. */
  #room: Uint8Array = this.#slab;
  readonly #reads = new IdleWait<Uint8Array | undefined>((idleMs) =>
    `Nothing was received from ${this.peer} for ${idleMs} ms`
  );
  readonly #writes = new IdleWait<number>((idleMs) => `${this.peer} read nothing for ${idleMs} ms`);
  /** A read that outlives its timeout continues for the next call, so no byte is lost. */
  #reading = false;
  /** Data that arrived after its timeout. */
  #late: Uint8Array | undefined;
  #writing: Promise<void> = Promise.resolve();
  #unwritten = 0;
  #state: "open" | "ended" | "closed" = "open";
  #lingerIdleMs = LINGER_IDLE_MS;
  /** Writes of the platform, or of a fault. */
  #writeSome = (bytes: Uint8Array): Promise<number> => this.#conn.write(bytes);
  /** Aborts when the connection is closed; made for faults alone. */
  #cut: AbortController | undefined;
  /** Aborts when the peer is taken to be gone; made for faults alone. */
  #gone: AbortController | undefined;
  #leaving: ReturnType<typeof setTimeout> | undefined;

  constructor(conn: ByteConn, names: Partial<ConnNames> = {}) {
    this.#conn = conn;
    this.#isPlain = "setNoDelay" in conn && !("handshake" in conn);
    this.peer = names.peer ?? addressOf(conn.remoteAddr);
    this.local = names.local ?? addressOf(conn.localAddr);
    this.sockets = names.sockets;
    if ("setNoDelay" in conn) setNoDelay(conn as Deno.TcpConn);
  }

  read(options: ReadOptions): Promise<Uint8Array | undefined> {
    const late = this.#late;
    if (late !== undefined) {
      this.#late = undefined;
      return Promise.resolve(late);
    }
    if (this.#state === "ended") return Promise.resolve(undefined);
    if (this.#state === "closed") {
      return Promise.reject(
        new DisconnectedError(`Cannot read from ${this.peer}: the connection is closed`),
      );
    }
    if (!this.#reading) this.#startRead(options);
    return this.#reads.begin(options.idleMs);
  }

  write(bytes: Uint8Array, { idleMs = WRITE_IDLE_MS } = {}): Promise<void> {
    const write = (): Promise<void> => this.#writeAll(bytes, idleMs);
    // Writes are queued; the callers of earlier ones learn of their failures.
    this.#writing = this.#unwritten++ === 0 ? write() : this.#writing.then(write, write);
    return this.#writing;
  }

  /** Shortens the closing. */
  hurry(): void {
    this.#lingerIdleMs = HURRY_IDLE_MS;
  }

  /** Ends our side, discards what the peer still sends so that a reset does not destroy our last data, and closes. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#state === "closed") return;
    await this.#writing.catch(() => {});
    // A close also ends our side, and resets nothing if everything has been read. TLS has its own ending.
    if (this.#state === "ended" && this.#isPlain) return this.abort();
    try {
      await within(this.#conn.closeWrite(), this.#lingerIdleMs, "Nothing was taken");
      let left = LINGER_MAX_BYTES;
      const endMs = performance.now() + LINGER_MS;
      while (left > 0 && performance.now() < endMs) {
        const chunk = await this.read({ idleMs: this.#lingerIdleMs, into: DISCARDED });
        if (chunk === undefined) break;
        left -= chunk.length;
      }
    } catch {
      // The peer is gone or silent.
    }
    this.abort();
  }

  get gone(): AbortSignal {
    this.#gone ??= new AbortController();
    const { signal } = this.#gone;
    if (this.#state === "closed") this.#gone.abort();
    else if (this.#state === "ended") this.#leave();
    // What comes waits for the next read; a single byte, since urgent data may be behind it.
    else if (!this.#reading && this.#late === undefined) this.#startRead({ bytewise: true });
    return signal;
  }

  disturb(what: Disturbance): void {
    if (what.kind === "close") return;
    if (what.kind === "reset") {
      this.#conn.reset?.();
      return this.abort();
    }
    const write = this.#writeSome;
    this.#cut ??= new AbortController();
    this.#writeSome = disturbWrites(write, what, {
      gone: this.#cut.signal,
      cut: () => this.abort(),
    }).write;
  }

  /** Closes now; a pending read or write rejects. */
  abort(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    clearTimeout(this.#leaving);
    this.#cut?.abort();
    this.#gone?.abort();
    this.#reads.stop();
    this.#writes.stop();
    try {
      this.#conn.close();
    } catch {
      // Deno closes a connection itself after some failures.
    }
  }

  #leave(): void {
    if (this.#state === "closed") return;
    this.#leaving ??= setTimeout(() => this.#gone?.abort(), HALF_CLOSED_MS);
  }

  #startRead(options: Omit<ReadOptions, "idleMs">): void {
    this.#reading = true;
    this.#room = options.into?.length ? options.into : this.#slabRoom(options);
    this.#conn.read(this.#room).then(this.#onRead, this.#onReadFailed);
  }

  #slabRoom(
    { reuse = false, maxReused = MAX_REUSED_BYTES, bytewise = false }: Pick<
      ReadOptions,
      "reuse" | "maxReused" | "bytewise"
    >,
  ): Uint8Array {
    const isFull = this.#used === this.#slab.length;
    if (reuse) this.#used = 0;
    if (reuse && isFull && this.#slab.length < maxReused) {
      this.#slab = new Uint8Array(Math.min(nextSlab(this.#slab.length), maxReused));
    } else if (this.#slab.length - this.#used < MIN_ROOM) {
      this.#slab = new Uint8Array(this.#slab.length === 0 ? FIRST_SLAB_BYTES : SLAB_BYTES);
      this.#used = 0;
    }
    if (bytewise) return this.#slab.subarray(this.#used, this.#used + 1);
    return this.#used === 0 ? this.#slab : this.#slab.subarray(this.#used);
  }

  readonly #onRead = (count: number | null): void => {
    this.#reading = false;
    if (count === null) {
      this.#state = this.#state === "closed" ? "closed" : "ended";
      this.#reads.resolve(undefined);
      if (this.#gone !== undefined) this.#leave();
      return;
    }
    // The buffer of a read that its caller no longer waits for may be gone.
    const isGone = this.#room.byteLength === 0;
    const chunk = isGone ? NOTHING : this.#room.subarray(0, count);
    if (chunk.buffer === this.#slab.buffer) this.#used += count;
    if (!this.#reads.resolve(chunk)) this.#late = chunk;
  };

  readonly #onReadFailed = (error: unknown): void => {
    this.#reading = false;
    this.abort();
    this.#reads.reject(
      new DisconnectedError(`Cannot read from ${this.peer}: ${reasonOf(error)}`, { cause: error }),
    );
  };

  async #writeAll(bytes: Uint8Array, idleMs: number): Promise<void> {
    try {
      for (let left = bytes; left.length > 0;) {
        if (this.#state === "closed") {
          throw new DisconnectedError(`Cannot write to ${this.peer}: the connection is closed`);
        }
        // First, because the peer waits for these bytes.
        const writing = this.#writeSome(left);
        const taken = this.#writes.begin(idleMs);
        writing.then(this.#onWritten, this.#onWriteFailed);
        const count = await taken;
        if (count === left.length) return;
        left = left.subarray(count);
      }
    } catch (error) {
      // The number of accepted bytes is unknown from here on.
      this.abort();
      throw error;
    } finally {
      this.#unwritten--;
    }
  }

  readonly #onWritten = (count: number): void => void this.#writes.resolve(count);

  readonly #onWriteFailed = (error: unknown): void => {
    const reason = reasonOf(error);
    this.#writes.reject(new DisconnectedError(`Cannot write to ${this.peer}: ${reason}`));
  };
}

/** Returns the size of the next buffer after one that was filled. */
function nextSlab(bytes: number): number {
  return bytes === 0 ? FIRST_SLAB_BYTES : Math.max(SLAB_BYTES, 2 * bytes);
}

function setNoDelay(conn: Deno.TcpConn): void {
  try {
    conn.setNoDelay(true);
  } catch {
    // The peer is gone, which the first read reports.
  }
}
