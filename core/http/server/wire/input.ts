import type { ByteConn } from "../../../net/socket_conn.ts";
import { FIRST_BUFFER_BYTES } from "./buffer.ts";

const GROWTH = 4;

/** What a connection is read with: the bytes that came and that nobody has taken yet, in one buffer. */
export class Input {
  readonly #conn: ByteConn;
  #buffer = new Uint8Array(FIRST_BUFFER_BYTES);
  #start = 0;
  #end = 0;
  #reading: Promise<boolean> | undefined;

  constructor(conn: ByteConn) {
    this.#conn = conn;
  }

  /** Bytes that came and that nobody has taken; to be used before the next call. */
  get held(): Uint8Array {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** Number of the bytes held. */
  get length(): number {
    return this.#end - this.#start;
  }

  /** Whether it could be read on without a larger buffer. */
  get hasRoom(): boolean {
    return this.#end < this.#buffer.length || this.length === 0;
  }

  /** Takes bytes of what is held away. */
  skip(count: number): void {
    this.#start += count;
    if (this.#start < this.#end || this.#reading !== undefined) return;
    this.#start = 0;
    this.#end = 0;
    if (this.#buffer.length > FIRST_BUFFER_BYTES) this.#buffer = new Uint8Array(FIRST_BUFFER_BYTES);
  }

  /** Holds more. False at the end of what the client sends. Rejects when the connection breaks. */
  fill(): Promise<boolean> {
    return this.#reading ??= this.#fill();
  }

  /** Takes bytes into a buffer: what is held, or else what comes next. `null` at the end; rejects as `fill` does. */
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

  async #fill(): Promise<boolean> {
    try {
      if (this.length === 0) this.#start = this.#end = 0;
      else if (!this.hasRoom) this.#makeRoom();
      const count = await this.#conn.read(this.#buffer.subarray(this.#end));
      this.#end += count ?? 0;
      return count !== null;
    } finally {
      this.#reading = undefined;
    }
  }

  #makeRoom(): void {
    const { held } = this;
    const isHalf = held.length <= this.#buffer.length / 2;
    const buffer = isHalf ? this.#buffer : new Uint8Array(this.#buffer.length * GROWTH);
    buffer.set(held);
    this.#buffer = buffer;
    this.#start = 0;
    this.#end = held.length;
  }
}
