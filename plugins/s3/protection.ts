/** Encryption and locks of an object, as shown in events and in the API. */
import { compact } from "../../core/compact.ts";
import type { StoredObject } from "./catalog/model.ts";
import type { S3Operation } from "./model.ts";

/** Returns what protects an object. */
export function describeProtection(
  { encryption, retention, legalHold }: StoredObject,
): Pick<S3Operation, "encryption" | "retention" | "legal_hold"> {
  // Most objects have none, and every write creates an event.
  if (encryption === undefined && retention === undefined && legalHold === undefined) return {};
  return compact({
    encryption: encryption && {
      algorithm: encryption.algorithm,
      ...compact({
        kms_key_id: encryption.kmsKeyId,
        kms_context: encryption.kmsContext,
        bucket_key: encryption.bucketKey,
        customer_key_md5: encryption.customerKeyMd5,
      }),
    },
    retention: retention && { mode: retention.mode, until: retention.until.toISOString() },
    legal_hold: legalHold,
  });
}
