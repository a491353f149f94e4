/**
 * Bytes on their way from one place to another, without a stream in between: of large bodies, most of the time went
 * into handing chunks on.
 *
 * @module
 */

/** Bytes that are taken in order. */
export interface ByteSource {
  /** In bytes, over all. */
  readonly size: number;
  /** Some bytes, `mostBytes` at most, not to be changed; nothing at the end. Rejects when they cannot be read. */
  next(
    mostBytes: number,
  ): Uint8Array<ArrayBuffer> | undefined | Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Nothing more is taken. Also to be called at the end. */
  close(): void;
}

/** Bytes that are read into buffers of the reader. */
export interface ByteIntake {
  /** In bytes, over all. */
  readonly size: number;
  /** Bytes put into `into`, at least one before the end, which is 0. Rejects when fewer than `size` come. */
  read(into: Uint8Array): Promise<number>;
  /** All that is left, in a buffer of its own, where nothing has to be waited for. */
  atHand?(): Uint8Array<ArrayBuffer> | undefined;
}

/** Reads until the buffer is full, which must not be more than is left. */
export async function fill(intake: ByteIntake, buffer: Uint8Array): Promise<void> {
  for (let left = buffer; left.length > 0;) {
    const count = await intake.read(left);
    if (count === 0) throw new RangeError(`Cannot read ${left.length} bytes behind the end`);
    left = left.subarray(count);
  }
}

/** As a stream, for whoever needs one. */
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

/** Whole bytes, taken at once. */
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

/** Bytes that are read with at first: whoever sends little, on many connections, is to cost little. */
const FIRST_CHUNK_BYTES = 4096;

/** All bytes in chunks of at most `chunkBytes`, each of them there until the next is asked for only. */
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

/** Bytes that are made room for before they come. */
const FIRST_BYTES = 1_048_576;

/** All bytes at once; the caller has looked at the size. Of a large body, room is made as it comes. */
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
