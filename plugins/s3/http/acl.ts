/** Canned ACLs of requests, and the documents with their grants. */
import type { HeaderValues } from "../../../core/http/call.ts";
import { suggest } from "../../../core/options/suggest.ts";
import { BUCKET_ACLS, type CannedAcl, type Grant, grantsOf, OBJECT_ACLS } from "../codec/acl.ts";
import { typeAttributes, type XmlElement } from "../codec/xml.ts";
import { S3Error } from "../errors.ts";
import { OWNER, xml } from "./reply.ts";

const NAMES: Readonly<Record<"bucket" | "object", readonly CannedAcl[]>> = {
  bucket: BUCKET_ACLS,
  object: OBJECT_ACLS,
};

/** Returns the `x-amz-acl` of a request, unchanged. Throws `InvalidArgument` for an unknown name. */
export function readAcl(
  headers: HeaderValues,
  of: "bucket" | "object",
): { readonly acl?: CannedAcl } {
  const name = headers.get("x-amz-acl");
  if (name === null) return {};
  const known = NAMES[of];
  const acl = known.find((one) => one === name);
  if (acl !== undefined) return { acl };
  const near = suggest(name, known);
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  throw new S3Error(
    "InvalidArgument",
    `Cannot use x-amz-acl "${name}" for ${of === "bucket" ? "a bucket" : "an object"}: ` +
      `expected ${known.join(", ")}${hint}`,
  );
}

/** Returns an AccessControlPolicy document. Without an ACL it is private. */
export function aclReply(
  acl: CannedAcl | undefined,
  headers: Record<string, string> = {},
): Response {
  const owner = toGrant("CanonicalUser", OWNER, "FULL_CONTROL");
  const others = grantsOf(acl ?? "private").map(({ to, permission }) =>
    "uri" in to
      ? toGrant("Group", [["URI", to.uri]], permission)
      : toGrant("CanonicalUser", [["ID", to.id], ["DisplayName", to.name]], permission)
  );
  return xml("AccessControlPolicy", [
    ["Owner", OWNER],
    ["AccessControlList", [owner, ...others]],
  ], headers);
}

function toGrant(
  type: "CanonicalUser" | "Group",
  grantee: readonly XmlElement[],
  permission: Grant["permission"] | "FULL_CONTROL",
): XmlElement {
  return ["Grant", [["Grantee", grantee, typeAttributes(type)], ["Permission", permission]]];
}
