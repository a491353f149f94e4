/** The fields of a form that puts an object (Amazon S3 API reference, "POST Object" and "Creating an HTML form"). */
import { suggest } from "../../../core/options/suggest.ts";
import type { FormReader } from "../codec/form_reader.ts";
import {
  checkPolicy,
  isIgnored,
  names,
  parsePolicy,
  type PostPolicy,
  sizesOf,
} from "../codec/post_policy.ts";
import { S3Error } from "../errors.ts";
import { setText } from "./header_text.ts";

/** A form, before its file is read. */
export interface PostForm {
  /** By lower-case name; repeated fields joined by commas. */
  readonly fields: ReadonlyMap<string, string>;
  readonly key: string;
  /** The header fields of the equivalent PUT. */
  readonly headers: Headers;
  /** The query of the equivalent presigned URL. */
  readonly signer: ReadonlyMap<string, string>;
  readonly policy: PostPolicy | undefined;
  /** Address of the redirect afterwards. */
  readonly redirect: string | undefined;
  /** Status without a redirect. */
  readonly status: 200 | 201 | 204;
}

/** Fields of the form, each with the equivalent header field of a PUT. */
const HEADERS: ReadonlyMap<string, string> = new Map([
  ["acl", "x-amz-acl"],
  ["cache-control", "cache-control"],
  ["content-disposition", "content-disposition"],
  ["content-encoding", "content-encoding"],
  ["content-language", "content-language"],
  ["content-md5", "content-md5"],
  ["content-type", "content-type"],
  ["expires", "expires"],
]);

/** Header fields about the body of a request; a form states nothing of its file this way. */
const OF_REQUEST: ReadonlySet<string> = new Set([
  "x-amz-content-sha256",
  "x-amz-decoded-content-length",
  "x-amz-sdk-checksum-algorithm",
  "x-amz-trailer",
]);

/** Returns whether a header field is about the body of a request, and therefore no field of a form. */
export function isOfRequest(name: string): boolean {
  return OF_REQUEST.has(name);
}

/** Fields of a signature, by version; only their format is checked. */
const SIGNATURE_4: Readonly<Record<string, RegExp>> = {
  "x-amz-algorithm": /^AWS4-HMAC-SHA256$/,
  "x-amz-credential": /^.+\/\d{8}\/[^/]+\/s3\/aws4_request$/,
  "x-amz-date": /^\d{8}T\d{6}Z$/,
  "x-amz-signature": /^[0-9a-f]{64}$/,
};
const SIGNATURE_2: Readonly<Record<string, RegExp>> = {
  awsaccesskeyid: /^.+$/,
  signature: /^[A-Za-z0-9+/]{27}=$/,
};

const OTHERS = [
  "bucket",
  "key",
  "policy",
  "redirect",
  "success_action_redirect",
  "success_action_status",
  "tagging",
  ...Object.keys(SIGNATURE_4),
  ...Object.keys(SIGNATURE_2),
];

/** Reads the fields. Throws `InvalidArgument` and `InvalidPolicyDocument`. */
export function readForm(reader: FormReader): PostForm {
  const fields = new Map<string, string>();
  for (const [spelled, sent] of reader.fields) {
    const name = spelled.toLowerCase();
    const value = sent.replaceAll("${filename}", () => reader.file ?? "");
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : `${before},${value}`);
  }
  const key = fields.get("key") ?? "";
  if (key === "") {
    throw new S3Error(
      "InvalidArgument",
      "Cannot accept the form: expected a field named key, before the file",
    );
  }
  const policy = readPolicy(fields);
  const credential = fields.get("x-amz-credential");
  const accessKey = fields.get("awsaccesskeyid");
  return {
    fields,
    key,
    headers: toHeaders(fields, policy),
    signer: new Map([
      ...credential === undefined ? [] : [["X-Amz-Credential", credential] as const],
      ...accessKey === undefined ? [] : [["AWSAccessKeyId", accessKey] as const],
    ]),
    policy,
    redirect: readRedirect(fields),
    status: readStatus(fields),
  };
}

function readPolicy(fields: ReadonlyMap<string, string>): PostPolicy | undefined {
  const text = fields.get("policy");
  if (text === undefined) return undefined;
  checkSignature(fields);
  const parsed = parsePolicy(text);
  if (parsed.ok) return parsed.value;
  throw new S3Error("InvalidPolicyDocument", `Invalid Policy: ${parsed.refusal}`);
}

/** Requires the fields of a signature in a form with a policy; the signature itself is not verified. */
function checkSignature(fields: ReadonlyMap<string, string>): void {
  const form = fields.has("awsaccesskeyid") ? SIGNATURE_2 : SIGNATURE_4;
  for (const [name, pattern] of Object.entries(form)) {
    const value = fields.get(name);
    if (value !== undefined && pattern.test(value)) continue;
    const problem = value === undefined ? "is missing" : `"${value}" is invalid`;
    throw new S3Error(
      "InvalidArgument",
      `Cannot accept a signed form: its field ${name} ${problem}`,
    );
  }
}

function toHeaders(
  fields: ReadonlyMap<string, string>,
  policy: PostPolicy | undefined,
): Headers {
  const headers = new Headers();
  for (const [name, value] of fields) {
    if (OTHERS.includes(name) || isIgnored(name)) continue;
    const isField = name.startsWith("x-amz-") && !isOfRequest(name);
    const header = HEADERS.get(name) ?? (isField ? name : undefined);
    if (header !== undefined) {
      setText(headers, header, { value, from: `field ${name}` });
    } else if (policy === undefined || !names(policy, name)) throw unknown(name);
  }
  return headers;
}

function unknown(name: string): S3Error {
  const near = suggest(name, [...HEADERS.keys(), ...OTHERS]);
  const hint = near === undefined ? "name it x-ignore-… to have it ignored" : `meant ${near}?`;
  return new S3Error("InvalidArgument", `Cannot accept field ${name}: it is unknown; ${hint}`);
}

/** Ignores a text that is not an HTTP URL, as S3 does. */
function readRedirect(fields: ReadonlyMap<string, string>): string | undefined {
  const text = fields.get("success_action_redirect") ?? fields.get("redirect") ?? "";
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "") ? text : undefined;
}

/** Returns 204 for any other status, as S3 does. */
function readStatus(fields: ReadonlyMap<string, string>): 200 | 201 | 204 {
  const text = fields.get("success_action_status");
  return text === "200" ? 200 : text === "201" ? 201 : 204;
}

/**
 * Checks a form against its policy. Returns the allowed sizes of its file. Throws `AccessDenied`, and
 * `InvalidArgument` if the form names a bucket other than that of its address.
 */
export function checkForm(
  { fields, policy }: PostForm,
  { bucket, now }: { bucket: string; now: Date },
): { least: number; most: number } {
  const reason = policy && checkPolicy(policy, { fields, bucket, now });
  if (reason !== undefined) {
    throw new S3Error("AccessDenied", `Invalid according to Policy: ${reason}`);
  }
  const named = fields.get("bucket") ?? bucket;
  if (named !== bucket) {
    throw new S3Error(
      "InvalidArgument",
      `Cannot put into bucket "${named}" by the address of bucket "${bucket}"`,
    );
  }
  return policy === undefined ? { least: 0, most: Infinity } : sizesOf(policy);
}
