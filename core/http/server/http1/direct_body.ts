import type { ByteIntake } from "../../../byte_source.ts";
import { BodyIncompleteError } from "../body/body.ts";

/** What a body is read from. */
export interface BodyWire {
  /** Reads from the connection; `null` at its end. */
  read(into: Uint8Array): Promise<number | null>;
  /** Before the first byte is read that has not come yet. */
  begin(): Promise<void> | undefined;
  /** The client has ended or broken the connection. */
  cut(): void;
}

/** A body of known length, read off the connection by whoever wants it. */
export class DirectBody implements ByteIntake {
  readonly size: number;
  readonly #wire: BodyWire;
  /** What came along with the head. */
  #ahead: Uint8Array;
  #left: number;
  #begun = false;

  constructor(wire: BodyWire, { size, ahead }: { size: number; ahead: Uint8Array }) {
    this.#wire = wire;
    this.size = size;
    this.#ahead = ahead;
    this.#left = size;
  }

  /** Bytes that have not been read. */
  get left(): number {
    return this.#left;
  }

  /** Rejects with `BodyIncompleteError` when the client goes away. */
  async read(into: Uint8Array): Promise<number> {
    if (this.#left === 0 || into.length === 0) return 0;
    const count = this.#ahead.length > 0
      ? this.#takeAhead(into)
      : await this.#receive(into.subarray(0, Math.min(into.length, this.#left)));
    this.#left -= count;
    return count;
  }

  #takeAhead(into: Uint8Array): number {
    const bytes = this.#ahead.subarray(0, into.length);
    into.set(bytes);
    this.#ahead = this.#ahead.subarray(bytes.length);
    this.#begun = true;
    return bytes.length;
  }

  async #receive(into: Uint8Array): Promise<number> {
    let count: number | null = null;
    let reason = "the client ended it";
    try {
      if (!this.#begun) await this.#wire.begin();
      this.#begun = true;
      count = await this.#wire.read(into);
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
    if (count !== null) return count;
    this.#wire.cut();
    throw new BodyIncompleteError(`Cannot read the body: ${reason}`);
  }
}
