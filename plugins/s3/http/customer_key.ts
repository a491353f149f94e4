/**
 * Customer-provided keys (SSE-C): each request that reads an object or adds to an upload repeats the key (Amazon S3
 * user guide, "Using server-side encryption with customer-provided keys"). Only its MD5 is stored.
 *
 * @module
 */
import type { HeaderValues } from "../../../core/http/call.ts";
import type { Encryption } from "../catalog/model.ts";
import { S3Error } from "../errors.ts";
import { fromBase64 } from "./checksums.ts";
import { digestOf } from "./hashing.ts";

const FIELDS = "x-amz-server-side-encryption-customer-";
/** The same fields for the source of a copy. */
export const SOURCE_FIELDS = "x-amz-copy-source-server-side-encryption-customer-";

const KEY_BYTES = 32;

/** A key, as stated in a request. */
interface StatedKey {
  readonly algorithm: string;
  readonly key: string;
  readonly md5: string;
}

/** Returns the MD5 of the key for a new object. Throws `InvalidArgument` for an invalid key. */
export function readCustomerKey(headers: HeaderValues): string | undefined {
  const stated = readStated(headers, FIELDS);
  if (stated !== undefined) checkKey(stated);
  return stated?.md5;
}

/**
 * Checks the key of a request for an object. Throws `InvalidRequest` if it is missing or the object has none,
 * `AccessDenied` if it differs, and `InvalidArgument` if it is invalid.
 */
export function checkObjectKey(
  headers: HeaderValues,
  encryption: Encryption | undefined,
  fields: typeof FIELDS | typeof SOURCE_FIELDS = FIELDS,
): void {
  const stated = readStated(headers, fields);
  const md5 = encryption?.customerKeyMd5;
  if (md5 === undefined) {
    if (stated === undefined) return;
    checkKey(stated);
    throw new S3Error(
      "InvalidRequest",
      "The encryption parameters are not applicable to this object.",
    );
  }
  if (stated === undefined) {
    throw new S3Error(
      "InvalidRequest",
      "The object was stored using a form of Server Side Encryption. The correct parameters must be " +
        `provided to retrieve the object: expected ${fields}algorithm, ${fields}key and ${fields}key-md5`,
    );
  }
  if (stated.md5 !== md5) {
    throw new S3Error(
      "AccessDenied",
      "Requests specifying Server Side Encryption with Customer provided keys must provide the correct secret key.",
    );
  }
  checkKey(stated);
}

/** Checks the key of a part against its upload's. Throws `InvalidRequest`. */
export function checkPartKey(headers: HeaderValues, encryption: Encryption | undefined): void {
  const md5 = readCustomerKey(headers);
  const expected = encryption?.customerKeyMd5;
  if (md5 === expected) return;
  throw new S3Error(
    "InvalidRequest",
    md5 === undefined || expected === undefined
      ? "The multipart upload initiate requested encryption. Subsequent part requests must include the appropriate encryption parameters."
      : "The provided encryption parameters did not match the ones used originally.",
  );
}

/** Checks the key of a request about a whole upload, which need not have one. */
export function checkUploadKey(headers: HeaderValues, encryption: Encryption | undefined): void {
  if (readStated(headers, FIELDS) !== undefined) checkPartKey(headers, encryption);
}

function readStated(headers: HeaderValues, fields: string): StatedKey | undefined {
  const [algorithm, key, md5] = ["algorithm", "key", "key-md5"].map((name) =>
    headers.get(fields + name)
  );
  if (algorithm === null && key === null && md5 === null) return undefined;
  if (!algorithm) throw mustProvide("a valid encryption algorithm");
  if (algorithm !== "AES256") {
    throw new S3Error(
      "InvalidEncryptionAlgorithmError",
      "The Encryption request you specified is not valid. Supported value: AES256.",
    );
  }
  if (!key) throw mustProvide("an appropriate secret key");
  if (!md5) throw mustProvide("the client calculated MD5 of the secret key");
  return { algorithm, key, md5 };
}

function mustProvide(what: string): S3Error {
  return new S3Error(
    "InvalidArgument",
    `Requests specifying Server Side Encryption with Customer provided keys must provide ${what}.`,
  );
}

function checkKey({ key, md5 }: StatedKey): void {
  const bytes = fromBase64(key);
  if (bytes !== undefined && digestOf("md5", bytes).toBase64() !== md5) {
    throw new S3Error(
      "InvalidArgument",
      "The calculated MD5 hash of the key did not match the hash that was provided.",
    );
  }
  if (bytes?.length === KEY_BYTES) return;
  throw new S3Error("InvalidArgument", "The secret key was invalid for the specified algorithm.");
}
