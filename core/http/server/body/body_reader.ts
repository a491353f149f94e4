/** Size of the read buffer in bytes: one frame, unless the client may send larger ones. */
const BUFFER_BYTES = 16_384;

/**
 * Reads the body of a platform request, chunk by chunk, into one buffer: a default reader would
 * allocate 64 KiB for each chunk, even for a single byte.
 */
export class BodyReader {
  readonly #reader: ReadableStreamBYOBReader | ReadableStreamDefaultReader<Uint8Array>;
  #buffer = new Uint8Array(0);

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = openReader(body);
  }

  /** Returns the next chunk, valid until the next call; `undefined` at the end. */
  next(): Promise<Uint8Array | undefined> {
    return this.#reader instanceof ReadableStreamBYOBReader
      ? this.#readInto(this.#reader)
      : this.#reader.read().then(({ value }) => value);
  }

  /** Stops reading. Never rejects. */
  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => {});
  }

  async #readInto(reader: ReadableStreamBYOBReader): Promise<Uint8Array | undefined> {
    if (this.#buffer.length === 0) this.#buffer = new Uint8Array(BUFFER_BYTES);
    const { value, done } = await reader.read(this.#buffer);
    // The buffer is transferred, and returned as another object.
    if (value !== undefined) this.#buffer = new Uint8Array(value.buffer);
    return done ? undefined : value;
  }
}

/** A body that had already arrived is one chunk, and cannot be read into a buffer. */
function openReader(
  body: ReadableStream<Uint8Array>,
): ReadableStreamBYOBReader | ReadableStreamDefaultReader<Uint8Array> {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return body.getReader();
  }
}
