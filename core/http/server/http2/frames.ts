/**
 * Whether a client of HTTP/2 is in the middle of something that means nothing before it is whole: the preface, a frame,
 * or the frames of a header block. By its bytes alone, one that drips cannot be told from one that keeps its
 * connection alive.
 *
 * A frame is length(24) type(8) flags(8) stream(32), then `length` octets: RFC 9113 section 4.1.
 *
 * @module
 */
const PREFACE_BYTES = 24;
const HEAD_BYTES = 9;
const HEADERS = 1;
const PUSH_PROMISE = 5;
const CONTINUATION = 9;
const END_HEADERS = 0x4;

/** Follows the frames of one client through chunks of bytes cut anywhere. */
export class FrameGauge {
  /** Bytes still to come of the preface or of a payload. */
  #missing = PREFACE_BYTES;
  #head = 0;
  #length = 0;
  #type = 0;
  #flags = 0;
  #inBlock = false;

  /** Whether something has begun and not ended. */
  get inside(): boolean {
    return this.#missing > 0 || this.#head > 0 || this.#inBlock;
  }

  /** Takes what came. Whether something came to its end by it. */
  push(bytes: Uint8Array): boolean {
    let ended = false;
    for (let at = 0; at < bytes.length;) {
      if (this.#missing > 0) {
        const taken = Math.min(this.#missing, bytes.length - at);
        this.#missing -= taken;
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
    if (this.#head < HEAD_BYTES) return;
    const isBlock = this.#type === HEADERS || this.#type === CONTINUATION ||
      this.#type === PUSH_PROMISE;
    if (isBlock) this.#inBlock = (this.#flags & END_HEADERS) === 0;
    this.#missing = this.#length;
    this.#head = 0;
    this.#length = 0;
  }
}
