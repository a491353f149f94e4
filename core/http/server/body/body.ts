import { ByteGatherer } from "../../../bytes/gatherer.ts";
import { MemoryFullError } from "../../../errors.ts";
import type { MemoryLease } from "../../../memory/lease.ts";
import { createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { type ByteIntake, chunksOf as chunksOfIntake, readWhole } from "../../../byte_source.ts";
import { ownValue } from "../../../own.ts";
import type { BodyIntake, HttpCall } from "../../call.ts";
import { readAtOnce, timed } from "./timed_body.ts";
import { FRONT_LIMITS } from "../wire/limits.ts";

/** Bytes kept of a body that was too large. */
const PREFIX_BYTES = 65_536;
/** Bodies up to this size are read in one go, which is faster than a stream, once there is room for all of it. */
const SMALL_BYTES = 65_536;
/** Bytes of the buffer that a body of unknown length is read with. */
const CHUNK_BYTES = 65_536;
/** Memory of a request while its body is read in chunks: the buffer for one, and the rest of its connection. */
const STREAM_BYTES = CHUNK_BYTES + 24_576;
/**
 * Bodies over HTTP/2 up to this size are also read at once: one frame, unless the client may send
 * larger ones.
 */
const SHORT_BYTES = 16_384;
/** Codings one body may be wrapped in; more is an attack. */
const MAX_CODINGS = 3;

/** A body of more bytes than allowed, as sent or decoded. */
export class BodyTooLargeError extends Error {
  override name = "BodyTooLargeError";

  constructor(
    readonly maxBytes: number,
    /**
     * The first 64 KiB; if the announced length was too large, the bytes that had already arrived,
     * if any.
     */
    readonly prefix: Uint8Array,
  ) {
    super(`Cannot accept a body of more than ${maxBytes} bytes`);
  }
}

/** A body that does not match its `Content-Encoding`, or has an unsupported coding. */
export class BodyEncodingError extends Error {
  override name = "BodyEncodingError";
}

/** A body that ended early: the client went away or stalled. */
export class BodyIncompleteError extends Error {
  override name = "BodyIncompleteError";
}

/**
 * Reads the whole body as sent. Throws `BodyTooLargeError` when the `Content-Length` is more than
 * `maxBytes`, without waiting for the body, or as soon as more arrives. Throws
 * `BodyIncompleteError` when the client disconnects or, over HTTP/2, is too slow; over HTTP/1 the
 * listener enforces the limits. `idleMs` is `FRONT_LIMITS.bodyMs` unless given. With a lease no
 * more is read than there is room for, and `MemoryFullError` thrown when there is none in time; it
 * covers the body afterwards.
 */
export function readBody(
  call: HttpCall,
  { maxBytes, idleMs = FRONT_LIMITS.bodyMs, lease }: ReadOptions,
): Promise<Uint8Array> {
  const declared = declaredLength(call);
  const { intake } = call;
  if (declared < Infinity && declared > maxBytes) return rejectLong(intake, maxBytes);
  if (isSized(intake) && (intake.size <= SMALL_BYTES || lease === undefined)) {
    const room = lease?.cover(intake.size);
    return room === undefined ? readWhole(intake) : room.then(() => readWhole(intake));
  }
  if (intake === undefined && declared <= SHORT_BYTES) {
    return readShort(call, { declared, maxBytes, idleMs, lease });
  }
  // Over HTTP/2 the body may differ from its stated length.
  const bufferBytes = intake === undefined ? maxBytes : Math.min(declared, maxBytes);
  const heldBytes = intake === undefined ? 0 : STREAM_BYTES;
  const leavesGarbage = intake === undefined;
  return readStream(call, { maxBytes, bufferBytes, idleMs, lease, heldBytes, leavesGarbage });
}

async function rejectLong(intake: BodyIntake | undefined, maxBytes: number): Promise<never> {
  throw new BodyTooLargeError(maxBytes, await intake?.beginning?.() ?? new Uint8Array());
}

async function readShort(
  call: HttpCall,
  { declared, maxBytes, idleMs, lease }: TimedOptions & { declared: number },
): Promise<Uint8Array> {
  const room = lease?.cover(declared);
  if (room !== undefined) await room;
  let bytes: Uint8Array;
  try {
    bytes = await readAtOnce(call, idleMs);
  } catch (error) {
    return incomplete(error);
  }
  if (bytes.length > maxBytes) throw new BodyTooLargeError(maxBytes, bytes.slice(0, PREFIX_BYTES));
  return bytes;
}

/** How a body is read. */
interface ReadOptions {
  readonly maxBytes: number;
  readonly idleMs?: number;
  readonly lease?: MemoryLease | undefined;
}

type TimedOptions = Omit<ReadOptions, "idleMs"> & { readonly idleMs: number };

/**
 * The beginning of a body as sent, of at most `maxBytes`. Throws `BodyIncompleteError`. The rest is
 * not read, so the response is the last on its connection.
 */
export async function readPrefix(call: HttpCall, maxBytes: number): Promise<Uint8Array> {
  const gathered = new ByteGatherer(maxBytes);
  try {
    for await (const chunk of chunksOf(call, FRONT_LIMITS.bodyMs)) {
      gathered.append(chunk.subarray(0, maxBytes - gathered.length));
      if (gathered.length === maxBytes) break;
    }
  } catch (error) {
    return incomplete(error);
  }
  return gathered.take();
}

function chunksOf(
  call: HttpCall,
  idleMs: number,
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (call.intake !== undefined) return chunksOfIntake(call.intake, CHUNK_BYTES);
  const { body } = call.request;
  return body === null ? [] : timed(body, idleMs);
}

async function readStream(
  call: HttpCall,
  { idleMs, ...limits }: TimedOptions & Omit<CollectOptions, "lease">,
): Promise<Uint8Array> {
  try {
    return await collect(chunksOf(call, idleMs), limits);
  } catch (error) {
    if (error instanceof BodyTooLargeError || error instanceof MemoryFullError) throw error;
    return incomplete(error);
  }
}

function incomplete(error: unknown): never {
  if (error instanceof BodyIncompleteError) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  throw new BodyIncompleteError(`Cannot read the body: ${reason}`);
}

/** Returns whether the length of a body is known. */
export function isSized(intake: BodyIntake | undefined): intake is ByteIntake {
  return intake?.size !== undefined;
}

/** Returns the announced length, 0 for no body; `Infinity` if it is not announced. */
function declaredLength({ intake, headers }: HttpCall): number {
  if (intake !== undefined) return intake.size ?? Infinity;
  const length = headers.get("content-length");
  return length === null ? Infinity : Number(length);
}

/**
 * Undoes `Content-Encoding` (RFC 9110 section 8.4): gzip, deflate, br, in the reverse of the order
 * listed. Throws `BodyEncodingError`, and `BodyTooLargeError` for more than `maxBytes` at any step.
 * A lease that covers the input also covers the result, as in `readBody`.
 */
export async function decodeBody(
  bytes: Uint8Array,
  encoding: string | null,
  { maxBytes, lease }: Pick<ReadOptions, "maxBytes" | "lease">,
): Promise<Uint8Array> {
  const codings = (encoding ?? "").toLowerCase().split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > MAX_CODINGS) {
    throw new BodyEncodingError(
      `Cannot decode a body in ${codings.length} codings: at most ${MAX_CODINGS} allowed`,
    );
  }
  let decoded = bytes;
  for (const coding of codings.reverse()) {
    decoded = await decodeOne(decoded, coding, { maxBytes, lease });
  }
  return decoded;
}

async function decodeOne(
  bytes: Uint8Array,
  coding: string,
  { maxBytes, lease }: Pick<ReadOptions, "maxBytes" | "lease">,
): Promise<Uint8Array> {
  const decompress = ownValue(DECODERS, coding);
  if (decompress === undefined) {
    throw new BodyEncodingError(
      `Cannot decode a body sent as "${coding}": expected gzip, deflate, br or identity`,
    );
  }
  try {
    const heldBytes = lease?.bytes ?? 0;
    return await collect(decompress(bytes), { maxBytes, lease, heldBytes, leavesGarbage: true });
  } catch (error) {
    if (error instanceof BodyTooLargeError || error instanceof MemoryFullError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new BodyEncodingError(`Cannot decode a body sent as "${coding}": ${reason}`);
  }
}

const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => AsyncIterable<Uint8Array>>> = {
  gzip: (bytes) => createGunzip().end(bytes),
  "x-gzip": (bytes) => createGunzip().end(bytes),
  deflate: (bytes) => (hasZlibHeader(bytes) ? createInflate() : createInflateRaw()).end(bytes),
  br: (bytes) => unbrotli(bytes),
};

/**
 * Only through the web stream: the decoder of `node:zlib` accepts truncated bodies, and aborts the
 * process on older platforms, which therefore do not support the coding.
 */
function unbrotli(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  return new Blob([bytes as Uint8Array<ArrayBuffer>]).stream()
    .pipeThrough(new DecompressionStream("brotli"));
}

/** RFC 1950 section 2.2. Some clients send a bare RFC 1951 stream as `deflate`. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const [cmf = 0, flags = 0] = bytes;
  return (cmf & 0x0f) === 8 && (cmf * 256 + flags) % 31 === 0;
}

/** How a stream is gathered. */
interface CollectOptions {
  readonly maxBytes: number;
  /** Maximum size of the buffer. */
  readonly bufferBytes?: number;
  readonly lease?: MemoryLease | undefined;
  /** Bytes that the lease covers in addition. */
  readonly heldBytes: number;
  /**
   * Whether each chunk has a buffer of its own. Bodies over HTTP/1 are read into one: if they waited
   * for garbage collections, those of clients that have gone would only be dropped after seconds.
   */
  readonly leavesGarbage: boolean;
}

/** Gathers a stream. */
async function collect(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { maxBytes, bufferBytes = maxBytes, lease, heldBytes, leavesGarbage }: CollectOptions,
): Promise<Uint8Array> {
  const gathered = new ByteGatherer(bufferBytes);
  for await (const chunk of stream) {
    const size = gathered.length + chunk.length;
    const taken = chunk.subarray(0, bufferBytes - gathered.length);
    const room = lease?.cover(heldBytes + gathered.bytesWith(taken.length));
    if (room !== undefined) await room;
    gathered.append(taken);
    const collected = leavesGarbage ? lease?.waste(chunk.length) : undefined;
    if (collected !== undefined) await collected;
    if (size > maxBytes) {
      throw new BodyTooLargeError(maxBytes, gathered.view(PREFIX_BYTES).slice());
    }
  }
  return gathered.take();
}
