/** What each setting of a bucket must be, in the words of the Amazon S3 API reference. */
import type { SettingName } from "../catalog/settings.ts";
import { CORS_METHODS } from "../codec/cors.ts";
import { childrenOf, childText, type XmlNode } from "../codec/xml.ts";
import { type S3Code, S3Error } from "../errors.ts";
import { checkChildren } from "./documents.ts";
import { readTagSet } from "./tags.ts";

/** Rules of one setting. */
export interface SettingRules {
  /** Name of the document's root. */
  readonly root: string;
  /** Longest document. */
  readonly maxBytes: number;
  /** What a bucket without the setting is answered with. */
  readonly missing: S3Code;
  /** Throws `MalformedXML`, `InvalidRequest` and others for what S3 does not take. */
  check(root: XmlNode): void;
}

/** By the name of the setting. */
export const SETTING_RULES: Readonly<Record<SettingName, SettingRules>> = {
  cors: {
    root: "CORSConfiguration",
    maxBytes: 65_536,
    missing: "NoSuchCORSConfiguration",
    check: checkCors,
  },
  tagging: {
    root: "Tagging",
    maxBytes: 65_536,
    missing: "NoSuchTagSet",
    check: (root) => void readTagSet(root, "bucket"),
  },
};

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

/** They go out as a header field. */
function checkExposed(rule: XmlNode): void {
  for (const { text } of childrenOf(rule, "ExposeHeader")) {
    if (/^[!#$%&'+.^_`|~\w-]+$/.test(text.trim())) continue;
    throw new S3Error(
      "InvalidRequest",
      `Cannot use ExposeHeader "${text}": expected the name of a header field, without *`,
    );
  }
}
