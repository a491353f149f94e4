/** Rules for each setting of a bucket (Amazon S3 API reference). */
import type { SettingName } from "../catalog/settings.ts";
import { CORS_METHODS } from "../codec/cors.ts";
import { childrenOf, childText, type XmlNode } from "../codec/xml.ts";
import { type S3Code, S3Error } from "../errors.ts";
import { checkChildren } from "./documents.ts";
import {
  ENCRYPTION,
  LIFECYCLE,
  NOTIFICATION,
  OWNERSHIP,
  PUBLIC_ACCESS,
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
  /** Error for a bucket without the setting; by default the answer is an empty document. */
  readonly missing?: S3Code;
  /** Throws `MalformedXML`, `InvalidRequest` and others for what S3 refuses. */
  check(root: XmlNode): void;
}

/** Settings that are XML documents. */
export type DocumentName = Exclude<SettingName, "policy">;

/** Rules by the name of the setting. */
export const SETTING_RULES: Readonly<Record<DocumentName, SettingRules>> = {
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
    check: (root) => checkShape(root, ENCRYPTION),
  },
  lifecycle: {
    root: "LifecycleConfiguration",
    maxBytes: 1_048_576,
    missing: "NoSuchLifecycleConfiguration",
    check: checkLifecycle,
  },
  notification: {
    root: "NotificationConfiguration",
    maxBytes: 262_144,
    check: (root) => checkShape(root, NOTIFICATION),
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

function checkLifecycle(root: XmlNode): void {
  checkShape(root, LIFECYCLE);
  const ids = childrenOf(root, "Rule").flatMap((rule) => childText(rule, "ID") ?? []);
  if (new Set(ids).size < ids.length) {
    throw new S3Error("InvalidArgument", "Cannot take two lifecycle rules with one ID");
  }
  for (const rule of childrenOf(root, "Rule")) {
    const has = (name: string): boolean => childrenOf(rule, name).length > 0;
    if (has("Prefix") === has("Filter")) {
      throw new S3Error("MalformedXML", "Cannot take a lifecycle Rule: expected Filter or Prefix");
    }
    if (!LIFECYCLE_ACTIONS.some(has)) {
      throw new S3Error(
        "InvalidRequest",
        `Cannot take a lifecycle Rule without ${LIFECYCLE_ACTIONS.join(", ")}`,
      );
    }
    for (const action of rule.children) checkMoments(action);
  }
}

const LIFECYCLE_ACTIONS = [
  "Expiration",
  "Transition",
  "NoncurrentVersionExpiration",
  "NoncurrentVersionTransition",
  "AbortIncompleteMultipartUpload",
];

/** When a rule acts: on a date, or after a number of days. */
function checkMoments(action: XmlNode): void {
  for (const { name, text } of action.children) {
    const days = ["Days", "DaysAfterInitiation", "NoncurrentDays"].includes(name);
    // Objects may change their class after 0 days, but may not expire then.
    if (days && Number(text) < 1 && !action.name.endsWith("Transition")) {
      throw new S3Error("InvalidArgument", `Cannot take ${name} "${text}": expected at least 1`);
    }
    if (name !== "Date") continue;
    const ms = Date.parse(text.trim());
    if (Number.isNaN(ms) || ms % 86_400_000 !== 0) {
      throw new S3Error(
        "InvalidArgument",
        `Cannot take Date "${text}": expected a midnight of GMT`,
      );
    }
  }
  const when = action.children.filter(({ name }) => name === "Date" || name === "Days");
  if (when.length > 1) {
    throw new S3Error("MalformedXML", `Cannot take ${action.name} with both Date and Days`);
  }
}

function checkWebsite(root: XmlNode): void {
  checkShape(root, WEBSITE);
  const names = root.children.map(({ name }) => name);
  const redirects = names.includes("RedirectAllRequestsTo");
  if (redirects ? names.length === 1 : names.includes("IndexDocument")) return;
  throw new S3Error(
    "InvalidArgument",
    "Cannot take a website: expected an IndexDocument, or RedirectAllRequestsTo alone",
  );
}

const MAX_CORS_RULES = 100;

function checkCors(root: XmlNode): void {
  checkChildren(root, { known: ["CORSRule"] });
  const rules = childrenOf(root, "CORSRule");
  if (rules.length === 0) throw new S3Error("MalformedXML", "Cannot put cors without a CORSRule");
  if (rules.length > MAX_CORS_RULES) {
    throw new S3Error(
      "InvalidRequest",
      `Cannot put ${rules.length} CORS rules: at most ${MAX_CORS_RULES} are taken`,
    );
  }
  for (const rule of rules) checkCorsRule(rule);
}

function checkCorsRule(rule: XmlNode): void {
  const wild = ["AllowedOrigin", "AllowedHeader"] as const;
  const known = ["ID", "AllowedMethod", "ExposeHeader", "MaxAgeSeconds", ...wild];
  checkChildren(rule, { known });
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

/** Checks names, as they are sent as a header field. */
function checkExposed(rule: XmlNode): void {
  for (const { text } of childrenOf(rule, "ExposeHeader")) {
    if (/^[!#$%&'+.^_`|~\w-]+$/.test(text.trim())) continue;
    throw new S3Error(
      "InvalidRequest",
      `Cannot use ExposeHeader "${text}": expected the name of a header field, without *`,
    );
  }
}
