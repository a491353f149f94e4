/**
 * The cipher chacha20-poly1305@openssh.com (OpenSSH's PROTOCOL.chacha20poly1305) instead of the
 * library's implementation, which opens five ciphers of the platform for every packet and its
 * response, and never closes them. The platform keeps a cipher until it is closed: 1.6 KB per packet,
 * as long as the program runs.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createCipheriv, getCiphers, timingSafeEqual } from "node:crypto";
// @ts-types="./poly1305.d.ts"
import loadPoly1305 from "ssh2/lib/protocol/crypto/poly1305.js";
// @ts-types="./ssh2.d.ts"
import type { ChaChaPolyCipher, ChaChaPolyDecipher, Decipher } from "ssh2";

const LENGTH_BYTES = 4;
const TAG_BYTES = 16;
/** Longest packet that the library accepts with any cipher. */
const MAX_PACKET_BYTES = 35_000;
const BLOCK_BYTES = 8;
/**
 * The first half of block 0 of the key stream is the key of the tag. The payload begins with block
 * 1.
 */
const BLOCK_0 = new Uint8Array(64);
const TAG_KEY_BYTES = 32;

/** Up to this size, a packet is passed on in one part. */
const JOIN_BYTES = 4096;

const poly1305 = await loadPoly1305();
const tagAt = poly1305._malloc(TAG_BYTES);
const authenticate = poly1305.cwrap("poly1305_auth", null, [
  ...["number", "array", "number", "array", "number", "array"] as const,
]);

/** Whether the platform has the stream cipher: Deno 2.5 does not. */
export const HAS_CHACHA = getCiphers().includes("chacha20");

/** Makes a cipher of the library close what it opens. */
export function fixCipher(cipher: ChaChaPolyCipher): void {
  cipher.encrypt = (packet) => {
    if (cipher._dead) return;
    const length = applyLengthKey(
      cipher._encKeyPktLen,
      cipher.outSeqno,
      packet.subarray(0, LENGTH_BYTES),
    );
    const stream = openStream(cipher._encKeyMain, cipher.outSeqno);
    const tagKey = takeTagKey(stream);
    const sealed = stream.update(packet.subarray(LENGTH_BYTES));
    stream.final();
    const parts = [length, sealed, tagOf(tagKey, length, sealed)];
    // Each part takes the stream several us, and joining a small packet takes less.
    if (sealed.length <= JOIN_BYTES) cipher._onWrite(Buffer.concat(parts));
    else for (const part of parts) cipher._onWrite(part);
    cipher.outSeqno = (cipher.outSeqno + 1) >>> 0;
  };
}

/** Replaces a decipher of the library with the same keys. */
export class ChaChaDecipher implements Decipher {
  inSeqno: number;
  _onPayload: (payload: Uint8Array) => unknown;
  readonly #keys: Pick<ChaChaPolyDecipher, "_decKeyMain" | "_decKeyPktLen">;
  /** The received part of a packet: first its length, then all of it with its tag. */
  #packet = Buffer.alloc(LENGTH_BYTES);
  #count = 0;

  constructor(replaced: ChaChaPolyDecipher) {
    this.inSeqno = replaced.inSeqno;
    this._onPayload = replaced._onPayload;
    this.#keys = replaced;
  }

  /** Called by the library; everything is already closed after each packet. */
  free(): void {}

  /**
   * Reads `data` from `at` up to `end`. Returns where another decipher must continue, or
   * `undefined` if everything was read. Throws an `Error` for a packet that is too long, truncated
   * or modified.
   */
  decrypt(data: Uint8Array, at: number, end: number): unknown {
    while (at < end) {
      const count = Math.min(this.#packet.length - this.#count, end - at);
      this.#packet.set(data.subarray(at, at + count), this.#count);
      this.#count += count;
      at += count;
      if (this.#count < this.#packet.length) return;
      if (this.#count === LENGTH_BYTES) {
        this.#makeRoom();
        continue;
      }
      const payload = this.#open();
      this.#packet = Buffer.alloc(LENGTH_BYTES);
      this.#count = 0;
      this.inSeqno = (this.inSeqno + 1) >>> 0;
      const next = this._onPayload(payload);
      if (next !== undefined) return next === false ? at : next;
    }
  }

  /** Makes room for the packet whose length has arrived. */
  #makeRoom(): void {
    const length = applyLengthKey(this.#keys._decKeyPktLen, this.inSeqno, this.#packet)
      .readUInt32BE(0);
    if (length > MAX_PACKET_BYTES || length < BLOCK_BYTES || length % BLOCK_BYTES !== 0) {
      throw new Error("Bad packet length");
    }
    const whole = Buffer.allocUnsafe(LENGTH_BYTES + length + TAG_BYTES);
    whole.set(this.#packet);
    this.#packet = whole;
  }

  #open(): Uint8Array {
    const tagFrom = this.#packet.length - TAG_BYTES;
    const sealed = this.#packet.subarray(LENGTH_BYTES, tagFrom);
    const stream = openStream(this.#keys._decKeyMain, this.inSeqno);
    try {
      const tag = tagOf(takeTagKey(stream), this.#packet.subarray(0, LENGTH_BYTES), sealed);
      if (!timingSafeEqual(tag, this.#packet.subarray(tagFrom))) throw new Error("Invalid MAC");
      const opened = stream.update(sealed);
      const padding = opened[0]!;
      if (padding >= opened.length) throw new Error("Bad padding");
      return opened.subarray(1, opened.length - padding);
    } finally {
      stream.final();
    }
  }
}

/** Encrypts or decrypts the length of a packet, which has a separate key. */
function applyLengthKey(key: Uint8Array, sequence: number, length: Uint8Array): Buffer {
  const stream = openStream(key, sequence);
  const applied = stream.update(length);
  stream.final();
  return applied;
}

/** Returns the key stream of one packet from block 0, which both encrypts and decrypts. */
function openStream(key: Uint8Array, sequence: number): ReturnType<typeof createCipheriv> {
  // Counter and nonce, 64 bits each: the counter is 0, the nonce the number of the packet.
  const start = Buffer.alloc(16);
  start.writeUInt32BE(sequence, 12);
  return createCipheriv("chacha20", key, start);
}

function takeTagKey(stream: ReturnType<typeof createCipheriv>): Uint8Array {
  return stream.update(BLOCK_0).subarray(0, TAG_KEY_BYTES);
}

function tagOf(key: Uint8Array, length: Uint8Array, sealed: Uint8Array): Uint8Array {
  authenticate(tagAt, length, length.length, sealed, sealed.length, key);
  return poly1305.HEAPU8.slice(tagAt, tagAt + TAG_BYTES);
}
