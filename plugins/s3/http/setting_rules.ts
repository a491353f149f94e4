/** Rules for each setting of a bucket (Amazon S3 API reference). */
import type { Bucket } from "../catalog/bucket.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { SettingName } from "../catalog/settings.ts";
import { CORS_METHODS } from "../codec/cors.ts";
import { childrenOf, childText, type XmlElement, type XmlNode } from "../codec/xml.ts";
import { type S3Code, S3Error } from "../errors.ts";
import { checkLifecycle, nameRules } from "./lifecycle_rules.ts";
import { checkConfiguration } from "./lock.ts";
import { checkNotification, nameDestinations } from "./notification_rules.ts";
import { checkChildren } from "./documents.ts";
import {
  ACCELERATION,
  ENCRYPTION,
  LOGGING,
  MINIMUM_SIZES,
  OWNERSHIP,
  PUBLIC_ACCESS,
  REPLICATION,
  REQUEST_PAYMENT,
  WEBSITE,
} from "./setting_shapes.ts";
import { checkShape } from "./shapes.ts";
import { readTagSet } from "./tags.ts";

/** Rules of one setting. */
export interface SettingRules {
  /** Name of the root element. */
  readonly root: string;
  /** Largest document. */
  readonly maxBytes: number;
  /** Error for a bucket without the setting; by default the response is a document with `fallback`. */
  readonly missing?: S3Code;
  readonly fallback?: readonly XmlElement[];
  /** Header fields stored and returned with the document: their valid values, the default first. */
  readonly fields?: Readonly<Record<string, readonly [string, ...string[]]>>;
  /** Throws `MalformedXML`, `InvalidRequest` and others for what S3 refuses. */
  check(root: XmlNode, about: { readonly bucket: Bucket; readonly catalog: Catalog }): void;
  /** Adds the defaults of S3 that the document omits; `id` creates a new identifier. */
  complete?(root: XmlNode, id: () => string): XmlNode;
}

/** Settings that are XML documents. */
export type DocumentName = Exclude<SettingName, "policy">;

/** Rules by the name of the setting. */
export const SETTING_RULES: Readonly<Record<DocumentName, SettingRules>> = {
  accelerate: {
    root: "AccelerateConfiguration",
    maxBytes: 65_536,
    check: (root) => checkShape(root, ACCELERATION),
  },
  cors: {
    root: "CORSConfiguration",
    maxBytes: 65_536,
    missing: "NoSuchCORSConfiguration",
    check: checkCors,
  },
  encryption: {
    root: "ServerSideEncryptionConfiguration",
    maxBytes: 65_536,
    missing: "ServerSideEncryptionConfigurationNotFoundError",
    check: checkEncryption,
  },
  lifecycle: {
    root: "LifecycleConfiguration",
    maxBytes: 1_048_576,
    missing: "NoSuchLifecycleConfiguration",
    fields: { "x-amz-transition-default-minimum-object-size": MINIMUM_SIZES },
    check: checkLifecycle,
    complete: nameRules,
  },
  logging: {
    root: "BucketLoggingStatus",
    maxBytes: 65_536,
    check: checkLogging,
  },
  notification: {
    root: "NotificationConfiguration",
    maxBytes: 262_144,
    check: checkNotification,
    complete: nameDestinations,
  },
  "object-lock": {
    root: "ObjectLockConfiguration",
    maxBytes: 65_536,
    missing: "ObjectLockConfigurationNotFoundError",
    check: (root, { bucket }) => checkConfiguration(root, bucket),
  },
  ownershipControls: {
    root: "OwnershipControls",
    maxBytes: 65_536,
    missing: "OwnershipControlsNotFoundError",
    check: (root) => checkShape(root, OWNERSHIP),
  },
  publicAccessBlock: {
    root: "PublicAccessBlockConfiguration",
    maxBytes: 65_536,
    missing: "NoSuchPublicAccessBlockConfiguration",
    check: (root) => checkShape(root, PUBLIC_ACCESS),
  },
  replication: {
    root: "ReplicationConfiguration",
    maxBytes: 2_097_152,
    missing: "ReplicationConfigurationNotFoundError",
    check: checkReplication,
  },
  requestPayment: {
    root: "RequestPaymentConfiguration",
    maxBytes: 65_536,
    fallback: [["Payer", "BucketOwner"]],
    check: (root) => checkShape(root, REQUEST_PAYMENT),
  },
  website: {
    root: "WebsiteConfiguration",
    maxBytes: 131_072,
    missing: "NoSuchWebsiteConfiguration",
    check: checkWebsite,
  },
  tagging: {
    root: "Tagging",
    maxBytes: 65_536,
    missing: "NoSuchTagSet",
    check: (root) => void readTagSet(root, "bucket"),
  },
};

/** API reference, ServerSideEncryptionByDefault: only encryption with KMS has a key. */
function checkEncryption(root: XmlNode): void {
  checkShape(root, ENCRYPTION);
  for (const rule of childrenOf(root, "Rule")) {
    const [byDefault] = childrenOf(rule, "ApplyServerSideEncryptionByDefault");
    if (byDefault === undefined || !childText(byDefault, "KMSMasterKeyID")?.trim()) continue;
    const algorithm = childText(byDefault, "SSEAlgorithm")?.trim();
    if (algorithm?.startsWith("aws:kms")) continue;
    throw new S3Error(
      "InvalidArgument",
      `Cannot accept KMSMasterKeyID with SSEAlgorithm ${algorithm}: expected aws:kms or aws:kms:dsse`,
    );
  }
}

/** A document without LoggingEnabled switches it off. */
function checkLogging(root: XmlNode, { catalog }: { readonly catalog: Catalog }): void {
  checkShape(root, LOGGING);
  const [enabled] = childrenOf(root, "LoggingEnabled");
  const name = enabled === undefined ? undefined : childText(enabled, "TargetBucket")?.trim();
  if (name === undefined || catalog.findBucket(name) !== undefined) return;
  throw new S3Error(
    "InvalidTargetBucketForLogging",
    `Cannot log to bucket "${name}": create it first`,
  );
}

function checkReplication(root: XmlNode, { bucket }: { readonly bucket: Bucket }): void {
  checkShape(root, REPLICATION);
  if (bucket.versioning === "Enabled") return;
  throw new S3Error(
    "InvalidRequest",
    "Versioning must be 'Enabled' on the bucket to apply a replication configuration",
  );
}

function checkWebsite(root: XmlNode): void {
  checkShape(root, WEBSITE);
  const names = root.children.map(({ name }) => name);
  for (const rule of childrenOf(root, "RoutingRules").flatMap(({ children }) => children)) {
    const [redirect] = childrenOf(rule, "Redirect");
    const keys = redirect?.children.filter(({ name }) => name.startsWith("ReplaceKey")) ?? [];
    if (keys.length < 2) continue;
    throw new S3Error(
      "InvalidRequest",
      "You can only define ReplaceKeyPrefixWith or ReplaceKeyWith but not both.",
    );
  }
  const redirects = names.includes("RedirectAllRequestsTo");
  if (redirects ? names.length === 1 : names.includes("IndexDocument")) return;
  throw new S3Error(
    "InvalidArgument",
    "Cannot accept a website: expected an IndexDocument, or RedirectAllRequestsTo alone",
  );
}

const MAX_CORS_RULES = 100;

function checkCors(root: XmlNode): void {
  checkChildren(root, { known: ["CORSRule"], many: ["CORSRule"] });
  const rules = childrenOf(root, "CORSRule");
  if (rules.length === 0) throw new S3Error("MalformedXML", "Cannot put cors without a CORSRule");
  if (rules.length > MAX_CORS_RULES) {
    throw new S3Error(
      "InvalidRequest",
      `Cannot put ${rules.length} CORS rules: at most ${MAX_CORS_RULES} are allowed`,
    );
  }
  for (const rule of rules) checkCorsRule(rule);
}

function checkCorsRule(rule: XmlNode): void {
  const wild = ["AllowedOrigin", "AllowedHeader"] as const;
  const many = ["AllowedMethod", "ExposeHeader", ...wild];
  checkChildren(rule, { known: ["ID", "MaxAgeSeconds", ...many], many, nested: [] });
  for (const name of ["AllowedMethod", "AllowedOrigin"]) {
    if (childrenOf(rule, name).length > 0) continue;
    throw new S3Error("MalformedXML", `Cannot put a CORSRule without ${name}`);
  }
  for (const { text } of childrenOf(rule, "AllowedMethod")) {
    if (CORS_METHODS.some((method) => method === text.trim())) continue;
    throw new S3Error(
      "InvalidRequest",
      `Cannot use AllowedMethod "${text}": expected ${CORS_METHODS.join(", ")}`,
    );
  }
  for (const name of wild) {
    for (const { text } of childrenOf(rule, name)) {
      if (text.split("*").length <= 2) continue;
      throw new S3Error("InvalidRequest", `Cannot use ${name} "${text}": it has more than one *`);
    }
  }
  checkExposed(rule);
  const id = childText(rule, "ID") ?? "";
  if (id.length > 255) throw new S3Error("InvalidArgument", "Cannot use an ID over 255 characters");
  const age = childText(rule, "MaxAgeSeconds")?.trim();
  if (age !== undefined && !/^\d{1,9}$/.test(age)) {
    throw new S3Error("MalformedXML", `Cannot read MaxAgeSeconds "${age}": expected an integer`);
  }
}

/** Checks names that are sent as a header field. */
function checkExposed(rule: XmlNode): void {
  for (const { text } of childrenOf(rule, "ExposeHeader")) {
    if (/^[!#$%&'+.^_`|~\w-]+$/.test(text.trim())) continue;
    throw new S3Error(
      "InvalidRequest",
      `Cannot use ExposeHeader "${text}": expected the name of a header field, without *`,
    );
  }
}
