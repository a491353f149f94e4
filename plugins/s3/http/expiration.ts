import type { Bucket } from "../catalog/bucket.ts";
import type { StoredObject } from "../catalog/model.ts";
import { findExpiry } from "../lifecycle.ts";

/** Tells when a current object expires by the lifecycle rules (API reference, GetObject, `x-amz-expiration`). */
export function expirationHeaders(bucket: Bucket, object: StoredObject): Record<string, string> {
  const expiry = findExpiry(bucket, object);
  if (expiry === undefined) return {};
  const { date, rule } = expiry;
  return {
    "x-amz-expiration": `expiry-date="${date.toUTCString()}", rule-id="${
      encodeURIComponent(rule)
    }"`,
  };
}
