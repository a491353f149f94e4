/**
 * Message data: RFC 5321 sections 2.3.8, 4.1.1.4 and 4.5.2.
 *
 *     data = *( line CRLF ) "." CRLF      a line that begins with "." is sent with one more in front
 *
 * Only CR LF "." CR LF ends the data, and only CR LF begins a line; a lone CR or LF is an ordinary octet. A server that
 * accepts `LF . LF` or `CR . CR` as the end lets one message be smuggled inside another (CVE-2023-51764). Such octets
 * are kept as sent, and counted in `bareLineEnds`.
 */

/** States: the position within the current line. */
const TEXT = 0;
const AFTER_CR = 1;
const LINE_START = 2;
const AFTER_DOT = 3;
const AFTER_DOT_CR = 4;

const CR = 0x0d;
const LF = 0x0a;
const DOT = 0x2e;
const ONE_CR = Uint8Array.of(CR);

/** Receives the decoded octets in chunks; a chunk is only valid until the call returns. */
export interface DataSink {
  add(chunk: Uint8Array): void;
}

/** Removes the added dots and finds the end of one message. */
export class DataDecoder {
  // The CR LF of the DATA command itself begins the first line.
  #state: 0 | 1 | 2 | 3 | 4 = LINE_START;
  #bareLineEnds = 0;
  #lineLength = 0;
  #longestLine = 0;

  /** Number of lone CR and LF. */
  get bareLineEnds(): number {
    return this.#bareLineEnds;
  }

  /** Octets of the longest line as sent, without its line end. */
  get longestLine(): number {
    return this.#longestLine;
  }

  /**
   * Decodes into `sink`. Returns `undefined` until the end of the message, then the number of bytes of `chunk` up to
   * and including that end.
   */
  push(chunk: Uint8Array, sink: DataSink): number | undefined {
    let start = 0;
    let state = this.#state;
    // Counts from the first octet of the line, which may lie in an earlier chunk.
    let lineStart = -this.#lineLength;
    const { length } = chunk;
    for (let i = 0; i < length; i++) {
      if (state === TEXT) {
        // Fast path: octets above CR have no meaning within a line.
        while (i < length && chunk[i]! > CR) i++;
        if (i === length) break;
      }
      const byte = chunk[i];
      if (state === LINE_START && byte === DOT) {
        add(sink, chunk, start, i);
        start = i + 1;
        state = AFTER_DOT;
        continue;
      }
      if (state === AFTER_DOT && byte === CR) {
        // Held back: this may be the end.
        start = i + 1;
        state = AFTER_DOT_CR;
        continue;
      }
      if (state === AFTER_DOT_CR) {
        if (byte === LF) {
          this.#state = LINE_START;
          return i + 1;
        }
        sink.add(ONE_CR);
        this.#bareLineEnds++;
        start = i;
        state = TEXT;
      }
      if (byte === LF) {
        if (state === AFTER_CR) {
          const octets = i - 1 - lineStart;
          if (octets > this.#longestLine) this.#longestLine = octets;
          lineStart = i + 1;
          state = LINE_START;
          continue;
        }
        this.#bareLineEnds++;
      } else if (state === AFTER_CR) {
        this.#bareLineEnds++;
      }
      state = byte === CR ? AFTER_CR : TEXT;
    }
    add(sink, chunk, start, length);
    this.#state = state;
    this.#lineLength = length - lineStart;
    return undefined;
  }
}

function add(sink: DataSink, chunk: Uint8Array, start: number, end: number): void {
  if (end > start) {
    sink.add(start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end));
  }
}
