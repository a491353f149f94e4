import { ifNoneMatch } from "@std/http/etag";
import type { BlobStore } from "../blobs/blob.ts";
import { bytesSource, sourceStream } from "../byte_source.ts";
import { ApiError } from "../errors.ts";
import type { HeaderValues } from "./call.ts";
import { noteHeld } from "./answer.ts";
import { contentDisposition } from "./disposition.ts";
import { toMediaType } from "./media_type.ts";
import { pageLoadOf } from "./page_load.ts";
import { CAPTURED_HEADERS } from "./security.ts";

/** A byte range, both ends included (RFC 9110 section 14.1.2). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a `Range` header for a representation of `size` bytes. Returns `undefined` to serve all of
 * it: without a header, and for another unit, several ranges or a malformed one (RFC 9110 section
 * 14.2 says to ignore it).
 */
export function parseRange(
  header: string | null,
  size: number,
): ByteRange | "unsatisfiable" | undefined {
  const match = header === null ? null : /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header);
  if (match === null) return undefined;
  const [first, last] = [match[1]!, match[2]!];
  if (first === "") {
    if (last === "") return undefined;
    const suffix = Number(last);
    if (suffix === 0 || size === 0) return "unsatisfiable";
    return { start: Math.max(0, size - suffix), end: size - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return undefined;
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}

/** How captured bytes are presented. */
export interface BytesAbout {
  readonly headers: HeaderValues;
  /** Any text: an invalid media type is sent as `application/octet-stream`. */
  readonly contentType?: string | undefined;
  readonly filename?: string | undefined;
  readonly disposition: "inline" | "attachment";
  /**
   * Whether to render it as a page. Other markup is shown as source, because any page can make a
   * browser connect.
   */
  readonly page?: boolean;
  /** Entity tag without quotes, for conditional requests. */
  readonly etag?: string;
}

/** Sends stored bytes, or the requested range. Throws `ApiError` 404 for an unknown blob. */
export async function sendBlob(
  blobs: BlobStore,
  id: string,
  about: BytesAbout,
): Promise<Response> {
  const ref = blobs.get(id);
  if (ref === undefined) throw new ApiError(404, `Cannot find blob "${id}"`);
  return await sendRange(ref.size, { ...about, etag: id }, async (range) => {
    const opened = await blobs.open(id, range);
    if (opened === undefined) throw new ApiError(404, `Cannot find blob "${id}"`);
    return opened.body;
  });
}

/** Chunk size; up to this size, bytes are sent whole. */
const CHUNK_BYTES = 65_536;

/**
 * Sends bytes held in memory, or the requested range. The platform copies bytes when it is given
 * them, so long ones are passed in chunks as they are read.
 */
export async function sendBytes(bytes: Uint8Array, about: BytesAbout): Promise<Response> {
  return await sendRange(bytes.length, about, (range) => {
    const wanted = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1);
    const whole = wanted as Uint8Array<ArrayBuffer>;
    return whole.length <= CHUNK_BYTES ? whole : sourceStream(bytesSource(whole), CHUNK_BYTES);
  });
}

/** Types that a browser shows as a page with links and styles, XML included. */
const MARKUP = /^(?:text\/html|(?:text|application)\/xml|[^;]+\+xml)(?=\s*(?:;|$))/i;

function typeOf({ contentType, headers, page = false }: BytesAbout): string {
  const type = toMediaType(contentType);
  return !page && pageLoadOf(headers) !== undefined ? type.replace(MARKUP, "text/plain") : type;
}

type Body = ReadableStream<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>;

async function sendRange(
  size: number,
  about: BytesAbout,
  open: (range?: ByteRange) => Body | Promise<Body>,
): Promise<Response> {
  const etag = about.etag === undefined ? undefined : `"${about.etag}"`;
  const headers = new Headers(CAPTURED_HEADERS);
  headers.set("accept-ranges", "bytes");
  if (etag !== undefined) headers.set("etag", etag);
  if (etag !== undefined && !ifNoneMatch(about.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers });
  }
  headers.set("content-type", typeOf(about));
  headers.set("content-disposition", contentDisposition(about.disposition, about.filename));
  // RFC 9110 section 13.1.5: a range of another version would be mixed with ours.
  const ifRange = about.headers.get("if-range");
  const wanted = ifRange === null || ifRange === etag ? about.headers.get("range") : null;
  const range = parseRange(wanted, size);
  if (range === "unsatisfiable") {
    headers.set("content-range", `bytes */${size}`);
    headers.set("content-type", "application/json; charset=utf-8");
    headers.delete("content-disposition");
    const message = `Cannot serve range "${wanted}": the size is ${size} bytes`;
    return new Response(JSON.stringify({ error: message }), { status: 416, headers });
  }
  if (range === undefined) {
    headers.set("content-length", String(size));
    return noteHeld(new Response(await open(), { headers }), size);
  }
  headers.set("content-range", `bytes ${range.start}-${range.end}/${size}`);
  const length = range.end - range.start + 1;
  headers.set("content-length", String(length));
  return noteHeld(new Response(await open(range), { status: 206, headers }), length);
}
