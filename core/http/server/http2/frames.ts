/**
 * Whether an HTTP/2 client is in the middle of a unit that is useless until complete: the preface,
 * a frame, or the frames of a header block. A byte count alone cannot distinguish a client that
 * trickles bytes from one that keeps its connection alive.
 *
 * A frame is length(24) type(8) flags(8) stream(32), then `length` octets: RFC 9113 section 4.1.
 *
 * @module
 */
import { ByteWriter } from "../../../bytes/writer.ts";

const PREFACE_BYTES = 24;
const HEAD_BYTES = 9;
const WORD_BYTES = 4;
const END_HEADERS = 0x4;
/** Without the reserved bit. */
const LOW_31_BITS = 0x7fff_ffff;

/** Types of frames: RFC 9113 section 6. */
export const FrameType = {
  DATA: 0,
  HEADERS: 1,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
} as const;

/** Why a stream or a connection ends: RFC 9113 section 7. */
export const ErrorCode = { NO_ERROR: 0, INTERNAL_ERROR: 2 } as const;

/** A frame without flags, whose payload are words of four bytes. */
export function encodeFrame(
  { type, stream }: Pick<Frame, "type" | "stream">,
  words: readonly number[],
): Uint8Array {
  const writer = new ByteWriter().u8(0).u16(WORD_BYTES * words.length).u8(type).u8(0).u32(stream);
  for (const word of words) writer.u32(word);
  return writer.take();
}

/** One frame, without its payload. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  /** 0 for the connection. */
  readonly stream: number;
  /** Bytes of the payload. */
  readonly length: number;
  /** Returns the bytes that WINDOW_UPDATE adds to the window; 0 for other types. */
  readonly word: number;
}

/** Follows the frames of one side through chunks of bytes cut anywhere. */
export class FrameGauge {
  readonly #onFrame: ((frame: Frame) => void) | undefined;
  /** Bytes still to come of the preface or of a payload. */
  #missing: number;
  #head = 0;
  #length = 0;
  #type = 0;
  #flags = 0;
  #stream = 0;
  #word = 0;
  #wordLeft = 0;
  #inBlock = false;

  /**
   * Only clients begin with the preface. `onFrame` is called at each head, for WINDOW_UPDATE once its payload is there.
   */
  constructor(
    { preface = true, onFrame }: { preface?: boolean; onFrame?: (frame: Frame) => void } = {},
  ) {
    this.#missing = preface ? PREFACE_BYTES : 0;
    this.#onFrame = onFrame;
  }

  /** Whether a preface, frame or header block is incomplete. */
  get inside(): boolean {
    return this.#missing > 0 || this.#head > 0 || this.#inBlock;
  }

  /** Reads bytes. Returns whether they complete such a unit. */
  push(bytes: Uint8Array): boolean {
    let ended = false;
    for (let at = 0; at < bytes.length;) {
      if (this.#missing > 0) {
        const taken = Math.min(this.#missing, bytes.length - at);
        this.#missing -= taken;
        if (this.#wordLeft > 0) this.#takeWord(bytes.subarray(at, at + taken));
        at += taken;
      } else this.#takeHead(bytes[at++]!);
      if (!this.inside) ended = true;
    }
    return ended;
  }

  #takeHead(byte: number): void {
    const at = this.#head++;
    if (at < 3) this.#length = this.#length << 8 | byte;
    else if (at === 3) this.#type = byte;
    else if (at === 4) this.#flags = byte;
    else this.#stream = this.#stream << 8 | byte;
    if (this.#head < HEAD_BYTES) return;
    const isBlock = this.#type === FrameType.HEADERS || this.#type === FrameType.CONTINUATION ||
      this.#type === FrameType.PUSH_PROMISE;
    if (isBlock) this.#inBlock = (this.#flags & END_HEADERS) === 0;
    this.#missing = this.#length;
    const hasWord = this.#type === FrameType.WINDOW_UPDATE && this.#length === WORD_BYTES;
    if (hasWord) this.#wordLeft = WORD_BYTES;
    else this.#tell();
    this.#head = 0;
  }

  #takeWord(bytes: Uint8Array): void {
    for (const byte of bytes) this.#word = this.#word << 8 | byte;
    this.#wordLeft -= bytes.length;
    if (this.#wordLeft === 0) this.#tell();
  }

  #tell(): void {
    this.#onFrame?.({
      type: this.#type,
      flags: this.#flags,
      stream: this.#stream & LOW_31_BITS,
      length: this.#length,
      word: this.#word & LOW_31_BITS,
    });
    this.#length = 0;
    this.#stream = 0;
    this.#word = 0;
  }
}
