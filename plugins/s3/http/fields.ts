/**
 * Header fields of a request: each that would make a difference is used or refused by its name, none is dropped. Names
 * and values are those of the Amazon S3 API reference; only what changes nothing of the answer passes unread.
 *
 * @module
 */
import type { HeaderValues } from "../../../core/http/call.ts";
import { suggest } from "../../../core/options/suggest.ts";
import { S3Error } from "../errors.ts";
import type { OperationName } from "./operation_name.ts";

/** What becomes of a field. */
type Rule =
  /** It is used, or makes no difference to any request. */
  | "taken"
  /** What it asks for is not in this store. */
  | { readonly without: string }
  /** The same, but for values that ask for what is so anyway. */
  | { readonly without: string; readonly but: readonly string[] }
  /** Only these operations use it; it would be dropped by the others. */
  | { readonly by: readonly OperationName[] };

const READS: readonly OperationName[] = [
  "ListBuckets",
  "HeadBucket",
  "GetBucketAcl",
  "GetBucketCors",
  "GetBucketLocation",
  "GetBucketTagging",
  "GetBucketVersioning",
  "ListObjectVersions",
  "ListObjects",
  "ListObjectsV2",
  "ListMultipartUploads",
  "ListParts",
  "GetObject",
  "HeadObject",
  "GetObjectAcl",
  "GetObjectAttributes",
  "GetObjectTagging",
  "GetBucketPolicy",
  "GetBucketPolicyStatus",
  "GetBucketLifecycleConfiguration",
  "GetBucketEncryption",
  "GetBucketWebsite",
  "GetBucketOwnershipControls",
  "GetPublicAccessBlock",
  "GetBucketNotificationConfiguration",
  "GetBucketReplication",
  "GetObjectLockConfiguration",
  "GetBucketAccelerateConfiguration",
  "GetBucketRequestPayment",
  "GetBucketLogging",
];
/** Those that put an object in place. */
const PUTS: readonly OperationName[] = ["PutObject", "CopyObject", "CompleteMultipartUpload"];
const COPIES: readonly OperationName[] = ["CopyObject", "UploadPartCopy"];

const ENCRYPTION = { without: "encryption" };
const LOCKS = { without: "object lock" };
const GRANTS = { without: "ACLs but canned ones" };
const RENAMES = { without: "renaming" };

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  // The request and its sender.
  ["x-amz-content-sha256", "taken"],
  ["x-amz-date", "taken"],
  ["x-amz-decoded-content-length", "taken"],
  ["x-amz-region-set", "taken"],
  ["x-amz-s3session-token", "taken"],
  ["x-amz-sdk-checksum-algorithm", "taken"],
  ["x-amz-security-token", "taken"],
  ["x-amz-te", "taken"],
  ["x-amz-trailer", "taken"],
  ["x-amz-user-agent", "taken"],
  // Nobody pays, every account is the owner, and nothing is locked.
  ["x-amz-bypass-governance-retention", "taken"],
  ["x-amz-expected-bucket-owner", "taken"],
  ["x-amz-mfa", "taken"],
  ["x-amz-request-payer", "taken"],
  ["x-amz-source-expected-bucket-owner", "taken"],
  // Objects.
  ["x-amz-acl", {
    by: [
      "PutObject",
      "CopyObject",
      "CreateMultipartUpload",
      "CreateBucket",
      "PutBucketAcl",
      "PutObjectAcl",
    ],
  }],
  ["x-amz-confirm-remove-self-bucket-access", { by: ["PutBucketPolicy"] }],
  ["x-amz-metadata-directive", "taken"],
  ["x-amz-tagging", { by: ["PutObject", "CopyObject", "CreateMultipartUpload"] }],
  ["x-amz-tagging-directive", { by: ["CopyObject"] }],
  ["x-amz-copy-source", { by: COPIES }],
  ["x-amz-copy-source-if-match", { by: COPIES }],
  ["x-amz-copy-source-if-modified-since", { by: COPIES }],
  ["x-amz-copy-source-if-none-match", { by: COPIES }],
  ["x-amz-copy-source-if-unmodified-since", { by: COPIES }],
  ["x-amz-copy-source-range", { by: ["UploadPartCopy"] }],
  ["x-amz-if-match-initiated-time", { by: ["AbortMultipartUpload"] }],
  ["x-amz-if-match-last-modified-time", { by: ["DeleteObject"] }],
  ["x-amz-if-match-size", { by: ["DeleteObject"] }],
  ["x-amz-max-parts", { by: ["GetObjectAttributes"] }],
  ["x-amz-mp-object-size", { by: ["CompleteMultipartUpload"] }],
  ["x-amz-object-attributes", { by: ["GetObjectAttributes"] }],
  ["x-amz-optional-object-attributes", {
    by: ["ListObjects", "ListObjectsV2", "ListObjectVersions"],
  }],
  ["x-amz-part-number-marker", { by: ["GetObjectAttributes"] }],
  // What is not here.
  ["x-amz-bucket-namespace", { without: "namespaces of accounts", but: ["global"] }],
  ["x-amz-bucket-object-lock-enabled", { ...LOCKS, but: ["false", "False"] }],
  ["x-amz-client-token", RENAMES],
  ["x-amz-copy-source-server-side-encryption-customer-algorithm", ENCRYPTION],
  ["x-amz-copy-source-server-side-encryption-customer-key", ENCRYPTION],
  ["x-amz-copy-source-server-side-encryption-customer-key-md5", ENCRYPTION],
  ["x-amz-grant-full-control", GRANTS],
  ["x-amz-grant-read", GRANTS],
  ["x-amz-grant-read-acp", GRANTS],
  ["x-amz-grant-write", GRANTS],
  ["x-amz-grant-write-acp", GRANTS],
  ["x-amz-object-lock-legal-hold", { ...LOCKS, but: ["OFF"] }],
  ["x-amz-object-lock-mode", LOCKS],
  ["x-amz-object-lock-retain-until-date", LOCKS],
  ["x-amz-object-ownership", {
    without: "other ownership",
    but: ["BucketOwnerEnforced", "BucketOwnerPreferred", "ObjectWriter"],
  }],
  ["x-amz-rename-source", RENAMES],
  ["x-amz-server-side-encryption", ENCRYPTION],
  ["x-amz-server-side-encryption-aws-kms-key-id", ENCRYPTION],
  ["x-amz-server-side-encryption-bucket-key-enabled", { ...ENCRYPTION, but: ["false", "False"] }],
  ["x-amz-server-side-encryption-context", ENCRYPTION],
  ["x-amz-server-side-encryption-customer-algorithm", ENCRYPTION],
  ["x-amz-server-side-encryption-customer-key", ENCRYPTION],
  ["x-amz-server-side-encryption-customer-key-md5", ENCRYPTION],
  ["x-amz-storage-class", { without: "other storage classes", but: ["STANDARD"] }],
  ["x-amz-website-redirect-location", { without: "websites" }],
  ["x-amz-write-offset-bytes", { without: "appending to objects" }],
  // Of HTTP: a write that drops one of these does what its sender forbade (RFC 9110 sections 13.2 and 14.5).
  ["content-range", { by: READS }],
  ["if-match", { by: [...READS, ...PUTS, "DeleteObject"] }],
  ["if-modified-since", { by: READS }],
  ["if-none-match", { by: [...READS, ...PUTS] }],
  ["if-unmodified-since", { by: READS }],
]);

/** Their names go on as the sender likes, or are read elsewhere, where an unknown one is refused. */
const OPEN = ["x-amz-meta-", "x-amz-checksum-"] as const;

/** Throws `NotImplemented` for a field that this operation would drop, `InvalidBucketOwnerAWSAccountID` for an owner. */
export function checkFields(headers: HeaderValues, operation: OperationName): void {
  for (const [name, value] of headers) {
    const rule = RULES.get(name);
    if (rule !== undefined) check(name, { value, rule, operation });
    else if (name.startsWith("x-amz-") && !OPEN.some((prefix) => name.startsWith(prefix))) {
      throw unknown(name);
    }
  }
}

function check(
  name: string,
  { value, rule, operation }: { value: string; rule: Rule; operation: OperationName },
): void {
  if (rule === "taken") {
    if (name.endsWith("expected-bucket-owner")) checkAccount(name, value);
    return;
  }
  if ("by" in rule) {
    if (rule.by.includes(operation)) return;
    throw new S3Error(
      "NotImplemented",
      `Cannot take ${name} with ${operation}: it belongs to ${rule.by.join(", ")}`,
    );
  }
  const harmless = "but" in rule ? rule.but : [];
  if (harmless.includes(value)) return;
  const named = harmless.filter((text) => text !== "");
  const wayOut = named.length === 0 ? "" : `; expected ${named.join(" or ")}, or no such field`;
  throw new S3Error(
    "NotImplemented",
    `Cannot take ${name} "${value}": this store has no ${rule.without}${wayOut}`,
  );
}

/** Any account is taken for the owner, as any credentials are. */
function checkAccount(name: string, value: string): void {
  if (/^\d{12}$/.test(value)) return;
  throw new S3Error(
    "InvalidBucketOwnerAWSAccountID",
    `Cannot use ${name} "${value}": expected the 12 digits of an account`,
  );
}

function unknown(name: string): S3Error {
  const near = suggest(name, [...RULES.keys()]);
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  return new S3Error("NotImplemented", `Cannot take header field ${name}: it is unknown${hint}`);
}
