/**
 * Distinguishes the beginning of an HTTP request from that of another protocol (RFC 9112 section 3):
 *
 *   method SP request-target SP "HTTP/" DIGIT
 *
 * The preface of HTTP/2 looks the same (RFC 9113 section 3.4: `PRI * HTTP/2.0`). A page of any site can make a browser
 * send such a request to any port, with a body that another protocol would take for commands.
 *
 * @module
 */
import { join } from "../bytes/concat.ts";

const SP = 0x20;
const CR = 0x0d;
const LF = 0x0a;
const DEL = 0x7f;
const VERSION = new TextEncoder().encode("HTTP/");
/** Bytes kept of the beginning. */
const KEPT_BYTES = 65_536;
/** RFC 9110 section 5.6.2. */
const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]/;

/** Kind of a stream; `undecided` until enough of it has arrived. */
export type Opening = "http" | "other" | "undecided";

/** Classifies one stream, cut anywhere. */
export class HttpOpening {
  #opening: Opening = "undecided";
  #part: "before" | "method" | "target" | "version" = "before";
  /** Bytes of the current part. */
  #length = 0;
  readonly #chunks: Uint8Array[] = [];
  #kept = 0;

  /** The kind of the stream so far. */
  get opening(): Opening {
    return this.#opening;
  }

  /** The data received until the decision, at most 64 KiB. */
  get begun(): Uint8Array {
    return join(this.#chunks);
  }

  /** Adds the next bytes. Keeps no view of them. */
  push(bytes: Uint8Array): Opening {
    for (let at = 0; at < bytes.length && this.#opening === "undecided"; at++) {
      this.#opening = this.#take(bytes[at]!);
    }
    if (this.#opening === "other") this.#chunks.length = 0;
    else if (this.#kept < KEPT_BYTES) {
      const chunk = bytes.slice(0, KEPT_BYTES - this.#kept);
      this.#kept += chunk.length;
      this.#chunks.push(chunk);
    }
    return this.#opening;
  }

  #take(byte: number): Opening {
    switch (this.#part) {
      case "before":
        // Empty lines before a request are ignored (RFC 9112 section 2.2).
        if (byte === CR || byte === LF) return "undecided";
        this.#part = "method";
        return this.#take(byte);
      case "method":
        if (byte === SP) return this.#next("target");
        return TOKEN.test(String.fromCharCode(byte)) ? this.#more() : "other";
      case "target":
        if (byte === SP) return this.#next("version");
        return byte > SP && byte !== DEL ? this.#more() : "other";
      case "version":
        if (this.#length < VERSION.length) {
          return byte === VERSION[this.#length] ? this.#more() : "other";
        }
        return byte >= 0x30 && byte <= 0x39 ? "http" : "other";
    }
  }

  #more(): Opening {
    this.#length++;
    return "undecided";
  }

  #next(part: "target" | "version"): Opening {
    if (this.#length === 0) return "other";
    this.#part = part;
    this.#length = 0;
    return "undecided";
  }
}
