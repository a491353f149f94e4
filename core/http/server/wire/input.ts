import type { ByteConn } from "../../../net/socket_conn.ts";
import type { HeadRoom } from "./head_room.ts";

/** Bytes that a connection is read with at first: nearly all heads fit, and an idle connection holds no more. */
const HEAD_BUFFER_BYTES = 4096;
/** In few steps: what each leaves behind is garbage. */
const GROWTH = 4;

/** Input of a connection: the bytes received and not yet read, in one buffer. */
export class Input {
  readonly #conn: ByteConn;
  readonly #room: HeadRoom | undefined;
  /** Bytes taken from the room of heads. */
  #reserved = 0;
  #buffer = new Uint8Array(HEAD_BUFFER_BYTES);
  #start = 0;
  #end = 0;
  #reading: Promise<boolean> | undefined;

  /** Without `room`, heads may be as long as their reader allows. */
  constructor(conn: ByteConn, room?: HeadRoom) {
    this.#conn = conn;
    this.#room = room;
  }

  /** Bytes that arrived and were not taken yet; valid until the next call. */
  get held(): Uint8Array {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** Number of the bytes held. */
  get length(): number {
    return this.#end - this.#start;
  }

  /** Size of the buffer, in bytes. */
  get capacity(): number {
    return this.#buffer.length;
  }

  /** Whether more can be read without a larger buffer. */
  get hasRoom(): boolean {
    return this.#end < this.#buffer.length || this.length === 0;
  }

  /**
   * Reserves memory for a head that does not fit into the buffer. False if other heads use it up.
   */
  reserve(): boolean {
    if (this.hasRoom || this.#isHalf) return true;
    const bytes = this.#buffer.length * GROWTH - this.#reserved;
    if (this.#room?.take(bytes) === false) return false;
    this.#reserved += bytes;
    return true;
  }

  /** Gives back the room that its head has taken. */
  release(): void {
    this.#room?.give(this.#reserved);
    this.#reserved = 0;
  }

  /** Copies the first buffered bytes, as many as fit. */
  take(into: Uint8Array): void {
    into.set(this.#buffer.subarray(this.#start, this.#start + into.length));
    this.skip(into.length);
  }

  /** Drops some of the held bytes. */
  skip(count: number): void {
    this.#start += count;
    if (this.#start < this.#end || this.#reading !== undefined) return;
    this.#start = 0;
    this.#end = 0;
    if (this.#buffer.length > HEAD_BUFFER_BYTES) this.#buffer = new Uint8Array(HEAD_BUFFER_BYTES);
    if (this.#reserved > 0) this.release();
  }

  /** Holds more. False at the end of what the client sends. Rejects when the connection breaks. */
  fill(): Promise<boolean> {
    return this.#reading ??= this.#fill();
  }

  /**
   * Reads into a buffer: the buffered bytes, or else the next ones. `null` at the end; rejects like
   * `fill`.
   */
  async read(into: Uint8Array): Promise<number | null> {
    if (this.length === 0) {
      if (this.#reading === undefined) return await this.#conn.read(into);
      if (!await this.fill()) return null;
    }
    const bytes = this.held.subarray(0, into.length);
    into.set(bytes);
    this.skip(bytes.length);
    return bytes.length;
  }

  #fill(): Promise<boolean> {
    if (this.length === 0) this.#start = this.#end = 0;
    else if (!this.hasRoom) this.#makeRoom();
    const free = this.#end === 0 ? this.#buffer : this.#buffer.subarray(this.#end);
    return this.#conn.read(free).then(this.#filled, this.#broken);
  }

  // Made once: there is one read for each request.
  readonly #filled = (count: number | null): boolean => {
    this.#reading = undefined;
    this.#end += count ?? 0;
    return count !== null;
  };

  readonly #broken = (error: unknown): never => {
    this.#reading = undefined;
    throw error;
  };

  /** Returns whether half of the buffer is free once the held bytes are moved to its beginning. */
  get #isHalf(): boolean {
    return this.length <= this.#buffer.length / 2;
  }

  #makeRoom(): void {
    const { held } = this;
    const buffer = this.#isHalf ? this.#buffer : new Uint8Array(this.#buffer.length * GROWTH);
    buffer.set(held);
    this.#buffer = buffer;
    this.#start = 0;
    this.#end = held.length;
  }
}
