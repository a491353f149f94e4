/**
 * Chunked bodies (RFC 9112 section 7.1):
 *
 *   *( chunk-size [ ";" extensions ] CRLF chunk-data CRLF ) "0" [ extensions ] CRLF *( trailer CRLF ) CRLF
 *
 * @module
 */

import { WireError } from "../../../bytes/decoder.ts";

/** Longest size line and longest trailer section, in bytes. */
const MAX_LINE_BYTES = 4096;
const MAX_TRAILER_BYTES = 16_384;
/** Hexadecimal digits of a chunk size: 4 PiB. */
const MAX_SIZE_DIGITS = 13;

const CR = 0x0d;
const LF = 0x0a;

type State = "size" | "extension" | "size_lf" | "data" | "data_cr" | "data_lf" | "trailer" | "done";

/**
 * Decodes one chunked body from bytes that are split anywhere. Extensions and trailers are checked
 * and dropped.
 */
export class ChunkedDecoder {
  #state: State = "size";
  #digits = 0;
  #size = 0;
  #lineBytes = 0;
  #trailerBytes = 0;
  /** Bytes of the current trailer line, and whether its last one was CR. */
  #trailerLine = 0;
  #sawCr = false;
  #given = 0;

  /** Whether the body is complete. */
  get done(): boolean {
    return this.#state === "done";
  }

  /** Bytes that the last call put into its buffer. */
  get given(): number {
    return this.#given;
  }

  /** Bytes of the current chunk that come next, unencoded. */
  get dataLeft(): number {
    return this.#state === "data" ? this.#size : 0;
  }

  /**
   * Decodes `bytes` into `into` until it is full or the body ends. Returns the number of bytes consumed. Throws
   * `WireError` for bytes that no chunked body may contain.
   */
  decode(bytes: Uint8Array, into: Uint8Array): number {
    let at = 0;
    this.#given = 0;
    while (at < bytes.length && this.#state !== "done") {
      if (this.#state === "data") {
        const data = bytes.subarray(at, at + Math.min(this.#size, into.length - this.#given));
        if (data.length === 0) break;
        into.set(data, this.#given);
        this.#given += data.length;
        this.took(data.length);
        at += data.length;
        continue;
      }
      const problem = this.#step(bytes[at]!);
      if (problem !== undefined) throw new WireError("syntax", problem);
      at++;
    }
    return at;
  }

  /** Counts bytes of the current chunk that were read elsewhere: at most `dataLeft`. */
  took(count: number): void {
    this.#size -= count;
    if (this.#size === 0) this.#state = "data_cr";
  }

  #step(byte: number): string | undefined {
    switch (this.#state) {
      case "size":
        return this.#sizeByte(byte);
      case "extension":
        if (byte === LF) return "Cannot read a chunk extension: it holds a bare line feed";
        if (++this.#lineBytes > MAX_LINE_BYTES) {
          return `Cannot read a chunk extension of more than ${MAX_LINE_BYTES} bytes`;
        }
        if (byte === CR) this.#state = "size_lf";
        return undefined;
      case "size_lf":
        if (byte !== LF) return "Cannot read a chunk size: expected CR LF after it";
        this.#startChunk();
        return undefined;
      case "data_cr":
        if (byte !== CR) return "Cannot read a chunk: it is longer than its size says";
        this.#state = "data_lf";
        return undefined;
      case "data_lf":
        if (byte !== LF) return "Cannot read a chunk: expected CR LF after it";
        this.#state = "size";
        return undefined;
      default:
        return this.#trailerByte(byte);
    }
  }

  #sizeByte(byte: number): string | undefined {
    const digit = hexDigit(byte);
    if (digit >= 0) {
      this.#size = this.#size * 16 + digit;
      if (++this.#digits > MAX_SIZE_DIGITS) return "Cannot read a chunk size: it is too large";
      return undefined;
    }
    if (this.#digits === 0) return "Cannot read a chunk size: expected a hexadecimal number";
    if (byte === CR) this.#state = "size_lf";
    else if (byte === 0x3b || byte === 0x20 || byte === 0x09) this.#state = "extension";
    else return "Cannot read a chunk size: expected a hexadecimal number";
    return undefined;
  }

  #startChunk(): void {
    this.#state = this.#size === 0 ? "trailer" : "data";
    this.#digits = 0;
    this.#lineBytes = 0;
  }

  #trailerByte(byte: number): string | undefined {
    if (++this.#trailerBytes > MAX_TRAILER_BYTES) {
      return `Cannot read trailers of more than ${MAX_TRAILER_BYTES} bytes`;
    }
    if (this.#sawCr) {
      if (byte !== LF) return "Cannot read a trailer: it holds a bare carriage return";
      if (this.#trailerLine === 0) this.#state = "done";
      this.#trailerLine = 0;
      this.#sawCr = false;
      return undefined;
    }
    if (byte === LF) return "Cannot read a trailer: it holds a bare line feed";
    if (byte === CR) this.#sawCr = true;
    else this.#trailerLine++;
    return undefined;
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
