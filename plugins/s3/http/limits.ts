/** Limits of bodies, and the errors for larger ones. */
import type { Upload } from "../catalog/upload.ts";
import { S3Error } from "../errors.ts";
import type { S3Request } from "./request.ts";

/** Default limit of an object in memory, in bytes; on disk only the free space counts. */
const IN_MEMORY = 67_108_864;

/** The code for a body over `maxBytes`, and the reason for the limit. */
export interface SizeLimit {
  readonly maxBytes: number;
  readonly code: "EntityTooLarge" | "MalformedXML" | "MalformedPolicy" | "UnexpectedContent";
  readonly why?: string;
}

/** Returns the limit of a whole object. */
export function objectLimit(request: Pick<S3Request, "env" | "catalog">): SizeLimit {
  const maxBytes = maxObjectBytes(request);
  return { maxBytes, code: "EntityTooLarge", why: nameLimit(maxBytes) };
}

/** Returns the limit of a part: what the others leave of the largest object. */
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

/** Throws `EntityTooLarge` if the parts together exceed the limit. */
export function checkWhole(request: S3Request, size: number): void {
  const limit = objectLimit(request);
  if (size > limit.maxBytes) throw tooLarge(limit);
}

/** Returns the error for a body over the limit. */
export function tooLarge({ maxBytes, code, why }: SizeLimit): S3Error {
  const reason = why === undefined ? "" : `: ${why}`;
  return new S3Error(code, `Cannot accept more than ${maxBytes} bytes${reason}`);
}

function maxObjectBytes({ env, catalog }: Pick<S3Request, "env" | "catalog">): number {
  return env.values.max_object_bytes ?? (catalog.isKept ? Infinity : IN_MEMORY);
}

function nameLimit(bytes: number): string {
  return `max_object_bytes under [plugins.s3.providers.http] is ${bytes}`;
}
