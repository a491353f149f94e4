/**
 * Sending with aes128-gcm and aes256-gcm (RFC 5647). The library encrypts with `node:crypto`, which takes three times as
 * long for a packet of 32 KiB as Web Crypto, all of it on the main thread.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createCipheriv } from "node:crypto";
// @ts-types="./ssh2.d.ts"
import type { GcmCipher } from "ssh2";

const LENGTH_BYTES = 4;
const TAG_BYTES = 16;
/** The invocation counter is the rest of the nonce: RFC 5647 section 7.1. */
const FIXED_BYTES = 4;
/** From this size on, Web Crypto takes less of the main thread, in spite of its promise. */
const LONG_BYTES = 4096;

/**
 * Makes a cipher of the library encrypt long packets elsewhere. Calls `later` with bytes that are written next, but not
 * known yet.
 */
export function fixGcmCipher(
  cipher: GcmCipher,
  later: (packet: Uint8Array<ArrayBuffer>, filled: Promise<void>) => void,
): void {
  let key: CryptoKey | undefined;
  crypto.subtle.importKey("raw", new Uint8Array(cipher._encKey), "AES-GCM", false, ["encrypt"])
    .then((imported) => key = imported, () => {});
  cipher.encrypt = (packet) => {
    if (cipher._dead) return;
    const sealed = Buffer.from(new ArrayBuffer(packet.length + TAG_BYTES));
    sealed.set(packet.subarray(0, LENGTH_BYTES));
    if (key === undefined || packet.length < LONG_BYTES) seal(cipher, packet, sealed);
    else later(sealed, sealElsewhere(key, { iv: new Uint8Array(cipher._encIV), packet, sealed }));
    cipher._onWrite(sealed);
    increment(cipher._encIV);
    cipher.outSeqno = (cipher.outSeqno + 1) >>> 0;
  };
}

function seal(cipher: GcmCipher, packet: Uint8Array, sealed: Uint8Array): void {
  const sealing = createCipheriv(cipher._encSSLName, cipher._encKey, cipher._encIV);
  sealing.setAAD(packet.subarray(0, LENGTH_BYTES));
  sealed.set(sealing.update(packet.subarray(LENGTH_BYTES)), LENGTH_BYTES);
  sealing.final();
  sealed.set(sealing.getAuthTag(), packet.length);
}

async function sealElsewhere(
  key: CryptoKey,
  { iv, packet, sealed }: {
    iv: Uint8Array<ArrayBuffer>;
    packet: Uint8Array<ArrayBuffer>;
    sealed: Uint8Array;
  },
): Promise<void> {
  const additionalData = packet.subarray(0, LENGTH_BYTES);
  const body = packet.subarray(LENGTH_BYTES);
  const bytes = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData }, key, body);
  sealed.set(new Uint8Array(bytes), LENGTH_BYTES);
}

/** Adds 1 to the invocation counter. */
function increment(iv: Uint8Array): void {
  for (let at = iv.length - 1; at >= FIXED_BYTES; at--) {
    iv[at] = iv[at]! + 1;
    if (iv[at] !== 0) return;
  }
}
