/** Conditional requests (RFC 9110 section 13). Entity tags may come without their quotes, as some clients send them. */

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

/** HTTP dates have no fraction. */
function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
