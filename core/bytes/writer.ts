import { grown } from "./grow.ts";

/** Builds bytes, big endian, chained: `new ByteWriter().u32(7).block(name).take()`. */
export class ByteWriter {
  #bytes = new Uint8Array(64);
  #length = 0;

  get length(): number {
    return this.#length;
  }
  u8(value: number): this {
    this.#bytes = grown(this.#bytes, this.#length + 1);
    this.#bytes[this.#length++] = value;
    return this;
  }
  u16(value: number): this {
    return this.u8(value >>> 8).u8(value);
  }
  u32(value: number): this {
    return this.u16(value >>> 16).u16(value);
  }
  bytes(value: Uint8Array): this {
    this.#bytes = grown(this.#bytes, this.#length + value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
    return this;
  }
  block(value: Uint8Array): this {
    return this.u32(value.length).bytes(value);
  }
  /** Returns a copy of the written bytes, and empties the writer. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }
}
