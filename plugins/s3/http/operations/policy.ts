/** Policies of buckets: stored and returned, but never enforced. */
import { textResponse } from "../../../../core/http/reply.ts";
import { S3Error } from "../../errors.ts";
import { readText } from "../text_body.ts";
import { empty, xml } from "../reply.ts";
import type { Operation } from "../request.ts";

/** Amazon S3 user guide, "Bucket policies for Amazon S3". */
const MAX_BYTES = 20_480;

type Members = Readonly<Record<string, unknown>>;

/** GetBucketPolicy: `GET /bucket?policy`, as it was put. */
export const getPolicy: Operation = ({ catalog, target }) => {
  const text = catalog.bucket(target.bucket).settings.get("policy");
  if (text === undefined) {
    throw new S3Error("NoSuchBucketPolicy", `Cannot find a policy of bucket "${target.bucket}"`);
  }
  return textResponse(text, { headers: { "content-type": "application/json" } });
};

/** PutBucketPolicy: `PUT /bucket?policy`. */
export const putPolicy: Operation = async (request) => {
  const { catalog, target } = request;
  const bucket = catalog.bucket(target.bucket);
  const text = await readText(request, { maxBytes: MAX_BYTES, code: "MalformedPolicy" });
  const arn = `arn:aws:s3:::${bucket.name}`;
  for (const statement of statementsOf(text)) checkStatement(statement, arn);
  await catalog.configure(bucket, { name: "policy", text });
  return empty(204);
};

/** GetBucketPolicyStatus: `GET /bucket?policyStatus`. A bucket without a policy is not public by it. */
export const getPolicyStatus: Operation = ({ catalog, target }) => {
  const text = catalog.bucket(target.bucket).settings.get("policy");
  const isPublic = text !== undefined && statementsOf(text).some(isForAll);
  return xml("PolicyStatus", [["IsPublic", isPublic]]);
};

/** Returns whether a statement allows something to all principals; one with a condition counts as narrower. */
function isForAll({ Effect, Principal, Condition }: Members): boolean {
  const named = isMembers(Principal) ? Object.values(Principal).flat() : [Principal];
  return Effect === "Allow" && named.includes("*") && Condition === undefined;
}

function statementsOf(text: string): readonly Members[] {
  let policy: unknown;
  try {
    policy = JSON.parse(text);
  } catch {
    throw malformed("it is not JSON");
  }
  if (!isMembers(policy)) throw malformed("expected an object");
  const { Version = "2012-10-17", Statement } = policy;
  if (Version !== "2012-10-17" && Version !== "2008-10-17") {
    throw malformed('expected Version "2012-10-17" or "2008-10-17"');
  }
  const unknown = Object.keys(policy).find((name) =>
    !["Version", "Id", "Statement"].includes(name)
  );
  if (unknown !== undefined) throw malformed(`it has the unknown member ${unknown}`);
  const statements = Array.isArray(Statement) ? Statement : [Statement];
  if (statements.length === 0 || !statements.every(isMembers)) {
    throw malformed("it has no Statement");
  }
  return statements;
}

const MEMBERS = [
  "Sid",
  "Effect",
  "Principal",
  "NotPrincipal",
  "Action",
  "NotAction",
  "Resource",
  "NotResource",
  "Condition",
];

function checkStatement(statement: Members, arn: string): void {
  const unknown = Object.keys(statement).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) throw malformed(`a Statement has the unknown member ${unknown}`);
  // IAM user guide, "Policy grammar": one or the other.
  const twice = ["Principal", "Action", "Resource"].find((name) =>
    statement[name] !== undefined && statement[`Not${name}`] !== undefined
  );
  if (twice !== undefined) throw malformed(`a Statement has both ${twice} and Not${twice}`);
  const { Effect, Principal, NotPrincipal } = statement;
  if (Effect !== "Allow" && Effect !== "Deny") throw malformed("expected Effect Allow or Deny");
  if (Principal === undefined && NotPrincipal === undefined) {
    throw malformed("a Statement has no Principal");
  }
  const actions = textsOf(statement, "Action");
  if (!actions.every((action) => action === "*" || /^s3:/i.test(action))) {
    throw malformed("an Action is not one of S3");
  }
  const own = (name: string): boolean => name === "*" || name === arn || name.startsWith(`${arn}/`);
  // A wildcard may replace the rest of the name.
  const wild = (name: string): boolean =>
    /[*?]/.test(name) && arn.startsWith(name.split(/[*?]/)[0]!);
  if (!textsOf(statement, "Resource").every((name) => own(name) || wild(name))) {
    throw malformed(`a Resource is not in ${arn}`);
  }
}

/** Reads a member, or the one with `Not` before it. */
function textsOf(statement: Members, name: string): readonly string[] {
  const value = statement[name] ?? statement[`Not${name}`];
  const list = Array.isArray(value) ? value : [value];
  if (list.length > 0 && list.every((item) => typeof item === "string")) return list;
  throw malformed(`a Statement has no ${name}`);
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function malformed(problem: string): S3Error {
  return new S3Error("MalformedPolicy", `Cannot accept the policy: ${problem}`);
}
