/** Locks of versions (Amazon S3 user guide, "How S3 Object Lock works"). */
import type { Bucket } from "./bucket.ts";
import type { ObjectLock, Retention } from "./model.ts";

/** Rights of a request over a lock. */
export interface LockAccess {
  readonly now: Date;
  /** Whether it bypasses retention in governance mode. */
  readonly bypass: boolean;
}

/** Returns whether versions of a bucket can be locked. */
export function hasLocks({ settings }: Bucket): boolean {
  return settings.has("object-lock");
}

/** Returns whether a version must stay. A delete marker is never locked. */
export function isLocked({ retention, legalHold }: ObjectLock, access: LockAccess): boolean {
  return legalHold === true || (retention !== undefined && isRetained(retention, access));
}

/** Returns whether a retention is in force. */
function isRetained({ mode, until }: Retention, { now, bypass }: LockAccess): boolean {
  return until > now && !(bypass && mode === "GOVERNANCE");
}

/** Returns whether a retention may be replaced: one in force can only be extended, in the same mode. */
export function canRetain(
  old: Retention | undefined,
  { wanted, ...access }: LockAccess & { readonly wanted: Retention | undefined },
): boolean {
  if (old === undefined || !isRetained(old, access)) return true;
  return wanted !== undefined && wanted.mode === old.mode && wanted.until >= old.until;
}
