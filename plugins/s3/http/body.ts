/** Bodies of requests: bytes on their way to the blob store. */
import { type ByteIntake, chunksOf, readWhole as readIntake } from "../../../core/byte_source.ts";
import type { HttpCall } from "../../../core/http/call.ts";
import { isSized } from "../../../core/http/server/body/body.ts";
import { WireError } from "../../../core/bytes/decoder.ts";
import type { BlobRef, BlobSource, PutOptions } from "../../../core/blobs/blob.ts";
import { MemoryFullError, StoreFullError } from "../../../core/errors.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Algorithm, Checksums } from "../catalog/model.ts";
import { AwsChunkedDecoder } from "../codec/aws_chunked.ts";
import { S3Error } from "../errors.ts";
import { readChecksums, readContentMd5 } from "./checksums.ts";
import { Hasher } from "./hashing.ts";
import { objectLimit, type SizeLimit, tooLarge } from "./limits.ts";
import type { S3Request } from "./request.ts";
import {
  checkAlgorithm,
  checkSize,
  cutShort,
  type Digests,
  hashesOf,
  incomplete,
  readStated,
  type Stated,
  statedChecksums,
  verify,
} from "./stated.ts";
import { timed } from "../../../core/http/server/body/timed_body.ts";

/** Bodies up to this size are read at once, which is faster than a stream. */
export const SMALL = 65_536;

/** A body in the blob store, retained once, that matches what its sender stated. */
export interface Received {
  readonly blob: BlobRef;
  /** Raw MD5 of the bytes. */
  readonly md5: Uint8Array;
  /** The stated ones, verified, and the requested one. */
  readonly checksums: Checksums;
}

/**
 * Streams the body into the blob store. `also`, the algorithm of an upload, is computed even if not stated; `replaces` is the size of what the body
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
  checkAlgorithm(call.headers, stated, also);
  const hasher = new Hasher(hashesOf(stated, also));
  const type = call.headers.get("content-type");
  if (!stated.framed && isSmall(call.intake)) {
    const bytes = await readWhole(call.intake, stated);
    hasher.update(bytes);
    const checked = check(stated, { digests: hasher.finish(), also });
    return { ...checked, blob: await store(catalog, bytes, { type, replaces }) };
  }
  if (!stated.framed && isSized(call.intake)) {
    checkSize(call.intake.size, stated);
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
    decoded: undefined,
    md5: readContentMd5(fields.get("content-md5")),
    sha256: undefined,
    checksums,
    trailing: [],
  };
  checkAlgorithm(fields, stated);
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

/** The bytes of a body without its framing. */
export interface Payload {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Once all bytes have passed: the trailing checksums. */
  trailers(): Checksums;
}

/** Reads a body; its bytes end with an error unless they have the stated length. */
export function readPayload(
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
      const more = [...decoder.trailers.keys()].find((name) => !isExpected(name, stated));
      if (missing === undefined && more === undefined) return found;
      throw new S3Error(
        "MalformedTrailerError",
        missing === undefined
          ? `Cannot accept ${more} after the body: x-amz-trailer does not announce it`
          : `Cannot accept the body: x-amz-trailer announces a ${missing} checksum that is missing`,
      );
    },
  };
}

/** Signatures are not verified. */
function isExpected(name: string, { trailing }: Stated): boolean {
  return name === "x-amz-trailer-signature" ||
    trailing.some((algorithm) => name === `x-amz-checksum-${algorithm}`);
}

function unframe(decoder: AwsChunkedDecoder | undefined, sent: Uint8Array): readonly Uint8Array[] {
  if (decoder === undefined) return [sent];
  try {
    return decoder.push(sent);
  } catch (error) {
    throw error instanceof WireError ? incomplete(error.message) : error;
  }
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
