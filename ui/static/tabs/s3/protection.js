/** Encryption and locks in words. */

/** @import { Protection } from "./types.d.ts" */

/**
 * Returns the stated encryption of an object.
 * @param {Protection} object
 * @returns {string | undefined}
 */
export function encryptionOf({ encryption }) {
  if (encryption === undefined) return undefined;
  const { algorithm, kms_key_id: key, bucket_key: bucketKey, customer_key_md5: md5 } = encryption;
  if (md5 !== undefined) return `${algorithm} with a customer-provided key (SSE-C)`;
  const parts = [algorithm, key && `key ${key}`, bucketKey && "bucket key"];
  return parts.filter((part) => part).join(", ");
}

/**
 * Returns why clients cannot delete a version now.
 * @param {Protection} object
 * @returns {string | undefined}
 */
export function lockOf({ retention, legal_hold: isHeld }) {
  const isRetained = retention !== undefined && Date.parse(retention.until) > Date.now();
  const parts = [isHeld && "legal hold", isRetained && `${retention.mode.toLowerCase()} retention`];
  return parts.filter((part) => part).join(", ") || undefined;
}
