/** What the sender of a body states of it: its framing, its length and its digests. */
import type { HeaderValues, HttpCall } from "../../../core/http/call.ts";
import type { Algorithm, Checksums } from "../catalog/model.ts";
import { S3Error } from "../errors.ts";
import {
  algorithmsOf,
  isChecksum,
  readChecksums,
  readContentMd5,
  toAlgorithm,
  verifyChecksums,
} from "./checksums.ts";
import type { Hasher } from "./hashing.ts";
import { type SizeLimit, tooLarge } from "./limits.ts";
import type { S3Request } from "./request.ts";

const DECODED = "x-amz-decoded-content-length";
/** The first is that of SDKs; the second, which S3 reads with copies and new uploads, is sent by minio-go. */
const NAMED = ["x-amz-sdk-checksum-algorithm", "x-amz-checksum-algorithm"] as const;
const TRAILER = "x-amz-trailer";

/** Computed digests, by algorithm. */
export type Digests = ReturnType<Hasher["finish"]>;

/** Framing of a body, and what its sender states of it. */
export interface Stated {
  readonly limit: SizeLimit;
  readonly framed: boolean;
  /** Bytes of the payload, if known beforehand. */
  readonly size: number | undefined;
  /** The same as stated for framing, in a request without it. */
  readonly decoded: number | undefined;
  readonly md5: Uint8Array | undefined;
  readonly sha256: string | undefined;
  readonly checksums: Checksums;
  /** Algorithms whose values follow the bytes. */
  readonly trailing: readonly Algorithm[];
}

/** Reads it. Throws the code of the limit, `InvalidArgument` for a length that is not the body's, and those of digests. */
export function readStated(
  { call, env }: S3Request,
  { limit, checksums }: Pick<Stated, "limit" | "checksums">,
): Stated {
  const { headers } = call;
  const sha256 = headers.get("x-amz-content-sha256") ?? "";
  const framed = checkFraming(call, sha256, env.values.aws_chunked);
  const decoded = toLength(headers.get(DECODED));
  const size = framed ? decoded : toLength(headers.get("content-length"));
  if (size !== undefined && size > limit.maxBytes) throw tooLarge(limit);
  const stated: Stated = {
    limit,
    framed,
    size,
    decoded: framed ? undefined : decoded,
    md5: readContentMd5(headers.get("content-md5")),
    sha256: /^[0-9a-f]{64}$/i.test(sha256) ? sha256.toLowerCase() : undefined,
    checksums,
    trailing: trailingAlgorithms(headers, framed),
  };
  if (size !== undefined) checkDecoded(size, stated);
  return stated;
}

function toLength(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Returns whether the body has `aws-chunked` framing. Throws `NotImplemented` while that is switched off. */
function checkFraming({ headers }: HttpCall, sha256: string, isAccepted: boolean): boolean {
  const framed = sha256.startsWith("STREAMING-");
  const named = hasAwsChunked(headers.get("content-encoding"));
  if (!isAccepted && (framed || named)) throw new S3Error("NotImplemented", WAY_OUT);
  return framed;
}

const WAY_OUT = "Cannot accept an aws-chunked upload: set AWS_REQUEST_CHECKSUM_CALCULATION to " +
  "when_required in the client (Java: also chunkedEncodingEnabled(false); .NET: also " +
  "UseChunkEncoding = false; minio-go: DisableContentSha256), or start this store with --s3-aws-chunked";

/** Returns whether `Content-Encoding` has the token `aws-chunked`. */
function hasAwsChunked(encoding: string | null): boolean {
  return /(^|,)\s*aws-chunked\s*(,|$)/i.test(encoding ?? "");
}

/**
 * Returns the checksums in header fields. Throws `BadDigest` for an invalid one, and `InvalidRequest` for several, which
 * S3 refuses even if all are right.
 */
export function statedChecksums(headers: HeaderValues): Checksums {
  const checksums = readChecksums(headers);
  const algorithms = algorithmsOf(checksums);
  if (algorithms.length > 1) throw notSingle(algorithms);
  for (const algorithm of algorithms) {
    const value = checksums[algorithm]!;
    if (isChecksum(algorithm, value)) continue;
    throw new S3Error("BadDigest", `Cannot read ${algorithm} checksum "${value}": malformed`);
  }
  return checksums;
}

function notSingle(algorithms: readonly Algorithm[]): S3Error {
  return new S3Error(
    "InvalidRequest",
    "Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed: " +
      algorithms.join(", "),
  );
}

/**
 * Returns the algorithms whose values the framing carries. Throws `MalformedTrailerError` if there is none to do so, and
 * `InvalidRequest` for a field that is no checksum.
 */
function trailingAlgorithms(headers: HeaderValues, framed: boolean): Algorithm[] {
  const text = headers.get(TRAILER) ?? "";
  if (text === "") return [];
  if (!framed) {
    throw new S3Error(
      "MalformedTrailerError",
      `Cannot accept ${TRAILER} "${text}": the body has no aws-chunked framing`,
    );
  }
  const names = text.split(",").map((name) => name.trim().toLowerCase());
  const algorithms = algorithmsOf(readChecksums(names.map((name) => [name, ""] as const)));
  if (algorithms.length === names.length) return algorithms;
  throw new S3Error(
    "InvalidRequest",
    `Cannot accept ${TRAILER} "${text}": expected the name of one x-amz-checksum-* field`,
  );
}

/**
 * Throws `InvalidRequest` for a body without `Content-MD5` and checksum; the digest of its signature does not count
 * (API reference, DeleteObjects).
 */
export function demandDigest(headers: HeaderValues): void {
  if (headers.get("content-md5") !== null || (headers.get(TRAILER) ?? "") !== "") return;
  if (algorithmsOf(readChecksums(headers)).length > 0) return;
  throw new S3Error(
    "InvalidRequest",
    "Missing required header for this request: Content-MD5 OR x-amz-checksum-*",
  );
}

/**
 * Checks the checksum of an object or part against the algorithm that its sender names. Throws `InvalidRequest` if there is
 * none, several, or one of another algorithm (API reference, PutObject), or than that of the upload (UploadPart).
 */
export function checkAlgorithm(
  headers: HeaderValues,
  { checksums, trailing }: Pick<Stated, "checksums" | "trailing">,
  ofUpload?: Algorithm,
): void {
  const sent = [...algorithmsOf(checksums), ...trailing];
  if (sent.length > 1) throw notSingle(sent);
  if (ofUpload !== undefined && sent.length > 0 && sent[0] !== ofUpload) {
    throw new S3Error(
      "InvalidRequest",
      `Checksum Type mismatch occurred, expected checksum Type: ${ofUpload}, actual checksum Type: ${
        sent[0]
      }`,
    );
  }
  for (const field of NAMED) {
    const named = headers.get(field);
    if (named === null || sent[0] === toAlgorithm(named)) continue;
    throw new S3Error(
      "InvalidRequest",
      sent.length === 0
        ? `${field} specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.`
        : `Value for ${field} header is invalid: "${named}" with a ${sent[0]} checksum`,
    );
  }
}

/** Returns the algorithms to compute. */
export function hashesOf(stated: Stated, also?: Algorithm): Set<Algorithm> {
  const algorithms = new Set([...algorithmsOf(stated.checksums), ...stated.trailing]);
  if (also !== undefined) algorithms.add(also);
  if (stated.sha256 !== undefined) algorithms.add("sha256");
  return algorithms;
}

/** Throws `IncompleteBody` and `InvalidArgument` for a body of another length. */
export function checkSize(size: number, stated: Stated): void {
  if (stated.size !== undefined && size !== stated.size) throw cutShort(size, stated);
  checkDecoded(size, stated);
}

/** S3 ignores this length without framing; a sender that states another one than the body's has made a mistake. */
function checkDecoded(size: number, { decoded }: Stated): void {
  if (decoded === undefined || decoded === size) return;
  throw new S3Error(
    "InvalidArgument",
    `Cannot accept ${DECODED} "${decoded}": the body has ${size} bytes, and no aws-chunked framing`,
  );
}

/** Returns the error for a body of too few bytes. */
export function cutShort(size: number, stated: Stated): S3Error {
  return incomplete(`${size} bytes arrived, ${stated.size ?? "more"} were announced`);
}

/** Returns the error for a body that ends too early. */
export function incomplete(reason: string): S3Error {
  return new S3Error("IncompleteBody", `Cannot accept the body: ${reason}`, {
    connection: "close",
  });
}

/** Throws `BadDigest` and `XAmzContentSHA256Mismatch` for bytes that are not those stated. */
export function verify(stated: Stated, checksums: Checksums, digests: Digests): void {
  const md5 = digests.get("md5")!.toHex();
  if (stated.md5 !== undefined && stated.md5.toHex() !== md5) {
    throw new S3Error(
      "BadDigest",
      `Cannot accept Content-MD5 "${stated.md5.toBase64()}": the bytes give "${
        digests.get("md5")!.toBase64()
      }"`,
    );
  }
  const sha256 = digests.get("sha256")?.toHex();
  if (stated.sha256 !== undefined && stated.sha256 !== sha256) {
    throw new S3Error(
      "XAmzContentSHA256Mismatch",
      `Cannot accept x-amz-content-sha256 "${stated.sha256}": the bytes give "${sha256}"`,
    );
  }
  verifyChecksums(checksums, digests);
}
