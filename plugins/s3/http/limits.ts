/** How large a body may be, and what is said of one that is larger. */
import type { Upload } from "../catalog/upload.ts";
import { S3Error } from "../errors.ts";
import type { S3Request } from "./request.ts";

/** Largest object in memory, in bytes, unless it is set; on disk there is room as long as there is any. */
const IN_MEMORY = 67_108_864;

/** Which code a body over `maxBytes` gets, and why it may not be larger. */
export interface SizeLimit {
  readonly maxBytes: number;
  readonly code: "EntityTooLarge" | "MalformedXML" | "MalformedPolicy";
  readonly why?: string;
}

/** Of an object that comes whole. */
export function objectLimit(request: Pick<S3Request, "env" | "catalog">): SizeLimit {
  const maxBytes = maxObjectBytes(request);
  return { maxBytes, code: "EntityTooLarge", why: nameLimit(maxBytes) };
}

/** Of a part: what the others leave of the largest object. */
export function partLimit(request: S3Request, upload: Upload, number: number): SizeLimit {
  const most = maxObjectBytes(request);
  let others = 0;
  for (const part of upload.parts.values()) if (part.number !== number) others += part.size;
  const why = others === 0 ? "" : `the other parts have ${others} bytes, and `;
  return {
    maxBytes: Math.max(0, most - others),
    code: "EntityTooLarge",
    why: why + nameLimit(most),
  };
}

/** Throws `EntityTooLarge` for parts that are too much together. */
export function checkWhole(request: S3Request, size: number): void {
  const limit = objectLimit(request);
  if (size > limit.maxBytes) throw tooLarge(limit);
}

/** What a body over the limit is refused with. */
export function tooLarge({ maxBytes, code, why }: SizeLimit): S3Error {
  const reason = why === undefined ? "" : `: ${why}`;
  return new S3Error(code, `Cannot take more than ${maxBytes} bytes${reason}`);
}

function maxObjectBytes({ env, catalog }: Pick<S3Request, "env" | "catalog">): number {
  return env.values.max_object_bytes ?? (catalog.isKept ? Infinity : IN_MEMORY);
}

function nameLimit(bytes: number): string {
  return `max_object_bytes under [plugins.s3.providers.http] is ${bytes}`;
}
