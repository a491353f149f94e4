/** Bytes of objects, sent by the read-back API. */
import { ApiError } from "../../core/errors.ts";
import { noteHeld } from "../../core/http/answer.ts";
import type { HttpCall } from "../../core/http/call.ts";
import { contentDisposition } from "../../core/http/disposition.ts";
import { toMediaType } from "../../core/http/media_type.ts";
import { parseRange } from "../../core/http/range.ts";
import { CAPTURED_HEADERS } from "../../core/http/security.ts";
import type { Bucket } from "./catalog/bucket.ts";
import type { Catalog } from "./catalog/catalog.ts";
import { findVersion } from "./catalog/find_version.ts";
import type { StoredObject } from "./catalog/model.ts";
import { checkConditions } from "./codec/conditions.ts";
import { objectHeaders } from "./http/headers.ts";

/** Sends an object, or a range of it, if the conditions of the request hold. */
export async function sendContent(
  catalog: Catalog,
  bucket: Bucket,
  { key, version, http }: { key: string; version: string | undefined; http: HttpCall },
): Promise<Response> {
  const object = findVersion(bucket, { key, version });
  const headers = contentHeaders(object);
  const verdict = checkConditions({
    match: http.headers.get("if-match"),
    noneMatch: http.headers.get("if-none-match"),
    modifiedSince: http.headers.get("if-modified-since"),
    unmodifiedSince: http.headers.get("if-unmodified-since"),
  }, object);
  if (verdict === "failed") throw new ApiError(412, `Cannot send "${key}": a condition fails`);
  if (verdict === "not modified") return new Response(null, { status: 304, headers });
  const ifRange = http.headers.get("if-range");
  const validators = [null, headers.get("etag"), headers.get("last-modified")];
  const wanted = validators.includes(ifRange) ? http.headers.get("range") : null;
  const range = parseRange(wanted, object.size);
  if (range === "unsatisfiable") {
    throw new ApiError(
      416,
      `Cannot serve range "${wanted}": the size is ${object.size} bytes`,
      { "content-range": `bytes */${object.size}` },
    );
  }
  const opened = await catalog.blobs.open(object.blob.id, range);
  if (opened === undefined) {
    throw new ApiError(404, `Cannot find key "${key}": it was just deleted`);
  }
  if (range === undefined) {
    headers.set("content-length", String(object.size));
    return noteHeld(new Response(opened.body, { headers }), object.size);
  }
  headers.set("content-range", `bytes ${range.start}-${range.end}/${object.size}`);
  const length = range.end - range.start + 1;
  headers.set("content-length", String(length));
  return noteHeld(new Response(opened.body, { status: 206, headers }), length);
}

/** As the object store sends them, but never rendered by a browser: the bytes are untrusted. */
function contentHeaders(object: StoredObject): Headers {
  const headers = objectHeaders(object, { checksums: true });
  for (const [name, value] of Object.entries(CAPTURED_HEADERS)) headers.set(name, value);
  headers.set("content-type", toMediaType(object.headers["content-type"]));
  const name = object.key.split("/").at(-1);
  headers.set("content-disposition", contentDisposition("attachment", name));
  return headers;
}
