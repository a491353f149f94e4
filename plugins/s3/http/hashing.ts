/** Every digest that a body is checked against or kept with, made while it passes. */
import { createHash, type Hash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Algorithm } from "../catalog/model.ts";
import { type LaneDigest, Md5Lanes, type RunningDigest } from "../codec/md5_lanes.ts";
import { crc32c, crc64nvme, type Halves } from "../codec/crc.ts";

/** A running digest of an algorithm. */
function createDigest(algorithm: Algorithm | "md5"): RunningDigest {
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

function crcDigest(step: (bytes: Uint8Array, previous?: number) => number): RunningDigest {
  let crc = 0;
  return {
    update: (bytes) => void (crc = step(bytes, crc)),
    finish: () => toBigEndian([crc]),
  };
}

function crc64Digest(): RunningDigest {
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

/** Bodies from anywhere in the process are company to each other. */
const lanes = new Md5Lanes(() => createDigest("md5"));

/** Which MD5 is made: `body` is quick beside others, and keeps its bytes for a while; they must not be changed. */
export type Md5Kind = "plain" | "body" | "none";

/** MD5 unless nobody wants it, and whatever else is asked for. To be disposed of. */
export class Hasher implements Disposable {
  readonly #digests = new Map<Algorithm | "md5", RunningDigest>();
  readonly #body: LaneDigest | undefined;

  constructor(algorithms: Iterable<Algorithm>, { md5 = "plain" }: { md5?: Md5Kind } = {}) {
    if (md5 === "body") this.#body = lanes.open();
    if (md5 !== "none") this.#digests.set("md5", this.#body ?? createDigest("md5"));
    for (const algorithm of algorithms) this.#digests.set(algorithm, createDigest(algorithm));
  }

  update(bytes: Uint8Array): void {
    for (const digest of this.#digests.values()) digest.update(bytes);
  }

  /** Raw digests, by algorithm. */
  finish(): ReadonlyMap<Algorithm | "md5", Uint8Array> {
    const finished = new Map<Algorithm | "md5", Uint8Array>();
    for (const [algorithm, digest] of this.#digests) finished.set(algorithm, digest.finish());
    return finished;
  }

  [Symbol.dispose](): void {
    this.#body?.[Symbol.dispose]();
  }
}

/** Digest of a few bytes. */
export function digestOf(algorithm: Algorithm | "md5", bytes: Uint8Array): Uint8Array {
  const digest = createDigest(algorithm);
  digest.update(bytes);
  return digest.finish();
}
