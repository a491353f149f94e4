/**
 * Encryption as requests state it and responses repeat it (Amazon S3 user guide, "Protecting data with server-side
 * encryption"). The bytes themselves are stored as received.
 *
 * @module
 */
import type { HeaderValues } from "../../../core/http/call.ts";
import { compact } from "../../../core/compact.ts";
import type { Bucket } from "../catalog/bucket.ts";
import { type Encryption, ENCRYPTION_ALGORITHMS } from "../catalog/model.ts";
import { parseSetting } from "../catalog/settings.ts";
import { childrenOf, childText, type XmlNode } from "../codec/xml.ts";
import { S3Error } from "../errors.ts";
import { fromBase64 } from "./checksums.ts";
import { readCustomerKey } from "./customer_key.ts";

/** Prefix of each header field about encryption. */
export const ENCRYPTION_FIELD = "x-amz-server-side-encryption";
const KEY_ID = `${ENCRYPTION_FIELD}-aws-kms-key-id`;
const CONTEXT = `${ENCRYPTION_FIELD}-context`;
const BUCKET_KEY = `${ENCRYPTION_FIELD}-bucket-key-enabled`;

/**
 * Returns the encryption of a new object, from the request or the bucket's default. Throws `InvalidArgument`, and
 * `AccessDenied` for a customer-provided key in a bucket that blocks SSE-C.
 */
export function readEncryption(
  headers: HeaderValues,
  bucket: Bucket,
): { readonly encryption?: Encryption } {
  const rule = ruleOf(bucket);
  const customerKeyMd5 = readCustomerKey(headers);
  const stated = readStated(headers, rule);
  if (customerKeyMd5 === undefined) return compact({ encryption: stated ?? defaultOf(rule) });
  if (stated !== undefined) {
    throw new S3Error(
      "InvalidArgument",
      "Server Side Encryption with Customer provided key is incompatible with the encryption method specified",
    );
  }
  if (isBlocked(rule)) {
    throw new S3Error(
      "AccessDenied",
      `Cannot encrypt with a customer-provided key (SSE-C): the encryption settings of bucket "${bucket.name}" forbid it`,
    );
  }
  return { encryption: { algorithm: "AES256", customerKeyMd5 } };
}

function readStated(headers: HeaderValues, rule: XmlNode | undefined): Encryption | undefined {
  const name = headers.get(ENCRYPTION_FIELD);
  const [keyId, context, bucketKey] = [KEY_ID, CONTEXT, BUCKET_KEY].map((field) =>
    headers.get(field) ?? undefined
  );
  const isBucketKey = readTruth(bucketKey);
  const algorithm = ENCRYPTION_ALGORITHMS.find((one) => one === name);
  if (name !== null && algorithm === undefined) {
    throw new S3Error(
      "InvalidArgument",
      `Cannot use ${ENCRYPTION_FIELD} "${name}": expected ${ENCRYPTION_ALGORITHMS.join(", ")}`,
    );
  }
  if (algorithm === undefined || algorithm === "AES256") {
    if (keyId !== undefined || context !== undefined || isBucketKey === true) {
      throw new S3Error(
        "InvalidArgument",
        `Cannot use ${
          keyId !== undefined ? KEY_ID : context !== undefined ? CONTEXT : BUCKET_KEY
        }: ` +
          `Server Side Encryption with AWS KMS managed key requires HTTP header ${ENCRYPTION_FIELD} : aws:kms`,
      );
    }
    return algorithm === undefined ? undefined : { algorithm };
  }
  if (context !== undefined) checkContext(context);
  // The user guide, "Configuring an S3 Bucket Key at the object level": the bucket's default applies.
  const usesBucketKey = isBucketKey ?? (algorithm === "aws:kms" && hasBucketKey(rule));
  return {
    algorithm,
    ...compact({
      kmsKeyId: keyId,
      kmsContext: context,
      bucketKey: usesBucketKey ? true : undefined,
    }),
  };
}

function readTruth(text: string | undefined): boolean | undefined {
  const word = text?.toLowerCase();
  if (word === undefined || word === "true" || word === "false") {
    return word === undefined ? undefined : word === "true";
  }
  throw new S3Error(
    "InvalidArgument",
    `Cannot use ${BUCKET_KEY} "${text}": expected true or false`,
  );
}

function checkContext(text: string): void {
  const bytes = fromBase64(text);
  try {
    const context: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const isMap = typeof context === "object" && context !== null && !Array.isArray(context);
    if (isMap && Object.values(context).every((value) => typeof value === "string")) return;
  } catch {
    // Refused below.
  }
  throw new S3Error(
    "InvalidArgument",
    `The header '${CONTEXT}' shall be Base64-encoded UTF-8 string holding JSON which represents a string-string map`,
  );
}

function ruleOf({ settings }: Bucket): XmlNode | undefined {
  const text = settings.get("encryption");
  return text === undefined ? undefined : childrenOf(parseSetting(text)!, "Rule")[0];
}

function defaultOf(rule: XmlNode | undefined): Encryption | undefined {
  const [byDefault] = rule === undefined
    ? []
    : childrenOf(rule, "ApplyServerSideEncryptionByDefault");
  if (byDefault === undefined) return undefined;
  const name = childText(byDefault, "SSEAlgorithm")?.trim();
  const algorithm = ENCRYPTION_ALGORITHMS.find((one) => one === name);
  if (algorithm === undefined) return undefined;
  return {
    algorithm,
    ...compact({
      kmsKeyId: childText(byDefault, "KMSMasterKeyID")?.trim() || undefined,
      bucketKey: algorithm === "aws:kms" && hasBucketKey(rule) ? true : undefined,
    }),
  };
}

function hasBucketKey(rule: XmlNode | undefined): boolean {
  return rule !== undefined && childText(rule, "BucketKeyEnabled")?.trim().toLowerCase() === "true";
}

function isBlocked(rule: XmlNode | undefined): boolean {
  const [blocked] = rule === undefined ? [] : childrenOf(rule, "BlockedEncryptionTypes");
  return blocked !== undefined &&
    childrenOf(blocked, "EncryptionType").some(({ text }) => text.trim() === "SSE-C");
}

/** Returns the header fields about an object's encryption; the context only on creation. */
export function encryptionHeaders(
  encryption: Encryption | undefined,
  { isNew = false } = {},
): Record<string, string> {
  if (encryption === undefined) return {};
  const { algorithm, kmsKeyId, kmsContext, bucketKey, customerKeyMd5 } = encryption;
  if (customerKeyMd5 !== undefined) {
    return {
      [`${ENCRYPTION_FIELD}-customer-algorithm`]: algorithm,
      [`${ENCRYPTION_FIELD}-customer-key-md5`]: customerKeyMd5,
    };
  }
  return {
    [ENCRYPTION_FIELD]: algorithm,
    ...(kmsKeyId === undefined ? {} : { [KEY_ID]: kmsKeyId }),
    ...(kmsContext === undefined || !isNew ? {} : { [CONTEXT]: kmsContext }),
    ...(bucketKey === undefined ? {} : { [BUCKET_KEY]: "true" }),
  };
}
