/** Header fields stored with an object and returned with it. */
import type { HeaderValues } from "../../../core/http/call.ts";
import type { Bucket } from "../catalog/bucket.ts";
import type { ContentHeaders, Metadata, ObjectAbout, StoredObject } from "../catalog/model.ts";
import { S3Error } from "../errors.ts";
import { readAcl } from "./acl.ts";
import { checksumHeaders } from "./checksums.ts";
import { quote } from "./reply.ts";
import { encryptionHeaders, readEncryption } from "./encryption.ts";
import { lockHeaders, readLock } from "./lock.ts";
import type { S3Request } from "./request.ts";
import { setText } from "./header_text.ts";
import { readTagging } from "./tags.ts";

const KEPT = [
  "content-type",
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "expires",
] as const;

const META = "x-amz-meta-";

/** Stored as well, but never copied from a source. */
const OWN = ["x-amz-storage-class", "x-amz-website-redirect-location"] as const;

/** Reads the properties of an object. Throws `MetadataTooLarge`, `InvalidArgument` and the errors of tags. */
export function readAbout(
  headers: HeaderValues,
  { env, catalog, bucket }: Pick<S3Request, "env" | "catalog"> & { readonly bucket: Bucket },
): ObjectAbout {
  const metadata = readMetadata(headers);
  let size = 0;
  // Header values are byte strings: one character is one byte.
  for (const [name, value] of Object.entries(metadata)) size += name.length + value.length;
  if (size > env.values.max_metadata_bytes) {
    throw new S3Error(
      "MetadataTooLarge",
      `Cannot keep ${size} bytes of metadata: at most ${env.values.max_metadata_bytes} are allowed`,
    );
  }
  return {
    headers: readContentHeaders(headers),
    metadata,
    ...readAcl(headers, "object"),
    ...readTagging(headers),
    ...readEncryption(headers, bucket),
    ...readLock(headers, { bucket, now: catalog.now() }),
  };
}

function readMetadata(headers: HeaderValues): Metadata {
  const metadata: Record<string, string> = Object.create(null);
  for (const [name, value] of headers) {
    if (name.startsWith(META)) metadata[name.slice(META.length)] = value;
  }
  return metadata;
}

function readContentHeaders(headers: HeaderValues): ContentHeaders {
  const kept: Record<string, string> = {};
  for (const name of [...KEPT, ...OWN]) {
    const value = headers.get(name);
    const text = name === "content-encoding" ? withoutAwsChunked(value ?? "") : value;
    if (text !== null && text !== "") kept[name] = text;
  }
  kept["content-type"] ??= "binary/octet-stream";
  // Responses name every class except this one.
  if (kept["x-amz-storage-class"] === STANDARD) delete kept["x-amz-storage-class"];
  return kept;
}

/** Returns the fields of a copy that takes those of its source. S3 ignores others in the request, and its metadata. */
export function copyContentHeaders(source: ContentHeaders, headers: HeaderValues): ContentHeaders {
  const own = readContentHeaders(headers);
  const kept = { ...source };
  for (const name of OWN) {
    if (own[name] === undefined) delete kept[name];
    else kept[name] = own[name];
  }
  return kept;
}

const STANDARD = "STANDARD";

/** Returns the storage class of an object or upload. */
export function storageClassOf({ headers }: Pick<ObjectAbout, "headers">): string {
  return headers["x-amz-storage-class"] ?? STANDARD;
}

/** Removes the token of the framing, which is removed, too. */
function withoutAwsChunked(encoding: string): string {
  const codings = encoding.split(",").map((coding) => coding.trim());
  return codings.filter((coding) => coding.toLowerCase() !== "aws-chunked").join(", ");
}

/** Returns the header fields of GET and HEAD; checksums only if requested. */
export function objectHeaders(
  object: StoredObject,
  { checksums }: { checksums: boolean },
): Headers {
  const headers = new Headers(object.headers);
  for (const [name, value] of Object.entries(object.metadata)) headers.set(META + name, value);
  headers.set("accept-ranges", "bytes");
  headers.set("etag", quote(object.etag));
  headers.set("last-modified", object.modified.toUTCString());
  if (object.tags !== undefined) headers.set("x-amz-tagging-count", String(object.tags.length));
  const more = { ...encryptionHeaders(object.encryption), ...lockHeaders(object) };
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
  if (checksums) {
    const fields = checksumHeaders(object.checksums, object.checksumType);
    for (const [name, value] of Object.entries(fields)) headers.set(name, value);
  }
  return headers;
}

/** Reads `response-content-type` and similar parameters. Throws `InvalidArgument` for an invalid field value. */
export function overrideHeaders(headers: Headers, query: URLSearchParams): void {
  for (const name of KEPT) {
    const value = query.get(`response-${name}`);
    if (value !== null && value !== "") setText(headers, name, { value, from: `response-${name}` });
  }
}
