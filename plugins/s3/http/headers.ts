/** Header fields that are kept with an object and given back. */
import type { HeaderValues } from "../../../core/http/call.ts";
import type { ContentHeaders, Metadata, ObjectAbout, StoredObject } from "../catalog/model.ts";
import { S3Error } from "../errors.ts";
import { readAcl } from "./acl.ts";
import { checksumHeaders } from "./checksums.ts";
import { quote } from "./reply.ts";
import type { S3Request } from "./request.ts";
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

/** What a request says of its object. Throws `MetadataTooLarge`, `InvalidArgument` and what tags are refused with. */
export function readAbout(headers: HeaderValues, { env }: Pick<S3Request, "env">): ObjectAbout {
  const metadata = readMetadata(headers);
  let size = 0;
  // Header values are byte strings: a character is a byte.
  for (const [name, value] of Object.entries(metadata)) size += name.length + value.length;
  if (size > env.values.max_metadata_bytes) {
    throw new S3Error(
      "MetadataTooLarge",
      `Cannot keep ${size} bytes of metadata: at most ${env.values.max_metadata_bytes} are taken`,
    );
  }
  return {
    headers: readContentHeaders(headers),
    metadata,
    ...readAcl(headers, "object"),
    ...readTagging(headers),
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
  for (const name of KEPT) {
    const value = headers.get(name);
    const text = name === "content-encoding" ? withoutAwsChunked(value ?? "") : value;
    if (text !== null && text !== "") kept[name] = text;
  }
  kept["content-type"] ??= "binary/octet-stream";
  return kept;
}

/** The framing is taken off, so the token goes too. */
function withoutAwsChunked(encoding: string): string {
  const codings = encoding.split(",").map((coding) => coding.trim());
  return codings.filter((coding) => coding.toLowerCase() !== "aws-chunked").join(", ");
}

/** What GET and HEAD say of an object; checksums come only when they are asked for. */
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
  if (checksums) {
    const fields = checksumHeaders(object.checksums, object.checksumType);
    for (const [name, value] of Object.entries(fields)) headers.set(name, value);
  }
  return headers;
}

const encoder = new TextEncoder();

/** `response-content-type` and its like in the query. Throws `InvalidArgument` for what no header can hold. */
export function overrideHeaders(headers: Headers, query: URLSearchParams): void {
  for (const name of KEPT) {
    const value = query.get(`response-${name}`);
    if (value !== null && value !== "") setText(headers, name, { value, from: `response-${name}` });
  }
}

/** Sets a field to a text, as bytes of UTF-8. Throws `InvalidArgument` for what no field can hold. */
export function setText(
  headers: Headers,
  name: string,
  { value, from }: { value: string; from: string },
): void {
  const text = Array.from(encoder.encode(value), (byte) => String.fromCharCode(byte)).join("");
  try {
    headers.set(name, text);
  } catch {
    throw new S3Error("InvalidArgument", `Cannot use ${from} "${value}" as a header`);
  }
}
