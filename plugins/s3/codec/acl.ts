/**
 * Canned ACLs, and their grants besides the owner's full control (Amazon S3 user guide, "Access control list (ACL)
 * overview"). Every account owns every bucket and object here, so grants to the bucket owner change nothing for the
 * owner.
 *
 * @module
 */

/** Canned ACLs of objects. */
export const OBJECT_ACLS = [
  "private",
  "public-read",
  "public-read-write",
  "authenticated-read",
  "aws-exec-read",
  "bucket-owner-read",
  "bucket-owner-full-control",
] as const;

/** Canned ACLs of buckets. */
export const BUCKET_ACLS = [...OBJECT_ACLS, "log-delivery-write"] as const;

/** A canned ACL. */
export type CannedAcl = typeof BUCKET_ACLS[number];

/** A permission of a grantee other than the owner. */
export interface Grant {
  /** An account, or a group by its URI. */
  readonly to: { readonly id: string; readonly name: string } | { readonly uri: string };
  readonly permission: "READ" | "WRITE" | "READ_ACP";
}

const GROUPS = "http://acs.amazonaws.com/groups";
const ALL_USERS = { uri: `${GROUPS}/global/AllUsers` };
const AUTHENTICATED_USERS = { uri: `${GROUPS}/global/AuthenticatedUsers` };
const LOG_DELIVERY = { uri: `${GROUPS}/s3/LogDelivery` };
/** The account with which Amazon EC2 reads bundles of machine images. */
const EC2 = {
  id: "6aa5a366c34c1cbe25dc49211496e913e0351eb0e8c37aa3477e40942ec6b97c",
  name: "za-team",
};

const GRANTS: Readonly<Record<CannedAcl, readonly Grant[]>> = {
  "private": [],
  "public-read": [{ to: ALL_USERS, permission: "READ" }],
  "public-read-write": [
    { to: ALL_USERS, permission: "READ" },
    { to: ALL_USERS, permission: "WRITE" },
  ],
  "authenticated-read": [{ to: AUTHENTICATED_USERS, permission: "READ" }],
  "aws-exec-read": [{ to: EC2, permission: "READ" }],
  "bucket-owner-read": [],
  "bucket-owner-full-control": [],
  "log-delivery-write": [
    { to: LOG_DELIVERY, permission: "WRITE" },
    { to: LOG_DELIVERY, permission: "READ_ACP" },
  ],
};

/** Returns what an ACL grants to others than the owner. */
export function grantsOf(acl: CannedAcl): readonly Grant[] {
  return GRANTS[acl];
}

/** Returns whether a bucket may have an ACL of that name. */
export function isCannedAcl(name: unknown): name is CannedAcl {
  return BUCKET_ACLS.some((acl) => acl === name);
}
