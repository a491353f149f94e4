/**
 * Conditional requests (RFC 9110 section 13), and conditional deletions (Amazon S3 user guide, "How to perform
 * conditional deletes"). Entity tags may lack their quotes, as some clients send them.
 */

/** The conditions of a request, from its headers. */
export interface Conditions {
  readonly match: string | null;
  readonly noneMatch: string | null;
  readonly modifiedSince: string | null;
  readonly unmodifiedSince: string | null;
}

/** Properties that the conditions are evaluated against. */
export interface Validators {
  /** Without quotes. */
  readonly etag: string;
  readonly modified: Date;
}

/** Returns the status with which the conditions end the request (RFC 9110 section 13.2.2). */
export function checkConditions(
  conditions: Conditions,
  { etag, modified }: Validators,
): "go on" | "not modified" | "failed" {
  const { match, noneMatch } = conditions;
  if (match !== null) {
    if (!matchesTag(match, etag)) return "failed";
  } else {
    const limit = toSeconds(conditions.unmodifiedSince);
    if (limit !== undefined && wholeSeconds(modified) > limit) return "failed";
  }
  if (noneMatch !== null) return matchesTag(noneMatch, etag) ? "not modified" : "go on";
  const since = toSeconds(conditions.modifiedSince);
  return since !== undefined && wholeSeconds(modified) <= since ? "not modified" : "go on";
}

/** Conditions of a deletion; all of them must hold. */
export interface DeleteConditions {
  /** Entity tags or `*`. */
  readonly match?: string | undefined;
  /** Of the last change, to the second. */
  readonly modified?: Date | undefined;
  /** Bytes. */
  readonly size?: number | undefined;
}

/**
 * Returns whether an object may be deleted. Any tag requires an object: without one, S3 answers 404. Size and time
 * require nothing of a missing object (Amazon S3 API reference, DeleteObject).
 */
export function checkDelete(
  { match, modified, size }: DeleteConditions,
  object: Validators & { readonly size: number } | undefined,
): "go on" | "missing" | "failed" {
  if (object === undefined) return match === undefined ? "go on" : "missing";
  const held = (match === undefined || matchesTag(match, object.etag)) &&
    (size === undefined || size === object.size) &&
    (modified === undefined || isSameSecond(modified, object.modified));
  return held ? "go on" : "failed";
}

/** Returns whether a list of entity tags, or `*`, matches this one. */
export function matchesTag(list: string, etag: string): boolean {
  return list.split(",").some((item) => {
    const tag = item.trim().replace(/^W\//, "").replaceAll('"', "");
    return tag === "*" || tag === etag;
  });
}

function toSeconds(date: string | null): number | undefined {
  const ms = date === null ? NaN : Date.parse(date);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}

/** Returns whether two times are the same as HTTP dates. */
export function isSameSecond(a: Date, b: Date): boolean {
  return wholeSeconds(a) === wholeSeconds(b);
}

/** HTTP dates have no fraction. */
function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
