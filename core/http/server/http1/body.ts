/** Request bodies, read from the connection on demand. */
import type { ByteIntake } from "../../../byte_source.ts";
import { WireError } from "../../../bytes/decoder.ts";
import type { BodyIntake } from "../../call.ts";
import { BodyIncompleteError } from "../body/body.ts";
import type { Input } from "../wire/input.ts";
import { ChunkedDecoder } from "./chunked.ts";

/** Where bytes go that nobody wants. */
const NOWHERE = new Uint8Array(16_384);

/** What a body is read from. */
export interface BodyWire {
  /** What has come of the connection. */
  readonly input: Input;
  /** Reads on, into a buffer or, without one, into `input`; `null` at the end. */
  read(into?: Uint8Array): Promise<number | null>;
  /** All of the body has been read. */
  end(): void;
  /** The body cannot be read to its end; `what` is wrong with its bytes, unless it just ended. */
  cut(what?: string): void;
}

/** The body of a request that is being answered. */
export interface RequestBody extends BodyIntake {
  /** Whether all of it has been read. */
  readonly done: boolean;
  /** Whether what has not been read has come, and how many bytes that are; a chunked one never says so. */
  readonly waiting: number | undefined;
  /** Takes what has come of it for nobody. Throws `WireError` for bytes that no body may have. */
  drop(): void;
}

/** A body of known length. */
export class LengthBody implements RequestBody, ByteIntake {
  readonly size: number;
  readonly #wire: BodyWire;
  #left: number;

  constructor(wire: BodyWire, size: number) {
    this.#wire = wire;
    this.size = size;
    this.#left = size;
  }

  get done(): boolean {
    return this.#left === 0;
  }

  get waiting(): number | undefined {
    return this.#left <= this.#wire.input.length ? this.#left : undefined;
  }

  /** All that is left, if it has come. */
  atHand(): Uint8Array<ArrayBuffer> | undefined {
    if (this.waiting === undefined) return undefined;
    const { input } = this.#wire;
    const bytes = new Uint8Array(input.held.subarray(0, this.#left));
    input.skip(bytes.length);
    this.#took(bytes.length);
    return bytes;
  }

  /** Rejects with `BodyIncompleteError` when the client goes away. */
  async read(into: Uint8Array): Promise<number> {
    const wanted = Math.min(into.length, this.#left);
    if (wanted === 0) return 0;
    const count = await receive(this.#wire, into.subarray(0, wanted));
    this.#took(count);
    return count;
  }

  drop(): void {
    const { input } = this.#wire;
    const count = Math.min(this.#left, input.length);
    input.skip(count);
    this.#left -= count;
  }

  #took(count: number): void {
    if (count === 0) return;
    this.#left -= count;
    if (this.#left === 0) this.#wire.end();
  }
}

/** A body in chunks. */
export class ChunkedBody implements RequestBody {
  readonly size = undefined;
  readonly waiting = undefined;
  readonly #wire: BodyWire;
  readonly #decoder = new ChunkedDecoder();

  constructor(wire: BodyWire) {
    this.#wire = wire;
  }

  get done(): boolean {
    return this.#decoder.done;
  }

  /** As many bytes as have come, however small their chunks. Rejects with `BodyIncompleteError`. */
  async read(into: Uint8Array): Promise<number> {
    const { input } = this.#wire;
    while (!this.done && into.length > 0) {
      if (input.length > 0) {
        const given = this.#decode(into);
        if (given > 0) return given;
        continue;
      }
      const { dataLeft } = this.#decoder;
      if (dataLeft > 0) {
        const count = await receive(this.#wire, into.subarray(0, Math.min(into.length, dataLeft)));
        this.#decoder.took(count);
        return count;
      }
      await receive(this.#wire);
    }
    return 0;
  }

  drop(): void {
    const { input } = this.#wire;
    while (input.length > 0 && !this.done) input.skip(this.#decoder.decode(input.held, NOWHERE));
  }

  #decode(into: Uint8Array): number {
    const { input } = this.#wire;
    try {
      input.skip(this.#decoder.decode(input.held, into));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#wire.cut(error.message);
      throw new BodyIncompleteError(error.message);
    }
    if (this.#decoder.done) this.#wire.end();
    return this.#decoder.given;
  }
}

/** What a request without a body has. */
export const NO_BODY: RequestBody & ByteIntake = {
  size: 0,
  done: true,
  waiting: 0,
  atHand: () => new Uint8Array(),
  drop: () => {},
  read: () => Promise.resolve(0),
};

async function receive(wire: BodyWire, into?: Uint8Array): Promise<number> {
  let count: number | null = null;
  let reason = "the client ended it";
  try {
    count = await wire.read(into);
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error);
  }
  if (count !== null) return count;
  wire.cut();
  throw new BodyIncompleteError(`Cannot read the body: ${reason}`);
}
