/** Bodies of requests: bytes on their way to the blob store, and short XML documents. */
import { type ByteIntake, chunksOf, readWhole as readIntake } from "../../../core/byte_source.ts";
import type { HeaderValues, HttpCall } from "../../../core/http/call.ts";
import { isSized } from "../../../core/http/server/body/body.ts";
import { WireError } from "../../../core/bytes/decoder.ts";
import { ByteGatherer } from "../../../core/bytes/gatherer.ts";
import type { BlobRef, BlobSource, PutOptions } from "../../../core/blobs/blob.ts";
import { MemoryFullError, StoreFullError } from "../../../core/errors.ts";
import type { MemoryLease } from "../../../core/memory/lease.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Algorithm, Checksums } from "../catalog/model.ts";
import { AwsChunkedDecoder } from "../codec/aws_chunked.ts";
import type { XmlNode } from "../codec/xml.ts";
import { S3Error } from "../errors.ts";
import {
  algorithmsOf,
  isChecksum,
  readChecksums,
  readContentMd5,
  verifyChecksums,
} from "./checksums.ts";
import { Hasher } from "./hashing.ts";
import { objectLimit, type SizeLimit, tooLarge } from "./limits.ts";
import type { S3Request } from "./request.ts";
import { timed } from "../../../core/http/server/body/timed_body.ts";

/** Bodies up to this size are read at once, which is faster than a stream. */
const SMALL = 65_536;

/** Memory of a document while it is read, as a multiple of its size: every element is an object. */
const XML_WORK_FACTOR = 12;

/** A body in the blob store, retained once, that matches what its sender stated. */
export interface Received {
  readonly blob: BlobRef;
  /** Raw MD5 of the bytes. */
  readonly md5: Uint8Array;
  /** The stated ones, verified, and the requested one. */
  readonly checksums: Checksums;
}

type Digests = ReturnType<Hasher["finish"]>;

/** Framing of a body, and what its sender states of it. */
interface Stated {
  readonly limit: SizeLimit;
  readonly framed: boolean;
  /** Bytes of the payload, if known beforehand. */
  readonly size: number | undefined;
  readonly md5: Uint8Array | undefined;
  readonly sha256: string | undefined;
  readonly checksums: Checksums;
  /** Algorithms whose values follow the bytes. */
  readonly trailing: readonly Algorithm[];
}

/**
 * Streams the body into the blob store. `also` is computed even if not stated; `replaces` is the size of what the body
 * replaces. Throws `S3Error` for a body that is too large, incomplete or not as stated, and for a full store; nothing
 * is stored then.
 */
export async function receiveBody(
  request: S3Request,
  { also, replaces, limit = objectLimit(request) }: {
    also?: Algorithm | undefined;
    replaces?: number | undefined;
    limit?: SizeLimit;
  } = {},
): Promise<Received> {
  const { catalog, call } = request;
  const checksums = statedChecksums(call.headers);
  const stated = readStated(request, { limit, checksums });
  const hasher = new Hasher(hashesOf(stated, also));
  const type = call.headers.get("content-type");
  if (!stated.framed && isSmall(call.intake)) {
    const bytes = await readWhole(call.intake, stated);
    hasher.update(bytes);
    const checked = check(stated, { digests: hasher.finish(), also });
    return { ...checked, blob: await store(catalog, bytes, { type, replaces }) };
  }
  if (!stated.framed && isSized(call.intake)) {
    const blob = await store(catalog, hashed(call.intake, hasher), { type });
    return await keepChecked(
      request,
      blob,
      () => check(stated, { digests: hasher.finish(), also }),
    );
  }
  const payload = readPayload(readSent(request), stated, hasher);
  const blob = await store(catalog, ReadableStream.from(payload.bytes), { type });
  return await keepChecked(request, blob, () => {
    const trailers = payload.trailers();
    return check(stated, { trailers, digests: hasher.finish(), also });
  });
}

/** Does the same for the file of a form, whose fields replace the header fields. */
export async function receiveFile(
  request: S3Request,
  file: AsyncIterable<Uint8Array>,
  { fields, maxBytes }: { fields: Headers; maxBytes: number },
): Promise<Received> {
  const checksums = statedChecksums(fields);
  const limit = objectLimit(request);
  const stated: Stated = {
    limit: maxBytes < limit.maxBytes
      ? { ...limit, maxBytes, why: "the policy of the form requires it" }
      : limit,
    framed: false,
    size: undefined,
    md5: readContentMd5(fields.get("content-md5")),
    sha256: undefined,
    checksums,
    trailing: [],
  };
  const hasher = new Hasher(hashesOf(stated));
  const { bytes } = readPayload(file, stated, hasher);
  const type = fields.get("content-type");
  const blob = await store(request.catalog, ReadableStream.from(bytes), { type });
  const about = () => check(stated, { digests: hasher.finish(), also: undefined });
  return await keepChecked(request, blob, about);
}

/** Removes a stored body that does not match what its sender stated. */
async function keepChecked(
  { catalog }: S3Request,
  blob: BlobRef,
  check: () => Omit<Received, "blob">,
): Promise<Received> {
  try {
    return { blob, ...check() };
  } catch (error) {
    await catalog.blobs.remove(blob.id);
    throw error;
  }
}

/** Hashes bytes while another reader consumes them. */
function hashed(intake: ByteIntake, hasher: Hasher): ByteIntake {
  return {
    size: intake.size,
    async read(into) {
      try {
        const count = await intake.read(into);
        hasher.update(into.subarray(0, count));
        return count;
      } catch (error) {
        throw toIncomplete(error);
      }
    },
  };
}

/** Verifies the digests against those stated, and returns them. */
function check(
  stated: Stated,
  { trailers, digests, also }: {
    trailers?: Checksums;
    digests: Digests;
    also: Algorithm | undefined;
  },
): Omit<Received, "blob"> {
  const checksums = { ...stated.checksums, ...trailers };
  verify(stated, checksums, digests);
  const own = also === undefined ? {} : { [also]: digests.get(also)!.toBase64() };
  return { md5: digests.get("md5")!, checksums: { ...checksums, ...own } };
}

async function store(
  catalog: Catalog,
  bytes: BlobSource,
  { type, replaces }: PutOptions & { type: string | null },
): Promise<BlobRef> {
  try {
    const about = type === null || type === "" ? {} : { content_type: type };
    return await catalog.blobs.put(bytes, about, { replaces });
  } catch (error) {
    throw toFull(error, catalog);
  }
}

/** Returns the error for a full blob store; "SlowDown" if a retry may succeed. */
export function toFull(error: unknown, { isKept }: Pick<Catalog, "isKept">): unknown {
  if (error instanceof MemoryFullError) return new S3Error("SlowDown", error.message);
  if (!(error instanceof StoreFullError)) return error;
  const wayOut = isKept ? "" : "; or start with --persist DIR, which keeps objects on disk";
  return new S3Error("ServiceUnavailable", `${error.message}${wayOut}`);
}

/**
 * Reads the XML document of a request. `checksums` are those in its header fields; none if these are about something
 * else.
 */
export async function readXmlBody(
  request: S3Request,
  { checksums = statedChecksums(request.call.headers), maxBytes = Infinity }: {
    checksums?: Checksums;
    maxBytes?: number;
  } = {},
): Promise<XmlNode | undefined> {
  const most = Math.min(maxBytes, request.env.values.max_xml_bytes);
  const text = await readText(request, { checksums, maxBytes: most, code: "MalformedXML" });
  if (text === "") return undefined;
  const { readXml } = await import("../codec/xml_reader.ts");
  const root = readXml(text);
  if (root !== undefined) return root;
  throw new S3Error("MalformedXML", "Cannot read the body: it is not a well-formed XML document");
}

/** Reads a short body as text. Throws the code for a longer one. */
export async function readText(
  request: S3Request,
  { checksums = statedChecksums(request.call.headers), ...limit }: SizeLimit & {
    checksums?: Checksums;
  },
): Promise<string> {
  const stated = readStated(request, { limit, checksums });
  const hasher = new Hasher(hashesOf(stated));
  const payload = readPayload(readSent(request), stated, hasher);
  using lease = request.env.ctx.memory.lease({ gone: request.call.gone });
  const bytes = await gatherText(payload.bytes, lease, request.catalog);
  verify(stated, { ...stated.checksums, ...payload.trailers() }, hasher.finish());
  return new TextDecoder().decode(bytes);
}

async function gatherText(
  chunks: AsyncIterable<Uint8Array>,
  lease: MemoryLease,
  catalog: Catalog,
): Promise<Uint8Array> {
  const gathered = new ByteGatherer();
  const cover = async (bytes: number): Promise<void> => {
    try {
      await lease.cover(bytes);
    } catch (error) {
      throw toFull(error, catalog);
    }
  };
  for await (const chunk of chunks) {
    if (gathered.length > SMALL) await cover(gathered.bytesWith(chunk.length));
    gathered.append(chunk);
  }
  if (gathered.length > SMALL) await cover(XML_WORK_FACTOR * gathered.length);
  return gathered.view();
}

function readStated(
  request: S3Request,
  { limit, checksums }: Pick<Stated, "limit" | "checksums">,
): Stated {
  const { headers } = request.call;
  const sha256 = headers.get("x-amz-content-sha256") ?? "";
  const framed = checkFraming(request, sha256);
  const length = headers.get(framed ? "x-amz-decoded-content-length" : "content-length");
  const size = length !== null && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
  if (size !== undefined && size > limit.maxBytes) throw tooLarge(limit);
  return {
    limit,
    framed,
    size,
    md5: readContentMd5(headers.get("content-md5")),
    sha256: /^[0-9a-f]{64}$/i.test(sha256) ? sha256.toLowerCase() : undefined,
    checksums,
    trailing: trailingAlgorithms(headers, framed),
  };
}

function statedChecksums(headers: HeaderValues): Checksums {
  const checksums = readChecksums(headers);
  for (const algorithm of algorithmsOf(checksums)) {
    const value = checksums[algorithm]!;
    if (isChecksum(algorithm, value)) continue;
    throw new S3Error("BadDigest", `Cannot read ${algorithm} checksum "${value}": malformed`);
  }
  return checksums;
}

/** Returns the algorithms whose values the framing carries. Throws `MalformedTrailerError` if there is none to do so. */
function trailingAlgorithms(headers: HeaderValues, framed: boolean): Algorithm[] {
  const text = headers.get("x-amz-trailer") ?? "";
  if (text === "") return [];
  if (!framed) {
    throw new S3Error(
      "MalformedTrailerError",
      `Cannot accept x-amz-trailer "${text}": the body has no aws-chunked framing`,
    );
  }
  const names = text.split(",").map((name) => name.trim());
  return algorithmsOf(readChecksums(names.map((name) => [name.toLowerCase(), ""] as const)));
}

/** Returns whether the body has `aws-chunked` framing. Throws `NotImplemented` while that is switched off. */
function checkFraming({ call, env }: S3Request, sha256: string): boolean {
  const framed = sha256.startsWith("STREAMING-");
  const named = hasAwsChunked(call.headers.get("content-encoding"));
  if (!env.values.aws_chunked && (framed || named)) throw new S3Error("NotImplemented", WAY_OUT);
  return framed;
}

const WAY_OUT = "Cannot accept an aws-chunked upload: set AWS_REQUEST_CHECKSUM_CALCULATION to " +
  "when_required in the client (Java: also chunkedEncodingEnabled(false); .NET: also " +
  "UseChunkEncoding = false; minio-go: DisableContentSha256), or start this store with --s3-aws-chunked";

/** Returns whether `Content-Encoding` has the token `aws-chunked`. */
function hasAwsChunked(encoding: string | null): boolean {
  return /(^|,)\s*aws-chunked\s*(,|$)/i.test(encoding ?? "");
}

function hashesOf(stated: Stated, also?: Algorithm): Set<Algorithm> {
  const algorithms = new Set([...algorithmsOf(stated.checksums), ...stated.trailing]);
  if (also !== undefined) algorithms.add(also);
  if (stated.sha256 !== undefined) algorithms.add("sha256");
  return algorithms;
}

interface Payload {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Once all bytes have passed: the trailing checksums. */
  trailers(): Checksums;
}

function readPayload(
  body: AsyncIterable<Uint8Array>,
  stated: Stated,
  hasher: Hasher,
): Payload {
  const decoder = stated.framed ? new AwsChunkedDecoder() : undefined;
  const { limit } = stated;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    let size = 0;
    for await (const sent of body) {
      for (const chunk of unframe(decoder, sent)) {
        size += chunk.length;
        if (size > limit.maxBytes) throw tooLarge(limit);
        hasher.update(chunk);
        yield chunk;
      }
    }
    if (decoder?.ended === false) throw cutShort(size, stated);
    checkSize(size, stated);
  }
  return {
    bytes: bytes(),
    trailers() {
      if (decoder === undefined) return {};
      const found = readChecksums(decoder.trailers);
      const missing = stated.trailing.find((algorithm) => found[algorithm] === undefined);
      if (missing === undefined) return found;
      throw new S3Error(
        "MalformedTrailerError",
        `Cannot accept the body: x-amz-trailer announces a ${missing} checksum that is missing`,
      );
    },
  };
}

function unframe(decoder: AwsChunkedDecoder | undefined, sent: Uint8Array): readonly Uint8Array[] {
  if (decoder === undefined) return [sent];
  try {
    return decoder.push(sent);
  } catch (error) {
    throw error instanceof WireError ? incomplete(error.message) : error;
  }
}

function checkSize(size: number, stated: Stated): void {
  if (stated.size !== undefined && size !== stated.size) throw cutShort(size, stated);
}

function cutShort(size: number, stated: Stated): S3Error {
  return incomplete(`${size} bytes arrived, ${stated.size ?? "more"} were announced`);
}

function isSmall(intake: HttpCall["intake"]): intake is ByteIntake {
  return isSized(intake) && intake.size <= SMALL;
}

async function readWhole(intake: ByteIntake, stated: Stated): Promise<Uint8Array> {
  try {
    const bytes = await readIntake(intake);
    checkSize(bytes.length, stated);
    return bytes;
  } catch (error) {
    throw toIncomplete(error);
  }
}

/**
 * Yields the body as sent; each chunk is valid until the next. It is incomplete if the client disconnects or stalls.
 */
export async function* readSent({ call, env }: S3Request): AsyncGenerator<Uint8Array> {
  try {
    if (isSmall(call.intake)) {
      const bytes = await readIntake(call.intake);
      if (bytes.length > 0) yield bytes;
    } else if (call.intake !== undefined) {
      yield* chunksOf(call.intake, SMALL);
    } else if (call.request.body !== null) {
      yield* timed(call.request.body, env.values.read_timeout * 1000);
    }
  } catch (error) {
    throw toIncomplete(error);
  }
}

function toIncomplete(error: unknown): S3Error {
  if (error instanceof S3Error) return error;
  return incomplete("the client disconnected or stalled before its end");
}

/** Returns the error for a body that ends too early. */
export function incomplete(reason: string): S3Error {
  return new S3Error("IncompleteBody", `Cannot accept the body: ${reason}`, {
    connection: "close",
  });
}

function verify(
  stated: Stated,
  checksums: Checksums,
  digests: Digests,
): void {
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
