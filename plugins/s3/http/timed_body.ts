/**
 * Bodies over HTTP/2, of which the listener sees nothing: it neither cuts off those that stall, nor drops those of
 * refused requests.
 *
 * @module
 */
import type { HttpCall } from "../../../core/http/call.ts";
import { within } from "../../../core/net/within.ts";

/** Most of a body that is read for nothing, as over HTTP/1. */
const DROP_BYTES = 64 * 1024 * 1024;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * The chunks of a body. Rejects with `IdleError` when none comes for `idleMs`. What its reader leaves is read and
 * dropped: an answer before the end of its request would end in a reset of the stream (RFC 9113 section 8.1).
 */
export async function* timed(
  body: ReadableStream<Uint8Array>,
  idleMs: number,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let goesOn = false;
  try {
    for (;;) {
      goesOn = false;
      const { value, done } = await read(reader, idleMs);
      if (done) return;
      goesOn = true;
      yield value;
    }
  } finally {
    if (goesOn) await drop(reader, idleMs).catch(() => {});
    await reader.cancel().catch(() => {});
  }
}

/** Reads and drops the body of a request that was answered without a look at it. */
export async function dropUnread({ request, version }: HttpCall, idleMs: number): Promise<void> {
  if (version !== "2" || request.body === null || request.bodyUsed) return;
  const reader = request.body.getReader();
  await drop(reader, idleMs).catch(() => {});
  await reader.cancel().catch(() => {});
}

async function drop(reader: Reader, idleMs: number): Promise<void> {
  for (let left = DROP_BYTES; left > 0;) {
    const { value, done } = await read(reader, idleMs);
    if (done) return;
    left -= value.length;
  }
}

function read(reader: Reader, idleMs: number): ReturnType<Reader["read"]> {
  return within(reader.read(), idleMs, "The body stalls");
}
