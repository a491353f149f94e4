/** Checksums in requests and responses. */
import { decodeBase64 } from "@std/encoding/base64";
import { type Algorithm, ALGORITHMS, type Checksums, type ChecksumType } from "../catalog/model.ts";
import type { XmlElement } from "../codec/xml.ts";
import { S3Error } from "../errors.ts";

/** Bytes of each digest. */
const SIZES: Readonly<Record<Algorithm, number>> = {
  crc32: 4,
  crc32c: 4,
  crc64nvme: 8,
  sha1: 20,
  sha256: 32,
};

/** XML name of each. */
const XML_NAMES: Readonly<Record<Algorithm, string>> = {
  crc32: "ChecksumCRC32",
  crc32c: "ChecksumCRC32C",
  crc64nvme: "ChecksumCRC64NVME",
  sha1: "ChecksumSHA1",
  sha256: "ChecksumSHA256",
};

/** Elements that contain a checksum. */
export const CHECKSUM_ELEMENTS: readonly string[] = Object.values(XML_NAMES);

const OTHER_WORDS: ReadonlySet<string> = new Set(["algorithm", "type", "mode"]);

/** Returns the values of `x-amz-checksum-*`. Throws `NotImplemented` for an unknown algorithm. */
export function readChecksums(headers: Iterable<readonly [string, string]>): Checksums {
  const found: { [A in Algorithm]?: string } = {};
  for (const [name, value] of headers) {
    const word = /^x-amz-checksum-(.+)$/.exec(name)?.[1];
    if (word === undefined || OTHER_WORDS.has(word)) continue;
    found[toAlgorithm(word)] = value;
  }
  return found;
}

/** Returns an algorithm by its name, in any case. Throws `NotImplemented`. */
export function toAlgorithm(word: string): Algorithm {
  const lower = word.toLowerCase();
  const known = ALGORITHMS.find((algorithm) => algorithm === lower);
  if (known !== undefined) return known;
  throw new S3Error(
    "NotImplemented",
    `Cannot use checksum algorithm "${word}": expected one of ${ALGORITHMS.join(", ")}`,
  );
}

/** Returns the algorithms in a set of checksums. */
export function algorithmsOf(checksums: Checksums): Algorithm[] {
  return ALGORITHMS.filter((algorithm) => checksums[algorithm] !== undefined);
}

/** Throws `BadDigest` for a stated value that is invalid or differs from that of the bytes. */
export function verifyChecksums(
  stated: Checksums,
  digests: ReadonlyMap<string, Uint8Array>,
): void {
  for (const algorithm of algorithmsOf(stated)) {
    const digest = digests.get(algorithm);
    const value = stated[algorithm]!;
    if (digest?.toBase64() === value) continue;
    const actual = digest === undefined ? "" : `: the bytes give "${digest.toBase64()}"`;
    throw new S3Error("BadDigest", `Cannot accept ${algorithm} checksum "${value}"${actual}`);
  }
}

/** Returns whether a value is a valid checksum of that algorithm. */
export function isChecksum(algorithm: Algorithm, value: string): boolean {
  return fromBase64(value)?.length === SIZES[algorithm];
}

/** Returns the 16 bytes of `Content-MD5`. Throws `InvalidDigest`. */
export function readContentMd5(value: string | null): Uint8Array | undefined {
  if (value === null) return undefined;
  const digest = fromBase64(value);
  if (digest?.length === 16) return digest;
  throw new S3Error(
    "InvalidDigest",
    `Cannot read Content-MD5 "${value}": expected 16 bytes in base64`,
  );
}

/** Decodes base64; `undefined` for invalid text. */
export function fromBase64(value: string): Uint8Array | undefined {
  try {
    return decodeBase64(value);
  } catch {
    return undefined;
  }
}

/** Returns the header fields of checksums. */
export function checksumHeaders(checksums: Checksums, type: ChecksumType): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const algorithm of algorithmsOf(checksums)) {
    headers[`x-amz-checksum-${algorithm}`] = checksums[algorithm]!;
    headers["x-amz-checksum-type"] = type;
  }
  return headers;
}

/** Returns the elements of checksums. */
export function checksumElements(checksums: Checksums): XmlElement[] {
  return algorithmsOf(checksums).map((algorithm) => [XML_NAMES[algorithm], checksums[algorithm]]);
}

/** Reads the checksums of a part, each by its element's name. */
export function checksumsFrom(read: (name: string) => string | undefined): Checksums {
  const found: { [A in Algorithm]?: string } = {};
  for (const algorithm of ALGORITHMS) {
    const value = read(XML_NAMES[algorithm])?.trim();
    if (value !== undefined && value !== "") found[algorithm] = value;
  }
  return found;
}
