/**
 * The `aws-chunked` framing (Amazon S3 API reference, "Transferring payload in multiple chunks"):
 * `hex-size[;chunk-signature=...] CRLF data CRLF`, repeated, with a size of 0 at the end, then trailer fields
 * `name:value CRLF` and an empty line. Signatures are ignored.
 */
import { WireError } from "../../../core/bytes/decoder.ts";

/** A size line with a signature is 85 characters longer than the size; trailer fields are shorter, too. */
const MAX_LINE = 4096;
const MAX_TRAILERS = 32;
const LF = 10;
const CR = 13;

type State = "size" | "data" | "data end" | "trailer" | "done";

/** Removes the framing from a stream of bytes. */
export class AwsChunkedDecoder {
  /** Trailer fields by lower-case name. */
  readonly trailers = new Map<string, string>();
  #state: State = "size";
  #line = "";
  #left = 0;

  /** Whether the last chunk has arrived, and no part of a line after it. */
  get ended(): boolean {
    return (this.#state === "trailer" || this.#state === "done") && this.#line === "";
  }

  /** Returns the payload in `bytes`, as views of it. Throws `WireError` for invalid framing. */
  push(bytes: Uint8Array): Uint8Array[] {
    const payload: Uint8Array[] = [];
    let at = 0;
    while (at < bytes.length && this.#state !== "done") {
      if (this.#state === "data") {
        const part = bytes.subarray(at, at + this.#left);
        payload.push(part);
        at += part.length;
        this.#left -= part.length;
        if (this.#left === 0) this.#state = "data end";
      } else {
        at = this.#take(bytes, at);
      }
    }
    if (bytes.subarray(at).some((byte) => byte !== CR && byte !== LF)) {
      throw new WireError("syntax", "Cannot read aws-chunked framing: bytes after its end");
    }
    return payload;
  }

  /** Reads up to the end of a line. Returns the next offset. */
  #take(bytes: Uint8Array, at: number): number {
    const end = bytes.indexOf(LF, at);
    const stop = end < 0 ? bytes.length : end;
    if (this.#line.length + stop - at > MAX_LINE) {
      throw new WireError(
        "limit",
        `Cannot read aws-chunked framing: a line has more than ${MAX_LINE} bytes`,
      );
    }
    for (let i = at; i < stop; i++) this.#line += String.fromCharCode(bytes[i]!);
    if (end < 0) return stop;
    const line = this.#line.replace(/\r$/, "");
    this.#line = "";
    this.#finishLine(line);
    return stop + 1;
  }

  #finishLine(line: string): void {
    switch (this.#state) {
      case "size": {
        const size = /^([0-9a-fA-F]{1,12})(;|$)/.exec(line)?.[1];
        if (size === undefined) {
          throw new WireError(
            "syntax",
            `Cannot read aws-chunked framing: expected a chunk size in hex, got "${
              line.slice(0, 60)
            }"`,
          );
        }
        this.#left = parseInt(size, 16);
        this.#state = this.#left === 0 ? "trailer" : "data";
        break;
      }
      case "data end":
        if (line !== "") {
          throw new WireError(
            "syntax",
            "Cannot read aws-chunked framing: a chunk is longer than its size",
          );
        }
        this.#state = "size";
        break;
      default:
        this.#finishTrailer(line);
    }
  }

  #finishTrailer(line: string): void {
    if (line === "") {
      this.#state = "done";
      return;
    }
    const colon = line.indexOf(":");
    if (colon < 1 || this.trailers.size >= MAX_TRAILERS) {
      throw new WireError(
        "syntax",
        `Cannot read aws-chunked framing: expected a trailer field, got "${line.slice(0, 60)}"`,
      );
    }
    this.trailers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
}
