/**
 * Bodies over HTTP/2, of which the listener sees nothing: it neither cuts off those that stall or drip, nor drops those
 * of refused requests.
 *
 * @module
 */
import { IdleWait } from "../../../net/idle_wait.ts";
import { BODY_PATIENCE, Pace } from "../../../net/pace.ts";
import type { HttpCall } from "../../call.ts";
import { within } from "../../../net/within.ts";
import { soon } from "../wire/soon.ts";
import { BodyReader } from "./body_reader.ts";

/** How long a body is read for nothing, in milliseconds. */
const DROP_MS = 30_000;

/** The unread parts of bodies, to be dropped. */
const left = new WeakMap<ReadableStream<Uint8Array>, TimedReader>();

/**
 * The chunks of a body, each of them there until the next is asked for only. Rejects with `IdleError` when none comes
 * for `idleMs`, and when they come too slowly altogether. What its reader leaves is for `dropUnread`.
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

/** Requests whose bodies were asked for as a whole, which leaves nothing. */
const whole = new WeakSet<Request>();

/**
 * A short body of stated length, which the platform holds its client to, at once: a stream costs more than all else.
 * Rejects with `IdleError` when not all of it has come after `idleMs`.
 */
export async function readAtOnce(
  request: Request,
  idleMs: number,
): Promise<Uint8Array<ArrayBuffer>> {
  whole.add(request);
  const reading = request.bytes();
  return await soon(reading) ??
    await within(reading, idleMs, `No more of the body came for ${idleMs} ms`);
}

/**
 * Reads and drops what the handler of a request has left of its body; nothing where that is over already. To be done
 * before the answer ends: over HTTP/2 the stream would end in a reset (RFC 9113 section 8.1), which not every client
 * forgives.
 */
export function dropUnread(call: HttpCall, idleMs: number): Promise<void> | undefined {
  // Checked first: asking for the request would make it.
  if (call.version !== "2") return undefined;
  const { request } = call;
  if (whole.has(request)) return undefined;
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

  /** The time that its reader took itself. */
  excuse(ms: number): void {
    this.#pace.excuse(ms);
  }

  async drop(): Promise<void> {
    try {
      const endMs = performance.now() + DROP_MS;
      while (await this.next() !== undefined && performance.now() < endMs);
    } catch {
      // It stalls, or its sender has gone: nothing to wait for.
    }
    await this.cancel();
  }

  async cancel(): Promise<void> {
    this.#wait.stop();
    await this.#reader.cancel();
  }
}
