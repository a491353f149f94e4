/** Request bodies, read from the connection on demand. */
import type { ByteIntake } from "../../../byte_source.ts";
import { WireError } from "../../../bytes/decoder.ts";
import type { BodyIntake } from "../../call.ts";
import { BodyIncompleteError } from "../body/body.ts";
import type { Input } from "../wire/input.ts";
import { ChunkedDecoder } from "./chunked.ts";
import type { BodyFraming } from "./head.ts";
import type { Patience } from "./patience.ts";

/** Sink of dropped bytes. */
const NOWHERE = new Uint8Array(16_384);
/**
 * Bytes recorded of the beginning of a body that is too long, and how long to wait for them in milliseconds: clients
 * send a body right behind its head.
 */
const BEGINNING_BYTES = 65_536;
const BEGINNING_MS = 250;

/** Source of the bodies of one connection. */
export interface BodyWire {
  /** Bytes received. */
  readonly input: Input;
  /** Whether the client waits for 100 Continue. */
  waits: boolean;
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
  /** Number of unread bytes if all have arrived; never known of a chunked body. */
  readonly waiting: number | undefined;
  /** The rest will not be read. */
  readonly abandoned: boolean;
  /** Drops the bytes that have arrived. Throws `WireError` for invalid framing. */
  drop(): void;
}

/** The body after a head. */
export function openBody(framing: BodyFraming, wire: BodyWire): RequestBody {
  if (framing === 0) return NO_BODY;
  return framing === "chunked" ? new ChunkedBody(wire) : new LengthBody(wire, framing);
}

function newRoom(bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

/** A body of known length. */
class LengthBody implements RequestBody, ByteIntake {
  readonly size: number;
  readonly #wire: BodyWire;
  #left: number;
  #abandoned = false;

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

  get abandoned(): boolean {
    return this.#abandoned;
  }

  /** The rest, if it has arrived. */
  atHand(room = newRoom): Uint8Array<ArrayBuffer> | undefined {
    const { input } = this.#wire;
    if (this.#left > input.length) return undefined;
    const bytes = room(this.#left);
    input.take(bytes);
    this.#took(bytes.length);
    return bytes;
  }

  /** Rejects with `BodyIncompleteError` when the client disconnects. */
  async read(into: Uint8Array): Promise<number> {
    const wanted = Math.min(into.length, this.#left);
    if (wanted === 0) return 0;
    const count = await receive(this.#wire, into.subarray(0, wanted));
    this.#took(count);
    return count;
  }

  async beginning(): Promise<Uint8Array> {
    this.#abandoned = true;
    const { input, waits } = this.#wire;
    const wanted = waits ? 0 : Math.min(this.#left, BEGINNING_BYTES);
    const late = Promise.withResolvers<"late">();
    const timer = setTimeout(() => late.resolve("late"), BEGINNING_MS);
    try {
      while (input.length < wanted) {
        const next = await Promise.race([input.fill(), late.promise]);
        if (next === "late") break;
        if (!next) throw cutOff(this.#wire, "the client ended it");
      }
      return input.held.slice(0, wanted);
    } finally {
      clearTimeout(timer);
    }
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
class ChunkedBody implements RequestBody {
  readonly size = undefined;
  readonly waiting = undefined;
  readonly abandoned = false;
  readonly #wire: BodyWire;
  readonly #decoder = new ChunkedDecoder();

  constructor(wire: BodyWire) {
    this.#wire = wire;
  }

  get done(): boolean {
    return this.#decoder.done;
  }

  /** Returns all bytes that have arrived, however small their chunks. Rejects with `BodyIncompleteError`. */
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

const NO_BODY: RequestBody & ByteIntake = {
  size: 0,
  done: true,
  waiting: 0,
  abandoned: false,
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
  if (count === null) throw cutOff(wire, reason);
  return count;
}

function cutOff(wire: BodyWire, reason: string): BodyIncompleteError {
  wire.cut();
  return new BodyIncompleteError(`Cannot read the body: ${reason}`);
}

/**
 * After our end of the connection, discards input until the client closes. For a `body` that is
 * still incomplete, returns that it was cut, and `what` is wrong with its bytes unless it just
 * ended.
 */
export async function linger(
  input: Input,
  patience: Patience,
  body?: RequestBody,
): Promise<{ readonly what?: string } | undefined> {
  let broken: { readonly what: string } | undefined;
  do {
    try {
      if (broken === undefined) body?.drop();
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      broken = { what: error.message };
    }
    input.skip(input.length);
    patience.enter("closing");
  } while (await input.fill());
  return broken ?? (body === undefined || body.done ? undefined : {});
}
