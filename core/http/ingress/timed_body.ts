/**
 * Bodies over HTTP/2, of which the listener sees nothing: it neither cuts off those that stall or drip, nor drops those
 * of refused requests.
 *
 * @module
 */
import { IdleWait } from "../../net/idle_wait.ts";
import { BODY_PATIENCE, Pace } from "../../net/pace.ts";
import type { HttpCall } from "../call.ts";
import { BodyReader } from "./body_reader.ts";

/** Most of a body that is read for nothing, as over HTTP/1. */
const DROP_BYTES = 64 * 1024 * 1024;

/**
 * The chunks of a body, each of them there until the next is asked for only. Rejects with `IdleError` when none comes for `idleMs`, and when they come too slowly
 * altogether. What its reader leaves is read and dropped: an answer before the end of its request would end in a reset
 * of the stream (RFC 9113 section 8.1).
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
    if (goesOn) await reader.drop();
    await reader.cancel();
  }
}

/** Reads and drops the body of a request that was answered without a look at it. */
export async function dropUnread(call: HttpCall, idleMs: number): Promise<void> {
  // Asked for first: a request that nobody needs may not have been made yet.
  if (call.version !== "2") return;
  const { request } = call;
  if (request.body === null || request.bodyUsed) return;
  const reader = new TimedReader(request.body, idleMs);
  await reader.drop();
  await reader.cancel();
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
      for (let left = DROP_BYTES; left > 0;) {
        const chunk = await this.next();
        if (chunk === undefined) return;
        left -= chunk.length;
      }
    } catch {
      // It stalls, or its sender is gone: there is nobody to be polite to.
    }
  }

  async cancel(): Promise<void> {
    this.#wait.stop();
    await this.#reader.cancel();
  }
}
