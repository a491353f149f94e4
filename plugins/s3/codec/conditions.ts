/**
 * Conditional requests (RFC 9110 section 13), and conditional deletions (Amazon S3 user guide, "How to perform
 * conditional deletes"). Entity tags may come without their quotes, as some clients send them.
 */

/** The conditions of a request, as its headers have them. */
export interface Conditions {
  readonly match: string | null;
  readonly noneMatch: string | null;
  readonly modifiedSince: string | null;
  readonly unmodifiedSince: string | null;
}

/** What the conditions are held against. */
export interface Validators {
  /** Without quotes. */
  readonly etag: string;
  readonly modified: Date;
}

/** RFC 9110 section 13.2.2: which status the conditions end the request with. */
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

/** What a deletion asks of the object; each that is given must hold. */
export interface DeleteConditions {
  /** Entity tags or `*`. */
  readonly match?: string | undefined;
  /** Of the last change, to the second. */
  readonly modified?: Date | undefined;
  /** Bytes. */
  readonly size?: number | undefined;
}

/**
 * Whether an object may be deleted. A tag asks for an object, whichever it names: S3 answers 404 without one. Size and
 * time ask nothing of an object that is not there (Amazon S3 API reference, DeleteObject).
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

/** Whether a list of entity tags, or `*`, names this one. */
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

/** Whether two moments are the same to an HTTP date. */
export function isSameSecond(a: Date, b: Date): boolean {
  return wholeSeconds(a) === wholeSeconds(b);
}

/** HTTP dates have no fraction. */
function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
