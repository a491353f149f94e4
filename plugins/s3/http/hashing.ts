/** Digests that a body is checked against or stored with, computed while it passes. */
import { createHash, type Hash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Algorithm } from "../catalog/model.ts";
import { crc32c, crc64nvme, type Halves } from "../codec/crc.ts";

interface Digest {
  update(bytes: Uint8Array): void;
  finish(): Uint8Array;
}

/** Starts a digest of an algorithm. */
function createDigest(algorithm: Algorithm | "md5"): Digest {
  switch (algorithm) {
    case "crc32":
      return crcDigest(crc32);
    case "crc32c":
      return crcDigest(crc32c);
    case "crc64nvme":
      return crc64Digest();
    default: {
      const hash: Hash = createHash(algorithm);
      return { update: (bytes) => void hash.update(bytes), finish: () => hash.digest() };
    }
  }
}

function crcDigest(step: (bytes: Uint8Array, previous?: number) => number): Digest {
  let crc = 0;
  return {
    update: (bytes) => void (crc = step(bytes, crc)),
    finish: () => toBigEndian([crc]),
  };
}

function crc64Digest(): Digest {
  let crc: Halves = { high: 0, low: 0 };
  return {
    update: (bytes) => void (crc = crc64nvme(bytes, crc)),
    finish: () => toBigEndian([crc.high, crc.low]),
  };
}

function toBigEndian(words: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(words.length * 4));
  words.forEach((word, index) => view.setUint32(index * 4, word));
  return new Uint8Array(view.buffer);
}

/** Computes MD5, unless it is not needed, and the requested digests. */
export class Hasher {
  readonly #digests = new Map<Algorithm | "md5", Digest>();

  constructor(algorithms: Iterable<Algorithm>, { md5 = true } = {}) {
    for (const algorithm of [...md5 ? ["md5" as const] : [], ...algorithms]) {
      this.#digests.set(algorithm, createDigest(algorithm));
    }
  }

  update(bytes: Uint8Array): void {
    for (const digest of this.#digests.values()) digest.update(bytes);
  }

  /** Returns the raw digests, by algorithm. */
  finish(): ReadonlyMap<Algorithm | "md5", Uint8Array> {
    const finished = new Map<Algorithm | "md5", Uint8Array>();
    for (const [algorithm, digest] of this.#digests) finished.set(algorithm, digest.finish());
    return finished;
  }
}

/** Returns the digest of a few bytes. */
export function digestOf(algorithm: Algorithm | "md5", bytes: Uint8Array): Uint8Array {
  const digest = createDigest(algorithm);
  digest.update(bytes);
  return digest.finish();
}
