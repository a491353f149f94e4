/**
 * Framing of the minimal lower layer protocol (HL7 implementation support guide, appendix C; MLLP release 1):
 *
 *   0x0B  message  0x1C 0x0D
 *
 * The message ends at 0x1C: some senders leave out the 0x0D or send it much later.
 *
 * @module
 */
import { ByteGatherer } from "../../../../core/bytes/gatherer.ts";
import { compact } from "../../../../core/compact.ts";

const VT = 0x0b;
const FS = 0x1c;
const CR = 0x0d;

/** Some engines send line ends, blanks and NUL to keep a connection alive; some end a message with 0x1C twice. */
const FILLER: ReadonlySet<number> = new Set([0, 0x09, 0x0a, CR, FS, 0x20]);

/** Bytes stored of a message that is too long or dropped. */
const KEPT_OF_DROPPED = 65_536;
/** Bytes stored of data outside frames. */
const KEPT_OF_STRAY = 4096;

/** The next frame of the stream. */
export interface Frame {
  /**
   * `message`: well-formed. `unterminated`: another message began, or the stream ended, before its end. `too-long`:
   * over the limit; the decoder keeps its beginning and stops. `dropped`: discarded by the reader of the stream; its
   * beginning is kept.
   */
  readonly kind: "message" | "unterminated" | "too-long" | "dropped";
  /** Between the frame characters, as sent. */
  readonly bytes: Uint8Array;
  /** Data before the frame other than line ends, blanks and NUL; at most 4 KiB of it. */
  readonly stray?: Uint8Array;
}

/** Splits a byte stream, cut anywhere, into messages. Skips empty frames. */
export class FrameDecoder {
  readonly #maxBytes: number;
  readonly #message = new ByteGatherer();
  #state: "between" | "inside" | "over" = "between";
  #stray: number[] = [];
  #strayed = false;
  /** Bytes received of the current message. */
  #total = 0;
  #dropped = false;

  /** Gives up on messages of more than `maxBytes`. */
  constructor(options: { maxBytes: number }) {
    this.#maxBytes = options.maxBytes;
  }

  /** Whether a message has begun but not ended. */
  get inside(): boolean {
    return this.#state === "inside";
  }

  /** Whether bytes other than filler arrived outside a message since the last one. */
  get strayed(): boolean {
    return this.#strayed;
  }

  /** Whether a message was too long, so that nothing after it is read. */
  get over(): boolean {
    return this.#state === "over";
  }

  /** Returns the number of bytes held once `more` have arrived. */
  bytesWith(more: number): number {
    return this.#dropped ? KEPT_OF_DROPPED : this.#message.bytesWith(more);
  }

  /** Keeps only the beginning of the current message. */
  drop(): void {
    if (this.#dropped || !this.inside) return;
    this.#dropped = true;
    const head = this.#message.view(KEPT_OF_DROPPED).slice();
    this.#message.clear();
    this.#message.append(head);
  }

  /** Yields each message that `chunk` completes. Keeps no view of the chunk. */
  *push(chunk: Uint8Array): Generator<Frame> {
    let at = 0;
    const marks = new Marks(chunk);
    while (at < chunk.length && this.#state !== "over") {
      if (this.#state === "between") {
        const start = marks.begin.next(at);
        this.#noteStray(chunk.subarray(at, start));
        if (start === chunk.length) return;
        this.#state = "inside";
        at = start + 1;
        continue;
      }
      // At 0x1C, at the start of another message, or at the end of the chunk.
      const end = Math.min(marks.end.next(at), marks.begin.next(at));
      this.#add(chunk.subarray(at, end));
      if (this.#total > this.#maxBytes) {
        this.#state = "over";
        yield this.#take("too-long");
      } else if (chunk[end] === FS) {
        this.#state = "between";
        if (this.#total > 0) yield this.#take("message");
      } else if (chunk[end] === VT && this.#total > 0) {
        yield this.#take("unterminated");
      }
      at = end + 1;
    }
  }

  /** Returns the message that the end of the stream cut short, if any. */
  end(): Frame | undefined {
    if (this.#state !== "inside" || this.#total === 0) return undefined;
    this.#state = "between";
    return this.#take("unterminated");
  }

  /** Returns and forgets the data outside frames since the last one, unless it is only filler. */
  takeStray(): Uint8Array | undefined {
    const stray = this.#strayed ? Uint8Array.from(this.#stray) : undefined;
    this.#stray = [];
    this.#strayed = false;
    return stray;
  }

  #noteStray(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (!FILLER.has(byte)) this.#strayed = true;
      if (this.#stray.length >= KEPT_OF_STRAY) break;
      if (this.#strayed || (byte !== CR && byte !== 0x0a && byte !== 0)) this.#stray.push(byte);
    }
  }

  #add(chunk: Uint8Array): void {
    this.#total += chunk.length;
    const kept = this.#dropped ? KEPT_OF_DROPPED - this.#message.length : chunk.length;
    this.#message.append(chunk.subarray(0, kept));
  }

  #take(kind: Frame["kind"]): Frame {
    const bytes = kind === "too-long"
      ? this.#message.view(KEPT_OF_DROPPED).slice()
      : this.#message.take();
    this.#message.clear();
    const dropped = this.#dropped && kind !== "too-long";
    this.#total = 0;
    this.#dropped = false;
    const stray = this.takeStray();
    return { kind: dropped ? "dropped" : kind, bytes, ...compact({ stray }) };
  }
}

/** Positions of the frame characters in a chunk, which is scanned once however many there are. */
class Marks {
  readonly begin: Mark;
  readonly end: Mark;

  constructor(chunk: Uint8Array) {
    this.begin = new Mark(chunk, VT);
    this.end = new Mark(chunk, FS);
  }
}

class Mark {
  readonly #chunk: Uint8Array;
  readonly #byte: number;
  #found = -1;

  constructor(chunk: Uint8Array, byte: number) {
    this.#chunk = chunk;
    this.#byte = byte;
  }

  /** Returns the next position from `at`, which never goes back, or the end of the chunk. */
  next(at: number): number {
    if (this.#found < at) {
      const found = this.#chunk.indexOf(this.#byte, at);
      this.#found = found < 0 ? this.#chunk.length : found;
    }
    return this.#found;
  }
}

/** Puts a message into a frame. */
export function encodeFrame(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(message.length + 3);
  frame[0] = VT;
  frame.set(message, 1);
  frame[message.length + 1] = FS;
  frame[message.length + 2] = CR;
  return frame;
}
