/**
 * Canned ACLs, and what they grant beside the owner's full control (Amazon S3 user guide, "Access control list (ACL)
 * overview"). Every account is the owner of every bucket and object here, so that what is granted to the owner of the
 * bucket is what the owner has anyway.
 *
 * @module
 */

/** Those that an object may have. */
export const OBJECT_ACLS = [
  "private",
  "public-read",
  "public-read-write",
  "authenticated-read",
  "aws-exec-read",
  "bucket-owner-read",
  "bucket-owner-full-control",
] as const;

/** Those that a bucket may have. */
export const BUCKET_ACLS = [...OBJECT_ACLS, "log-delivery-write"] as const;

/** One of them. */
export type CannedAcl = typeof BUCKET_ACLS[number];

/** What someone else than the owner may do. */
export interface Grant {
  /** An account, or a group by its URI. */
  readonly to: { readonly id: string; readonly name: string } | { readonly uri: string };
  readonly permission: "READ" | "WRITE" | "READ_ACP";
}

const GROUPS = "http://acs.amazonaws.com/groups";
const ALL_USERS = { uri: `${GROUPS}/global/AllUsers` };
const AUTHENTICATED_USERS = { uri: `${GROUPS}/global/AuthenticatedUsers` };
const LOG_DELIVERY = { uri: `${GROUPS}/s3/LogDelivery` };
/** The account by which Amazon EC2 reads bundles of machine images. */
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

/** What an ACL grants to others than the owner. */
export function grantsOf(acl: CannedAcl): readonly Grant[] {
  return GRANTS[acl];
}

/** Whether a bucket may have an ACL of that name. */
export function isCannedAcl(name: unknown): name is CannedAcl {
  return BUCKET_ACLS.some((acl) => acl === name);
}
