/**
 * Bodies over HTTP/2. The listener does not see them, so it can neither cut off those that stall or
 * trickle, nor drop those of refused requests.
 *
 * @module
 */
import { IdleWait } from "../../../net/idle_wait.ts";
import { BODY_PATIENCE, Pace } from "../../../net/pace.ts";
import type { HttpCall } from "../../call.ts";
import { soon, within } from "../../../net/within.ts";
import { Http2Call } from "../wire/call.ts";
import { BodyReader } from "./body_reader.ts";

/** Time limit for dropping a body, in milliseconds. */
const DROP_MS = 30_000;

/** The unread part of a body while it is dropped. */
export interface Dropping {
  /** Resolves at the end of the body, or when the rest of it is given up. Never rejects. */
  readonly ended: Promise<void>;
  /** Milliseconds since bytes last arrived. */
  quietMs(): number;
}

/** The unread parts of bodies, to be dropped. */
const left = new WeakMap<ReadableStream<Uint8Array>, TimedReader>();

/**
 * The chunks of a body; each is valid until the next is requested. Rejects with `IdleError` when
 * none arrives for `idleMs`, and when the average rate is too low. `dropUnread` drops what its
 * reader did not read.
 */
export async function* timed(
  body: ReadableStream<Uint8Array>,
  idleMs: number,
): AsyncGenerator<Uint8Array> {
  const reader = new TimedReader(body, idleMs);
  let goesOn = false;
  try {
    for (;;) {
      goesOn = false;
      const chunk = await reader.next();
      if (chunk === undefined) return;
      goesOn = true;
      const sinceMs = performance.now();
      yield chunk;
      reader.excuse(performance.now() - sinceMs);
    }
  } finally {
    if (goesOn) left.set(body, reader);
    else await reader.cancel();
  }
}

/**
 * Reads a short body of known length, which the platform enforces, at once: a stream is the most
 * expensive part of such a request. Rejects with `IdleError` if it is incomplete after `idleMs`.
 */
export async function readAtOnce(
  call: HttpCall,
  idleMs: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (call instanceof Http2Call) call.isReadAtOnce = true;
  const reading = call.request.bytes();
  return await soon(reading) ??
    await within(reading, idleMs, `No more of the body came for ${idleMs} ms`);
}

/**
 * Reads and drops the part of a body that the handler of its request did not read. Call it before
 * the response ends: over HTTP/2 the stream would otherwise end with a reset (RFC 9113 section 8.1),
 * which not every client tolerates.
 */
export function dropUnread(call: HttpCall, idleMs: number): Dropping | undefined {
  // Checked first: asking for a request or its body would make it.
  if (!(call instanceof Http2Call) || call.isReadAtOnce) return undefined;
  const { request } = call;
  const { body } = request;
  if (body === null) return undefined;
  return (left.get(body) ?? (request.bodyUsed ? undefined : new TimedReader(body, idleMs)))?.drop();
}

class TimedReader {
  readonly #reader: BodyReader;
  readonly #wait = new IdleWait<Uint8Array | undefined>((idleMs) =>
    `No more of the body came for ${idleMs} ms`
  );
  readonly #pace: Pace;

  constructor(body: ReadableStream<Uint8Array>, idleMs: number) {
    this.#reader = new BodyReader(body);
    this.#pace = new Pace({ idleMs, graceMs: BODY_PATIENCE * idleMs, what: "a body" });
  }

  /** `undefined` at the end. */
  next(): Promise<Uint8Array | undefined> {
    return this.#pace.next(({ idleMs }) => this.#wait.within(this.#reader.next(), idleMs));
  }

  /** Time that the reader itself took. */
  excuse(ms: number): void {
    this.#pace.excuse(ms);
  }

  drop(): Dropping {
    let lastMs = performance.now();
    const endMs = lastMs + DROP_MS;
    const toEnd = async (): Promise<void> => {
      try {
        while (await this.next() !== undefined && lastMs < endMs) lastMs = performance.now();
      } catch {
        // It stalls, or its sender has disconnected.
      }
      await this.cancel();
    };
    return { ended: toEnd(), quietMs: () => performance.now() - lastMs };
  }

  async cancel(): Promise<void> {
    this.#wait.stop();
    await this.#reader.cancel();
  }
}
