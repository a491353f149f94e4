/**
 * Verifies a signature of a message, RFC 6376 section 6, and RFC 8463. Keys are passed in; no name
 * server is queried.
 */
import { Buffer } from "node:buffer";
import { createHash, verify } from "node:crypto";
import { fromLatin1 } from "../../../../core/bytes/latin1.ts";
import type { Steps } from "../../../../core/bytes/steps.ts";
import { canonicalBody, canonicalField, type Canonicalization } from "./canonical.ts";
import { type DkimKey, keyName } from "./key.ts";
import { parseTags, withoutSpace } from "./tags.ts";

/** A message to verify. */
export interface SignedMessage {
  /** Header fields with their names and folds, one character for each octet, in order. */
  readonly fields: readonly string[];
  readonly body: Uint8Array;
}

/** Keys by the lower-case names of their records. */
export type KeyOf = (name: string) => DkimKey | undefined;

/** Result of a signature. */
export type Verdict =
  | { readonly result: "pass"; readonly key: DkimKey; readonly tags: Tags }
  /** No key is given. */
  | { readonly result: "unknown"; readonly name: string }
  | { readonly result: "fail"; readonly reason: string };

/** Tags of a signature. */
export type Tags = ReadonlyMap<string, string>;

/** Maximum number of names in `h=`. */
const MAX_NAMES = 1000;
/** RFC 8301 section 3.2: shorter keys are not accepted. */
const MIN_BITS = 1024;

/** Verifies the signature in one field of a message. */
export function* verifySignature(
  message: SignedMessage,
  field: string,
  { keyOf, nowMs }: {
    readonly keyOf: KeyOf;
    /** Time of receipt, in milliseconds since 1970. */
    readonly nowMs: number;
  },
): Steps<Verdict> {
  const fail = (reason: string): Verdict => ({ result: "fail", reason });
  const tags = parseTags(field.slice(field.indexOf(":") + 1));
  if (tags === undefined) return fail("it is not a list of tags, or contains one twice");
  const problem = problemOf(tags, nowMs);
  if (problem !== undefined) return fail(problem);
  const name = keyName(tags.get("s") ?? "", tags.get("d") ?? "");
  const key = keyOf(name);
  if (key === undefined) return { result: "unknown", name };
  const unfit = misfitOf(tags, key);
  if (unfit !== undefined) return fail(unfit);
  const [header, body] = formsOf(tags);
  const canonical = yield* canonicalBody(message.body, body);
  const length = Number(tags.get("l") ?? canonical.length);
  if (length > canonical.length) return fail(`l=${length} is more than the length of the body`);
  const hash = createHash("sha256").update(canonical.subarray(0, length)).digest("base64");
  if (hash !== withoutSpace(tags.get("bh") ?? "")) {
    return fail("the body was changed after it was signed: bh does not match");
  }
  const data = signedData(message.fields, field, { tags, header });
  const signature = Buffer.from(withoutSpace(tags.get("b") ?? ""), "base64");
  if (!isSigned(data, signature, key)) {
    return fail("header fields were changed after they were signed, or the key is another one");
  }
  return { result: "pass", key, tags };
}

/** Returns the problem of a signature that needs no key to detect: RFC 6376 section 6.1.1. */
function problemOf(tags: Tags, nowMs: number): string | undefined {
  const missing = ["v", "a", "b", "bh", "d", "h", "s"].find((name) => !tags.get(name));
  if (missing !== undefined) return `${missing} is missing`;
  if (tags.get("v") !== "1") return "v is not 1";
  if (!["rsa-sha256", "ed25519-sha256"].includes(tags.get("a") ?? "")) {
    return `a=${tags.get("a")} is neither rsa-sha256 nor ed25519-sha256`;
  }
  if (!FORMS.test(tags.get("c") ?? "simple")) return `c=${tags.get("c")} does not exist`;
  if (!namesOf(tags).includes("from")) return "h does not contain From";
  const domain = (tags.get("d") ?? "").toLowerCase();
  const agent = tags.get("i")?.toLowerCase();
  const at = agent?.slice(agent.lastIndexOf("@") + 1);
  if (at !== undefined && at !== domain && !at.endsWith(`.${domain}`)) {
    return `i=${agent} is not in d=${domain}`;
  }
  for (const name of ["l", "t", "x"]) {
    if (tags.has(name) && !/^\d{1,76}$/.test(tags.get(name)!)) return `${name} is not a number`;
  }
  const expires = Number(tags.get("x") ?? Infinity);
  if (expires <= Number(tags.get("t") ?? -1)) return "x is not after t";
  return expires * 1000 < nowMs
    ? `it expired ${new Date(expires * 1000).toISOString()}`
    : undefined;
}

const FORMS = /^(?:simple|relaxed)(?:\/(?:simple|relaxed))?$/;

function formsOf(tags: Tags): readonly [header: Canonicalization, body: Canonicalization] {
  const [header, body] = (tags.get("c") ?? "").split("/");
  return [header === "relaxed" ? header : "simple", body === "relaxed" ? body : "simple"];
}

/** Returns why a key cannot verify a signature. */
function misfitOf(tags: Tags, key: DkimKey): string | undefined {
  if (tags.get("a") !== `${key.type}-sha256`) {
    return `a=${tags.get("a")}, but the key is ${key.type}`;
  }
  if (key.type === "rsa" && key.bits < MIN_BITS) return `the key has ${key.bits} bits: RFC 8301`;
  const agent = tags.get("i")?.toLowerCase();
  const isOther = agent !== undefined && !agent.endsWith(`@${tags.get("d")?.toLowerCase()}`);
  if (isOther && key.flags.includes("s")) {
    return `i=${agent} is in a subdomain, but the key has t=s`;
  }
  return undefined;
}

function namesOf(tags: Tags): readonly string[] {
  return (tags.get("h") ?? "").toLowerCase().split(":", MAX_NAMES).map((name) => name.trim());
}

/** The signed fields, the last of a name first, and the signature itself without its value: section 3.7. */
function signedData(
  fields: readonly string[],
  signature: string,
  { tags, header }: { readonly tags: Tags; readonly header: Canonicalization },
): Uint8Array {
  const byName = new Map<string, string[]>();
  for (const field of fields) {
    const name = field.slice(0, field.indexOf(":")).trim().toLowerCase();
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [field]);
    else same.push(field);
  }
  const signed: string[] = [];
  for (const name of namesOf(tags)) {
    const field = byName.get(name)?.pop();
    if (field !== undefined) signed.push(`${canonicalField(field, header)}\r\n`);
  }
  const colon = signature.indexOf(":") + 1;
  const value = signature.slice(colon).replace(/((?:^|;)\s*b\s*=)[^;]*/, "$1");
  return fromLatin1(
    `${signed.join("")}${canonicalField(signature.slice(0, colon) + value, header)}`,
  );
}

function isSigned(data: Uint8Array, signature: Uint8Array, { key, type }: DkimKey): boolean {
  try {
    if (type === "rsa") return verify("sha256", data, key, signature);
    // RFC 8463 section 3: the hash is what Ed25519 signs.
    return verify(null, createHash("sha256").update(data).digest(), key, signature);
  } catch {
    return false;
  }
}

/** Splits a header section into fields with their folds. */
export function fieldsOf(header: string): readonly string[] {
  return header.split(/\r\n(?![ \t])/).filter((field) => field.includes(":"));
}
