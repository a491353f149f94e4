/** Lifecycle rules, executed on request (Amazon S3 user guide, "Lifecycle configuration elements"). */
import { type Actor, tellDeletion } from "./capture.ts";
import type { Bucket } from "./catalog/bucket.ts";
import type { Catalog } from "./catalog/catalog.ts";
import { isLocked } from "./catalog/lock.ts";
import {
  type DeleteEntry,
  idOf,
  isMarker,
  type StoredObject,
  type Version,
} from "./catalog/model.ts";
import { parseSetting } from "./catalog/settings.ts";
import { childrenOf, childText, type XmlNode } from "./codec/xml.ts";

const DAY_MS = 86_400_000;

/** Result of a run. */
export interface LifecycleRun {
  /** Deleted objects, earlier versions and delete markers. */
  readonly expired: number;
  /** Aborted uploads. */
  readonly aborted: number;
}

/** Deletes objects and aborts uploads due at that time; uploads with a request under way stay. */
export async function runLifecycle(
  catalog: Catalog,
  { at, actor }: { at: Date; actor: Actor },
): Promise<LifecycleRun> {
  let [expired, aborted] = [0, 0];
  for (const bucket of catalog.buckets()) {
    const rules = rulesOf(bucket);
    if (rules.length === 0) continue;
    for (const deletion of await catalog.deleteMany(bucket, () => findDue(bucket, rules, at))) {
      if (deletion === undefined) continue;
      expired++;
      tellDeletion(actor, bucket.name, deletion);
    }
    for (const upload of catalog.uploads.list(bucket.name)) {
      const { start, initiated, busy } = upload;
      const isDue = rules.some((rule) =>
        start.key.startsWith(prefixOf(rule)) &&
        isPast(initiated, textIn(rule, "AbortIncompleteMultipartUpload", "DaysAfterInitiation"), at)
      );
      if (busy || !isDue) continue;
      await catalog.uploads.abort(upload);
      aborted++;
    }
  }
  return { expired, aborted };
}

/** Returns when a current object expires, and the ID of the rule; `undefined` if no rule applies. */
export function findExpiry(
  bucket: Bucket,
  object: StoredObject,
): { readonly date: Date; readonly rule: string } | undefined {
  let first: { readonly date: Date; readonly rule: string } | undefined;
  for (const rule of rulesOf(bucket)) {
    const date = fits(rule, object) ? expiryBy(rule, object) : undefined;
    if (date === undefined || (first !== undefined && first.date <= date)) continue;
    first = { date, rule: childText(rule, "ID") ?? "" };
  }
  return first;
}

/**
 * Expires current objects and, in a bucket with versions, earlier ones and delete markers with none; locked ones stay.
 */
function findDue(bucket: Bucket, rules: readonly XmlNode[], at: Date): readonly DeleteEntry[] {
  const due: DeleteEntry[] = [...bucket.objects()].filter((object) =>
    rules.some((rule) => fits(rule, object) && isExpired(rule, object, at))
  ).map(({ key }) => ({ key }));
  if (bucket.versioning === undefined) return due;
  for (const key of bucket.versionKeys) {
    const versions = bucket.versions(key);
    for (const [index, version] of versions.entries()) {
      const about = isMarker(version) ? { key, size: 0 } : version;
      if (!isMarker(version) && isLocked(version, { now: at, bypass: false })) continue;
      const isDue = rules.some((rule) =>
        fits(rule, about) &&
        (isLeftMarker(rule, versions) || isOutdated(rule, { versions, index, at }))
      );
      if (isDue) due.push({ key, version: idOf(version) });
    }
  }
  return due;
}

function isLeftMarker(rule: XmlNode, versions: readonly Version[]): boolean {
  return versions.length === 1 && isMarker(versions[0]!) &&
    textIn(rule, "Expiration", "ExpiredObjectDeleteMarker")?.trim().toLowerCase() === "true";
}

/** The days of an earlier version count from the creation of the next one. */
function isOutdated(
  rule: XmlNode,
  { versions, index, at }: { versions: readonly Version[]; index: number; at: Date },
): boolean {
  const next = versions[index + 1];
  const read = (name: string): string | undefined =>
    textIn(rule, "NoncurrentVersionExpiration", name);
  const newer = versions.length - 2 - index;
  return next !== undefined && newer >= Number(read("NewerNoncurrentVersions") ?? 0) &&
    isPast(next.modified, read("NoncurrentDays"), at);
}

/** Returns the enabled rules. */
function rulesOf({ settings }: Bucket): readonly XmlNode[] {
  const text = settings.get("lifecycle");
  const root = text === undefined ? undefined : parseSetting(text);
  return root === undefined
    ? []
    : childrenOf(root, "Rule").filter((rule) => childText(rule, "Status")?.trim() === "Enabled");
}

/** Returns the filter of a rule, or the contents of its `And`. */
function filterOf(rule: XmlNode): XmlNode | undefined {
  const [filter] = childrenOf(rule, "Filter");
  return filter === undefined ? undefined : childrenOf(filter, "And")[0] ?? filter;
}

function prefixOf(rule: XmlNode): string {
  return childText(filterOf(rule) ?? rule, "Prefix") ?? "";
}

function fits(
  rule: XmlNode,
  { key, size, tags = [] }: Pick<StoredObject, "key" | "size" | "tags">,
): boolean {
  const filter = filterOf(rule) ?? rule;
  const read = (name: string): number | undefined => {
    const text = childText(filter, name);
    return text === undefined ? undefined : Number(text);
  };
  return key.startsWith(prefixOf(rule)) &&
    size > (read("ObjectSizeGreaterThan") ?? -1) &&
    size < (read("ObjectSizeLessThan") ?? Infinity) &&
    childrenOf(filter, "Tag").every((tag) =>
      tags.some(([name, value]) =>
        name === childText(tag, "Key") && value === childText(tag, "Value")
      )
    );
}

function isExpired(rule: XmlNode, object: StoredObject, at: Date): boolean {
  const date = expiryBy(rule, object);
  return date !== undefined && date <= at;
}

function expiryBy(rule: XmlNode, { modified }: StoredObject): Date | undefined {
  const date = textIn(rule, "Expiration", "Date");
  if (date !== undefined) return new Date(date.trim());
  const days = textIn(rule, "Expiration", "Days");
  return days === undefined ? undefined : endOf(modified, days);
}

function isPast(from: Date, days: string | undefined, at: Date): boolean {
  return days !== undefined && endOf(from, days) <= at;
}

/** Days end at the following midnight. */
function endOf(from: Date, days: string): Date {
  return new Date(Math.ceil((from.getTime() + Number(days) * DAY_MS) / DAY_MS) * DAY_MS);
}

function textIn(rule: XmlNode, action: string, name: string): string | undefined {
  const [node] = childrenOf(rule, action);
  return node === undefined ? undefined : childText(node, name);
}
