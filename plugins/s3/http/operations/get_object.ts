import type { ByteSource } from "../../../../core/byte_source.ts";
import type { HeaderValues } from "../../../../core/http/call.ts";
import { type ByteRange, parseRange } from "../../../../core/http/range.ts";
import { sourcedResponse } from "../../../../core/http/answer.ts";
import type { ObjectPart, StoredObject } from "../../catalog/model.ts";
import { checkConditions } from "../../codec/conditions.ts";
import { S3Error } from "../../errors.ts";
import { checksumHeaders } from "../checksums.ts";
import { checkObjectKey } from "../customer_key.ts";
import { expirationHeaders } from "../expiration.ts";
import { objectHeaders, overrideHeaders } from "../headers.ts";
import { quote } from "../reply.ts";
import { type Operation, readConditions, readPartNumber, type S3Request } from "../request.ts";
import { findObject, versionHeaders } from "../versions.ts";

/** GetObject and HeadObject: `GET` and `HEAD /bucket/key`. */
export const getObject: Operation = async (request) => {
  const { query, call } = request;
  const object = findObject(request);
  checkObjectKey(call.headers, object.encryption);
  if (query.has("partNumber") && call.headers.has("range")) {
    throw new S3Error(
      "InvalidRequest",
      "Cannot specify both Range header and partNumber query parameter",
    );
  }
  const part = query.has("partNumber") ? findPart(object, readPartNumber(query)) : undefined;
  const verdict = checkConditions(readConditions(call.headers), object);
  if (verdict === "failed") {
    throw new S3Error("PreconditionFailed", "Cannot send the object: a condition does not hold");
  }
  if (verdict === "not modified") return notModified(object);
  const range = part?.range ?? readRange(call.headers, object);
  const headers = toHeaders(request, { object, part, ranged: range !== undefined });
  overrideHeaders(headers, query);
  if (range !== undefined) {
    headers.set("content-range", `bytes ${range.start}-${range.end}/${object.size}`);
  }
  const more = { ...versionHeaders(request, object), ...expiryOf(request, object) };
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
  const length = range === undefined ? object.size : range.end - range.start + 1;
  headers.set("content-length", String(length));
  const init = { status: range === undefined ? 200 : 206, headers };
  if (call.method === "HEAD") return new Response(null, init);
  return sourcedResponse(await open(request, object, { range, length }), init);
};

/** Earlier versions have another end. */
function expiryOf({ catalog, target }: S3Request, object: StoredObject): Record<string, string> {
  const bucket = catalog.findBucket(target.bucket);
  return bucket?.get(object.key) === object ? expirationHeaders(bucket, object) : {};
}

function toHeaders(
  { call }: S3Request,
  { object, part, ranged }: {
    object: StoredObject;
    part: FoundPart | undefined;
    ranged: boolean;
  },
): Headers {
  const wanted = call.headers.get("x-amz-checksum-mode")?.toUpperCase() === "ENABLED";
  // Clients would verify the bytes of a range against the checksum of the whole.
  const headers = objectHeaders(object, { checksums: wanted && !ranged });
  if (object.parts !== undefined && part !== undefined) {
    headers.set("x-amz-mp-parts-count", String(object.parts.length));
  }
  if (wanted && part !== undefined) {
    const checksums = part.part?.checksums ?? object.checksums;
    const fields = checksumHeaders(checksums, object.checksumType);
    for (const [name, value] of Object.entries(fields)) headers.set(name, value);
  }
  return headers;
}

/** Fields that a cache needs (RFC 9110 section 15.4.5). botocore takes a checksum for that of an error document. */
function notModified(object: StoredObject): Response {
  const headers = objectHeaders(object, { checksums: false });
  for (const name of [...headers.keys()]) if (!KEPT_FRESH.has(name)) headers.delete(name);
  return new Response(null, { status: 304, headers });
}

const KEPT_FRESH: ReadonlySet<string> = new Set([
  "etag",
  "last-modified",
  "cache-control",
  "expires",
]);

/** Objects up to this size are sent at once, which is faster than a stream. */
const SMALL = 65_536;

async function open(
  { catalog: { blobs } }: S3Request,
  object: StoredObject,
  { range, length }: { range: ByteRange | undefined; length: number },
): Promise<ByteSource | Uint8Array<ArrayBuffer>> {
  const { id } = object.blob;
  const body = length <= SMALL
    ? await blobs.read(id, range?.start ?? 0, length) as Uint8Array<ArrayBuffer>
    : (await blobs.open(id, range))?.source;
  if (body !== undefined) return body;
  // Since the look-up in the catalog, the object was replaced or deleted.
  throw new S3Error("NoSuchKey", `Cannot find key "${object.key}": it was just deleted`);
}

function readRange(headers: HeaderValues, object: StoredObject): ByteRange | undefined {
  // RFC 9110 section 13.1.5: a tag, or the exact date of the last change.
  const condition = headers.get("if-range");
  const held = condition === null || condition === quote(object.etag) ||
    condition === object.modified.toUTCString();
  const range = parseRange(held ? headers.get("range") : null, object.size);
  if (range !== "unsatisfiable") return range;
  throw new S3Error(
    "InvalidRange",
    `Cannot send range "${headers.get("range")}": the object has ${object.size} bytes`,
    { "content-range": `bytes */${object.size}` },
  );
}

interface FoundPart {
  /** Absent unless the object was put in parts. */
  readonly part?: ObjectPart;
  /** Absent if the object is empty. */
  readonly range?: ByteRange;
}

/** An object put whole is its only part. */
function findPart(object: StoredObject, number: number): FoundPart {
  const parts = object.parts ?? [{ number: 1, size: object.size, checksums: object.checksums }];
  const part = parts[number - 1];
  if (part === undefined) {
    throw new S3Error(
      "InvalidPart",
      `Cannot send part ${number}: the object has ${parts.length}`,
    );
  }
  const start = parts.slice(0, number - 1).reduce((sum, { size }) => sum + size, 0);
  const found = object.parts === undefined ? {} : { part };
  return part.size === 0 ? found : { ...found, range: { start, end: start + part.size - 1 } };
}
