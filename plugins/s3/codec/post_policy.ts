/**
 * The policy of a form: conditions on its fields (Amazon S3 API reference, "POST policy"). The vendor's examples have a
 * comma after the last condition, and escapes that JSON lacks; both are accepted.
 *
 * @module
 */
import { decodeBase64 } from "@std/encoding/base64";
import { failure, type Result, success } from "../../../core/result.ts";

/** A condition on a field or the file. */
type Condition =
  | {
    readonly test: "eq" | "starts-with";
    /** In lower case. */
    readonly field: string;
    readonly value: string;
  }
  | { readonly test: "content-length-range"; readonly least: number; readonly most: number };

/** A parsed policy. */
export interface PostPolicy {
  readonly expiration: Date;
  readonly conditions: readonly Condition[];
}

/** Fields that need no condition. */
const FREE: ReadonlySet<string> = new Set([
  "awsaccesskeyid",
  "file",
  "policy",
  "signature",
  "x-amz-signature",
]);

/** Returns whether S3 ignores a field of that name. */
export function isIgnored(name: string): boolean {
  return name.startsWith("x-ignore-");
}

/** Parses a policy in base64. The error says what is wrong with it. */
export function parsePolicy(text: string): Result<PostPolicy, string> {
  let value: unknown;
  try {
    const json = new TextDecoder("utf-8", { fatal: true }).decode(
      decodeBase64(text.replace(/\s+/g, "")),
    );
    value = JSON.parse(toPlainJson(json));
  } catch {
    return failure("it is not JSON in base64");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return failure("expected an object");
  }
  const { expiration, conditions, ...more } = value as Readonly<Record<string, unknown>>;
  const [other] = Object.keys(more);
  if (other !== undefined) return failure(`it has "${other}" besides expiration and conditions`);
  if (typeof expiration !== "string") return failure("it has no expiration");
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(expiration)) {
    return failure(`its expiration "${expiration}" is not an ISO 8601 date with time and zone`);
  }
  if (!Array.isArray(conditions)) return failure("it has no list of conditions");
  const read: Condition[] = [];
  for (const item of conditions) {
    const condition = readCondition(item);
    if (condition === undefined) return failure(`condition ${JSON.stringify(item)} is invalid`);
    read.push(condition);
  }
  const date = new Date(expiration);
  if (Number.isNaN(date.getTime())) return failure(`"${expiration}" is not a valid date`);
  return success({ expiration: date, conditions: read });
}

/** Replaces `\$` and `\v`, which JSON lacks, and removes a comma after the last item. */
function toPlainJson(text: string): string {
  return text.replace(
    /"(?:[^"\\]|\\.)*"|,(?=\s*[\]}])/gs,
    (found) =>
      found === ","
        ? ""
        : found.replace(/\\(.)/gs, (escape, char) =>
          char === "$" ? "$" : char === "v" ? "\\u000b" : escape),
  );
}

function readCondition(item: unknown): Condition | undefined {
  if (Array.isArray(item)) return readTest(item);
  if (typeof item !== "object" || item === null) return undefined;
  const [pair, ...more] = Object.entries(item);
  const value: unknown = pair?.[1];
  if (pair === undefined || more.length > 0 || typeof value !== "string") return undefined;
  return { test: "eq", field: pair[0].toLowerCase(), value };
}

function readTest([test, first, second, ...more]: readonly unknown[]): Condition | undefined {
  if (typeof test !== "string" || more.length > 0) return undefined;
  const name = test.toLowerCase();
  if (name === "content-length-range") {
    const [least, most] = [Number(first), Number(second)];
    const sound = [first, second].every((value) => /^\d{1,15}$/.test(String(value)));
    return sound ? { test: name, least, most } : undefined;
  }
  const known = name === "eq" || name === "starts-with";
  if (!known || typeof first !== "string" || typeof second !== "string") return undefined;
  if (!/^\$./.test(first)) return undefined;
  return { test: name, field: first.slice(1).toLowerCase(), value: second };
}

/** Returns why the fields of a form violate its policy; `undefined` if they do not. Names are in lower case. */
export function checkPolicy(
  { conditions, expiration }: PostPolicy,
  { fields, bucket, now }: { fields: ReadonlyMap<string, string>; bucket: string; now: Date },
): string | undefined {
  if (expiration <= now) return "Policy expired.";
  const inputs = new Map([...fields, ["bucket", bucket] as const]);
  for (const name of inputs.keys()) {
    if (FREE.has(name) || isIgnored(name) || names({ conditions }, name)) continue;
    return `Extra input fields: ${name}`;
  }
  const failed = conditions.find((condition) =>
    condition.test !== "content-length-range" && !holds(condition, inputs.get(condition.field))
  );
  if (failed === undefined || failed.test === "content-length-range") return undefined;
  const { test, field, value } = failed;
  return `Policy Condition failed: ${JSON.stringify([test, `$${field}`, value])}`;
}

/** Returns whether a policy has a condition on a field. */
export function names({ conditions }: Pick<PostPolicy, "conditions">, field: string): boolean {
  return conditions.some((one) => one.test !== "content-length-range" && one.field === field);
}

function holds(
  { test, field, value }: Exclude<Condition, { test: "content-length-range" }>,
  input: string | undefined,
): boolean {
  if (input === undefined) return false;
  if (test === "eq") return input === value;
  // Each item of a list of media types must begin with it.
  const items = field === "content-type" ? input.split(",").map((item) => item.trim()) : [input];
  return items.every((item) => item.startsWith(value));
}

/** Returns the allowed sizes of the file, in bytes. */
export function sizesOf({ conditions }: PostPolicy): { least: number; most: number } {
  let [least, most] = [0, Infinity];
  for (const condition of conditions) {
    if (condition.test !== "content-length-range") continue;
    least = Math.max(least, condition.least);
    most = Math.min(most, condition.most);
  }
  return { least, most };
}
