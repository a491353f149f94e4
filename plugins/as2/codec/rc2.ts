/**
 * RC2 in CBC mode, decryption only: RFC 2268. Old partners still use it, and the platform has dropped it.
 *
 *     key     1 to 128 octets, expanded to 64 words of 16 bits; "effective bits" weakens it on purpose
 *     block   four words of 16 bits, little-endian; 5 mixing rounds, mash, 6 mixing, mash, 5 mixing
 */
import { WireError } from "../../../core/bytes/decoder.ts";

/** PITABLE of section 2: a permutation of 0 to 255 made of the digits of pi. */
export const PITABLE: Uint8Array = Uint8Array.fromHex(
  "d978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2" +
    "179a59f587b34f1361456d8d09817d32bd8f40eb86b77b0bf09521225c6b4e82" +
    "54d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626" +
    "6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed7" +
    "08e8eade8052eef784aa72ac354d6a2a961ad2715a1549744b9fd05e0418a4ec" +
    "c2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731" +
    "2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a9" +
    "0d38341bab33ffb0bb480c5fb9b1cd2ec5f3db47e5a59c770aa62068fe7fc1ad",
);

const BLOCK = 8;
/** Bits that each word is rotated by. */
const ROTATION = [1, 2, 3, 5];

/** Expands a key to 64 words of key material (section 2). */
function expandKey(key: Uint8Array, effectiveBits: number): Uint16Array {
  const bytes = new Uint8Array(128);
  bytes.set(key);
  for (let i = key.length; i < 128; i++) {
    bytes[i] = PITABLE[(bytes[i - 1]! + bytes[i - key.length]!) & 0xff]!;
  }
  const effective = Math.ceil(effectiveBits / 8);
  const mask = 0xff >> (8 * effective - effectiveBits);
  bytes[128 - effective] = PITABLE[bytes[128 - effective]! & mask]!;
  for (let i = 127 - effective; i >= 0; i--) {
    bytes[i] = PITABLE[bytes[i + 1]! ^ bytes[i + effective]!]!;
  }
  return Uint16Array.from({ length: 64 }, (_, i) => bytes[2 * i]! | bytes[2 * i + 1]! << 8);
}

/** Decrypts one block in place (section 4). */
function decryptBlock(words: Uint16Array, key: Uint16Array): void {
  for (let round = 15; round >= 0; round--) {
    for (let i = 3; i >= 0; i--) {
      const [a, b, c] = [words[(i + 3) % 4]!, words[(i + 2) % 4]!, words[(i + 1) % 4]!];
      const turn = ROTATION[i]!;
      const turned = (words[i]! >> turn | words[i]! << (16 - turn)) & 0xffff;
      words[i] = turned - key[4 * round + i]! - (a & b) - (~a & c);
    }
    if (round !== 11 && round !== 5) continue;
    for (let i = 3; i >= 0; i--) words[i] = words[i]! - key[words[(i + 3) % 4]! & 63]!;
  }
}

/**
 * Decrypts chained blocks, a chunk of whole blocks at a time; keeps the padding. Throws `WireError` for an invalid key
 * or initialization vector.
 */
export function createRc2Decipher(
  { key, iv, effectiveBits }: { key: Uint8Array; iv: Uint8Array; effectiveBits: number },
): (chunk: Uint8Array) => Uint8Array {
  const usable = key.length >= 1 && key.length <= 128 && effectiveBits >= 1 &&
    effectiveBits <= 1024 && iv.length === BLOCK;
  if (!usable) {
    throw new WireError("syntax", "Cannot decrypt RC2: key or initialization vector is wrong");
  }
  const expanded = expandKey(key, effectiveBits);
  const words = new Uint16Array(4);
  let before = iv.slice();
  return (chunk) => {
    const plain = new Uint8Array(chunk.length);
    for (let at = 0; at < chunk.length; at += BLOCK) {
      for (let i = 0; i < 4; i++) words[i] = chunk[at + 2 * i]! | chunk[at + 2 * i + 1]! << 8;
      decryptBlock(words, expanded);
      for (let i = 0; i < BLOCK; i++) {
        const chained = at === 0 ? before[i]! : chunk[at - BLOCK + i]!;
        plain[at + i] = (words[i >> 1]! >> (8 * (i & 1)) & 0xff) ^ chained;
      }
    }
    before = chunk.slice(-BLOCK);
    return plain;
  };
}

/** Removes the padding (RFC 5652 section 6.3). Throws `WireError` if it is invalid. */
export function removePadding(plain: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const padding = plain.at(-1) ?? 0;
  const padded = padding >= 1 && padding <= BLOCK && plain.length % BLOCK === 0 &&
    plain.subarray(-padding).every((byte) => byte === padding);
  if (!padded) throw new WireError("syntax", "Cannot decrypt RC2: the padding is wrong");
  return plain.subarray(0, -padding);
}

/** Returns the effective bits for the version number in a message (RFC 2268 section 6). */
export function effectiveBitsOf(version: number | undefined): number {
  if (version === undefined) return 32;
  if (version >= 256) return version;
  return { 160: 40, 120: 64, 58: 128 }[version] ?? 0;
}
