/**
 * Bytes on their way between two places, without a stream in between: for large bodies, streams spend most of their
 * time on passing chunks.
 *
 * @module
 */

/** Bytes that are read in order. */
export interface ByteSource {
  /** Total size in bytes. */
  readonly size: number;
  /** Returns the next bytes, at most `mostBytes`, read-only; nothing at the end. Rejects if they cannot be read. */
  next(
    mostBytes: number,
  ): Uint8Array<ArrayBuffer> | undefined | Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Stops reading. Must also be called at the end. */
  close(): void;
}

/** Bytes that are read into buffers of the caller. */
export interface ByteIntake {
  /** Total size in bytes. */
  readonly size: number;
  /**
   * Reads into `into`, and returns the number of bytes, which is 0 only at the end. Rejects if there are fewer than
   * `size`.
   */
  read(into: Uint8Array): Promise<number>;
  /** Returns the rest in a separate buffer, if it is available at once. */
  atHand?(): Uint8Array<ArrayBuffer> | undefined;
}

/** Reads until the buffer is full; it must not be larger than the rest. */
export async function fill(intake: ByteIntake, buffer: Uint8Array): Promise<void> {
  for (let left = buffer; left.length > 0;) {
    const count = await intake.read(left);
    if (count === 0) throw new RangeError(`Cannot read ${left.length} bytes beyond the end`);
    left = left.subarray(count);
  }
}

/** Returns the bytes as a stream. */
export function sourceStream(
  source: ByteSource,
  chunkBytes: number,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const bytes = await source.next(chunkBytes);
      if (bytes !== undefined) return controller.enqueue(bytes);
      source.close();
      controller.close();
    },
    cancel: () => source.close(),
  }, { highWaterMark: 0 });
}

/** Returns bytes as a source of a single chunk. */
export function bytesSource(bytes: Uint8Array<ArrayBuffer>): ByteSource {
  let at = 0;
  return {
    size: bytes.length,
    next(mostBytes) {
      if (at === bytes.length) return undefined;
      const part = bytes.subarray(at, at + mostBytes);
      at += part.length;
      return part;
    },
    close() {},
  };
}

const encoder = new TextEncoder();

/** Maximum bytes of an encoded chunk of a text. */
const TEXT_CHUNK_BYTES = 131_072;

/**
 * Returns a text as a source of its UTF-8 bytes, encoded while they are read: many clients that read the same text slowly
 * share it, and hold one chunk each.
 */
export function textSource(text: string): ByteSource {
  let at = 0;
  return {
    size: encodedSize(text),
    next(mostBytes) {
      if (at === text.length) return undefined;
      const buffer = new Uint8Array(Math.min(mostBytes, TEXT_CHUNK_BYTES));
      const { read, written } = encodeSome(text, at, buffer);
      at += read;
      return buffer.subarray(0, written);
    },
    close() {},
  };
}

/** Number of UTF-8 bytes of a text. */
function encodedSize(text: string): number {
  const scratch = new Uint8Array(Math.min(text.length + 4, TEXT_CHUNK_BYTES));
  let size = 0;
  for (let at = 0; at < text.length;) {
    const { read, written } = encodeSome(text, at, scratch);
    at += read;
    size += written;
  }
  return size;
}

/** Encodes what fits into a buffer of at least four bytes, without splitting a character. */
function encodeSome(text: string, from: number, into: Uint8Array): TextEncoderEncodeIntoResult {
  const end = from + into.length;
  const splits = end < text.length && text.codePointAt(end - 1)! > 0xffff;
  return encoder.encodeInto(text.substring(from, splits ? end - 1 : end), into);
}

/** Size of the first read buffer: many connections that send little must cost little. */
const FIRST_CHUNK_BYTES = 4096;

/** Yields all bytes in chunks of at most `chunkBytes`, each valid only until the next. */
export async function* chunksOf(
  intake: { read(into: Uint8Array): Promise<number> },
  chunkBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let buffer = new Uint8Array(Math.min(FIRST_CHUNK_BYTES, chunkBytes));
  for (;;) {
    const count = await intake.read(buffer);
    if (count === 0) return;
    yield buffer.subarray(0, count);
    if (count === buffer.length && count < chunkBytes) buffer = new Uint8Array(chunkBytes);
  }
}

/** Bytes reserved before they arrive. */
const FIRST_BYTES = 1_048_576;

/** Returns all bytes; the caller has checked the size. For a large body, memory is reserved as it arrives. */
export async function readWhole(intake: ByteIntake): Promise<Uint8Array<ArrayBuffer>> {
  const whole = intake.atHand?.();
  if (whole !== undefined) return whole;
  let bytes = new Uint8Array(Math.min(intake.size, FIRST_BYTES));
  await fill(intake, bytes);
  while (bytes.length < intake.size) {
    const had = bytes.length;
    bytes = new Uint8Array(bytes.buffer.transfer(Math.min(had * 2, intake.size)));
    await fill(intake, bytes.subarray(had));
  }
  return bytes;
}
