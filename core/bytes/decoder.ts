/** Decodes a byte stream, cut anywhere, into values. Pure: no clock, no I/O, no globals. */
export interface Decoder<T> {
  /** Yields each value that `chunk` completes. Throws `WireError` only. */
  push(chunk: Uint8Array): Iterable<T>;
  /** At the end of the stream. Throws `WireError` if a value was cut short. */
  end(): void;
}

/** Bytes that violate a protocol. */
export class WireError extends Error {
  override name = "WireError";

  constructor(readonly code: "syntax" | "limit" | "truncated", message: string) {
    super(message);
  }
}
