/**
 * Header fields of a request: each that makes a difference is used or refused by name, never ignored. Names and values
 * are those of the Amazon S3 API reference; only fields without effect on the response pass unread.
 *
 * @module
 */
import type { HeaderValues } from "../../../core/http/call.ts";
import { suggest } from "../../../core/options/suggest.ts";
import { ALGORITHMS } from "../catalog/model.ts";
import { type S3Code, S3Error } from "../errors.ts";
import type { OperationName } from "./operation_name.ts";
import { MINIMUM_SIZES } from "./setting_shapes.ts";

/** Treatment of a field. */
type Rule =
  /** Used, or without effect on any request. */
  | "taken"
  /** Requires a feature that this store lacks. */
  | { readonly without: string }
  /** Requires a feature that this store lacks, except for values that request the existing behaviour. */
  | { readonly without: string; readonly but: readonly string[] }
  /** Used only by these operations; others, which would ignore it, refuse it with `code`, except for these values. */
  | {
    readonly by: readonly OperationName[];
    readonly code?: S3Code;
    readonly elsewhere?: readonly string[];
  }
  /** Used only by these operations, and only with these values. */
  | { readonly by: readonly OperationName[]; readonly values: readonly string[] }
  /** Used by all operations. */
  | Form
  /** Used only by these operations, and only with values of this form. */
  | (Form & { readonly by: readonly OperationName[] });

/** Values of one form; others are refused with `code`, by default `InvalidArgument`. */
interface Form {
  readonly code?: S3Code;
  readonly form: RegExp;
  readonly expected: string;
}

/** Reads of an object's bytes or properties, the only ones with conditions and stored fields in their response. */
const READS: readonly OperationName[] = ["GetObject", "HeadObject"];
/** Classes whose objects are readable at once. */
const STORAGE_CLASSES = [
  "STANDARD",
  "REDUCED_REDUNDANCY",
  "STANDARD_IA",
  "ONEZONE_IA",
  "INTELLIGENT_TIERING",
  "GLACIER_IR",
];
/** Operations that store an object. */
const PUTS: readonly OperationName[] = ["PutObject", "CopyObject", "CompleteMultipartUpload"];
const COPIES: readonly OperationName[] = ["CopyObject", "UploadPartCopy"];

/** Operations that set the properties of a new object. */
const MAKES: readonly OperationName[] = ["PutObject", "CopyObject", "CreateMultipartUpload"];

/**
 * Stored with the object. Parts ignore it, as in S3: JetS3t, and with it Cyberduck, repeats the fields of the upload
 * with each part.
 */
const STORED = { by: [...MAKES, "UploadPart"] } as const;

/** S3 refuses it as an invalid argument elsewhere (API reference, GetObject). */
const ENCRYPTION: Rule = { by: MAKES, code: "InvalidArgument" };
const CUSTOMER_KEY: Rule = {
  by: [
    ...MAKES,
    "GetObject",
    "HeadObject",
    "GetObjectAttributes",
    "UploadPart",
    "UploadPartCopy",
    "CompleteMultipartUpload",
    "ListParts",
  ],
  code: "InvalidArgument",
};
const SOURCE_KEY: Rule = { by: COPIES, code: "InvalidArgument" };
const LOCKS: Rule = { by: MAKES };
const GRANTS = { without: "ACLs except canned ones" };
const RENAMES = { without: "renaming" };

/** A truth value, in any case. */
function truth(...by: OperationName[]): Rule {
  return { by, form: /^(true|false)$/i, expected: "true or false" };
}

/** S3 refuses other names as an invalid request. */
const CHECKSUM_ALGORITHM: Rule = {
  form: new RegExp(`^(${ALGORITHMS.join("|")})$`, "i"),
  expected: `one of ${ALGORITHMS.join(", ").toUpperCase()}`,
  code: "InvalidRequest",
};

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  // The request and its sender. The SDK for C++ sends the only existing version.
  ["x-amz-api-version", { without: "other version of the API", but: ["2006-03-01"] }],
  ["x-amz-content-sha256", {
    form:
      /^([0-9a-fA-F]{64}|UNSIGNED-PAYLOAD|STREAMING-(UNSIGNED-PAYLOAD-TRAILER|AWS4-(HMAC|ECDSA-P256)-SHA256-PAYLOAD(-TRAILER)?))$/,
    expected: "UNSIGNED-PAYLOAD, STREAMING-*, or a SHA-256 in hexadecimal digits",
  }],
  ["x-amz-date", "taken"],
  ["x-amz-decoded-content-length", { form: /^\d{1,15}$/, expected: "a number of bytes" }],
  ["x-amz-region-set", "taken"],
  ["x-amz-s3session-token", "taken"],
  ["x-amz-sdk-checksum-algorithm", CHECKSUM_ALGORITHM],
  ["x-amz-security-token", "taken"],
  ["x-amz-te", "taken"],
  ["x-amz-trailer", "taken"],
  ["x-amz-user-agent", "taken"],
  // Nobody pays, and every account is the owner.
  ["x-amz-expected-bucket-owner", "taken"],
  ["x-amz-mfa", "taken"],
  ["x-amz-request-payer", { form: /^requester$/, expected: "requester" }],
  ["x-amz-source-expected-bucket-owner", "taken"],
  // Objects.
  ["x-amz-bypass-governance-retention", {
    by: ["DeleteObject", "DeleteObjects", "PutObjectRetention"],
  }],
  // Buckets in a namespace of an account are unsupported.
  ["x-amz-bucket-namespace", { by: ["CreateBucket"], values: ["global"] }],
  ["x-amz-object-ownership", {
    by: ["CreateBucket"],
    values: ["BucketOwnerEnforced", "BucketOwnerPreferred", "ObjectWriter"],
  }],
  ["x-amz-bucket-object-lock-enabled", truth("CreateBucket")],
  ["x-amz-bucket-object-lock-token", { by: ["PutObjectLockConfiguration"] }],
  ["x-amz-acl", {
    by: [...MAKES, "CreateBucket", "PutBucketAcl", "PutObjectAcl"],
  }],
  ["x-amz-checksum-algorithm", CHECKSUM_ALGORITHM],
  ["x-amz-checksum-mode", { by: ["GetObject", "HeadObject"], values: ["ENABLED", "enabled"] }],
  ["x-amz-checksum-type", {
    by: ["CreateMultipartUpload", "CompleteMultipartUpload", "PutObject", "UploadPart"],
    form: /^(FULL_OBJECT|COMPOSITE)?$/i,
    expected: "FULL_OBJECT or COMPOSITE",
  }],
  ["x-amz-confirm-remove-self-bucket-access", truth("PutBucketPolicy")],
  ["x-amz-metadata-directive", { by: ["CopyObject"] }],
  ["x-amz-tagging", { by: MAKES }],
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
  ["x-amz-skip-destination-validation", truth("PutBucketNotificationConfiguration")],
  ["x-amz-transition-default-minimum-object-size", {
    by: ["PutBucketLifecycleConfiguration"],
    values: MINIMUM_SIZES,
  }],
  ["x-amz-mp-object-size", { by: ["CompleteMultipartUpload"] }],
  ["x-amz-object-attributes", { by: ["GetObjectAttributes"] }],
  ["x-amz-optional-object-attributes", {
    by: ["ListObjects", "ListObjectsV2", "ListObjectVersions"],
    form: /^RestoreStatus$/,
    expected: "RestoreStatus",
  }],
  ["x-amz-part-number-marker", { by: ["GetObjectAttributes"] }],
  // Unsupported.
  ["x-amz-client-token", RENAMES],
  ["x-amz-copy-source-server-side-encryption-customer-algorithm", SOURCE_KEY],
  ["x-amz-copy-source-server-side-encryption-customer-key", SOURCE_KEY],
  ["x-amz-copy-source-server-side-encryption-customer-key-md5", SOURCE_KEY],
  ["x-amz-grant-full-control", GRANTS],
  ["x-amz-grant-read", GRANTS],
  ["x-amz-grant-read-acp", GRANTS],
  ["x-amz-grant-write", GRANTS],
  ["x-amz-grant-write-acp", GRANTS],
  ["x-amz-object-lock-legal-hold", LOCKS],
  ["x-amz-object-lock-mode", LOCKS],
  ["x-amz-object-lock-retain-until-date", LOCKS],
  ["x-amz-rename-source", RENAMES],
  ["x-amz-server-side-encryption", ENCRYPTION],
  ["x-amz-server-side-encryption-aws-kms-key-id", ENCRYPTION],
  ["x-amz-server-side-encryption-bucket-key-enabled", ENCRYPTION],
  ["x-amz-server-side-encryption-context", ENCRYPTION],
  ["x-amz-server-side-encryption-customer-algorithm", CUSTOMER_KEY],
  ["x-amz-server-side-encryption-customer-key", CUSTOMER_KEY],
  ["x-amz-server-side-encryption-customer-key-md5", CUSTOMER_KEY],
  ["x-amz-storage-class", { by: MAKES, values: STORAGE_CLASSES }],
  ["x-amz-website-redirect-location", {
    by: MAKES,
    form: /^(https?:\/)?\//,
    expected: "the prefix http://, https:// or /",
    code: "InvalidRedirectLocation",
  }],
  ["x-amz-write-offset-bytes", { without: "appending to objects" }],
  ["content-disposition", STORED],
  ["content-encoding", { ...STORED, elsewhere: ["", "aws-chunked", "identity"] }],
  ["content-language", STORED],
  ["expires", { by: [...STORED.by, ...READS] }],
  // HTTP: an operation that ignored these would do what its sender forbade (RFC 9110 sections 13.2 and 14.5).
  ["content-range", { by: READS }],
  ["if-match", { by: [...READS, ...PUTS, "DeleteObject"] }],
  ["if-modified-since", { by: READS }],
  ["if-none-match", { by: [...READS, ...PUTS] }],
  ["if-unmodified-since", { by: READS }],
]);

/** Prefixes of names with any ending, and names that are read elsewhere, where unknown ones are refused. */
const META = "x-amz-meta-";
const CHECKSUM = "x-amz-checksum-";

/**
 * Throws `NotImplemented` for a field that this operation ignores, `InvalidBucketOwnerAWSAccountID` for an invalid
 * owner. Returns whether a field states a digest of the body.
 */
export function checkFields(headers: HeaderValues, operation: OperationName): boolean {
  let digests = false;
  for (const [name, value] of headers) {
    const rule = RULES.get(name);
    if (rule !== undefined) check(name, { value, rule, operation });
    else if (name === "content-md5") digests = true;
    else if (!name.startsWith("x-amz-")) continue;
    else if (name.startsWith(META)) checkMetadata(name, operation);
    else if (name.startsWith(CHECKSUM)) digests = true;
    else throw unknown(name);
  }
  return digests;
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
    if (!rule.by.includes(operation)) {
      if ("elsewhere" in rule && rule.elsewhere?.includes(value.toLowerCase())) return;
      throw new S3Error(
        (!("form" in rule) && "code" in rule ? rule.code : undefined) ?? "NotImplemented",
        `Cannot accept ${name} with ${operation}: it belongs to ${rule.by.join(", ")}`,
      );
    }
    if ("form" in rule) return checkForm(name, value, rule);
    if (!("values" in rule) || rule.values.includes(value)) return;
    throw new S3Error(
      "NotImplemented",
      `Cannot accept ${name} "${value}": this store has ${rule.values.join(", ")}`,
    );
  }
  if ("form" in rule) return checkForm(name, value, rule);
  const harmless = "but" in rule ? rule.but : [];
  if (harmless.includes(value)) return;
  const named = harmless.filter((text) => text !== "");
  const wayOut = named.length === 0 ? "" : `; expected ${named.join(" or ")}, or no field`;
  throw new S3Error(
    "NotImplemented",
    `Cannot accept ${name} "${value}": this store has no ${rule.without}${wayOut}`,
  );
}

function checkForm(name: string, value: string, { form, expected, code }: Form): void {
  if (form.test(value)) return;
  throw new S3Error(
    code ?? "InvalidArgument",
    `Cannot use ${name} "${value}": expected ${expected}`,
  );
}

/** S3 accepts it only for a new object; forms have it in their fields. */
function checkMetadata(name: string, operation: OperationName): void {
  if (MAKES.includes(operation) || operation === "PostObject") return;
  throw new S3Error(
    "InvalidArgument",
    `Cannot accept ${name} with ${operation}: Metadata cannot be specified in this context.`,
  );
}

/** Any account counts as the owner, like any credentials. */
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
  return new S3Error("NotImplemented", `Cannot accept header field ${name}: it is unknown${hint}`);
}
