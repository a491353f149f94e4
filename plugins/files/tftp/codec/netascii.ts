/**
 * netascii (RFC 1350 section 1, RFC 764): LF travels as CR LF, CR as CR NUL.
 *
 * @module
 */

const NUL = 0x00;
const LF = 0x0a;
const CR = 0x0d;

/** Encodes a whole text. */
export function encodeNetascii(bytes: Uint8Array): Uint8Array {
  let more = 0;
  for (const byte of bytes) if (byte === LF || byte === CR) more++;
  const out = new Uint8Array(bytes.length + more);
  let at = 0;
  for (const byte of bytes) {
    if (byte === LF || byte === CR) {
      out[at++] = CR;
      out[at++] = byte === LF ? LF : NUL;
    } else out[at++] = byte;
  }
  return out;
}

/** Decodes a text block by block: a pair may be cut in two. */
export class NetasciiDecoder {
  #afterReturn = false;

  /** Decodes a block. A CR before anything but LF and NUL is kept. */
  push(block: Uint8Array): Uint8Array {
    const out = new Uint8Array(block.length + 1);
    let at = 0;
    for (const byte of block) {
      if (this.#afterReturn) {
        this.#afterReturn = false;
        if (byte === LF || byte === NUL) {
          out[at++] = byte === LF ? LF : CR;
          continue;
        }
        out[at++] = CR;
      }
      if (byte === CR) this.#afterReturn = true;
      else out[at++] = byte;
    }
    return out.subarray(0, at);
  }

  /** Returns a pending CR at the end. */
  end(): Uint8Array {
    const rest = this.#afterReturn ? Uint8Array.of(CR) : new Uint8Array();
    this.#afterReturn = false;
    return rest;
  }
}
