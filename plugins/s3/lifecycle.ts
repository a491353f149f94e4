/** Lifecycle rules, carried out when somebody asks for it (Amazon S3 user guide, "Lifecycle configuration elements"). */
import { type Actor, tellDeletion } from "./capture.ts";
import type { Bucket } from "./catalog/bucket.ts";
import type { Catalog } from "./catalog/catalog.ts";
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

/** What a run did. */
export interface LifecycleRun {
  /** Objects, earlier versions and delete markers that were deleted. */
  readonly expired: number;
  /** Uploads that were aborted. */
  readonly aborted: number;
}

/** Deletes objects and aborts uploads that are due at that moment; uploads that a request is at work on stay. */
export async function runLifecycle(
  catalog: Catalog,
  { at, actor }: { at: Date; actor: Actor },
): Promise<LifecycleRun> {
  let [expired, aborted] = [0, 0];
  for (const bucket of catalog.buckets()) {
    const rules = rulesOf(bucket);
    if (rules.length === 0) continue;
    for (const deletion of await catalog.deleteMany(bucket, findDue(bucket, rules, at))) {
      if (deletion === undefined) continue;
      expired++;
      tellDeletion(actor, bucket.name, deletion);
    }
    for (const upload of catalog.uploadsOf(bucket.name)) {
      const { start, initiated, busy } = upload;
      const isDue = rules.some((rule) =>
        start.key.startsWith(prefixOf(rule)) &&
        isPast(initiated, textIn(rule, "AbortIncompleteMultipartUpload", "DaysAfterInitiation"), at)
      );
      if (busy || !isDue) continue;
      await catalog.abort(upload);
      aborted++;
    }
  }
  return { expired, aborted };
}

/** Current objects, and of a bucket with versions earlier ones and delete markers that hide nothing any more. */
function findDue(bucket: Bucket, rules: readonly XmlNode[], at: Date): readonly DeleteEntry[] {
  const due: DeleteEntry[] = [...bucket.objects()].filter((object) =>
    rules.some((rule) => fits(rule, object) && isExpired(rule, object, at))
  ).map(({ key }) => ({ key }));
  if (bucket.versioning === undefined) return due;
  for (const key of bucket.versionKeys) {
    const versions = bucket.versions(key);
    for (const [index, version] of versions.entries()) {
      const about = isMarker(version) ? { key, size: 0 } : version;
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

/** The days of an earlier version begin when the next one comes. */
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

/** Those that are switched on. */
function rulesOf({ settings }: Bucket): readonly XmlNode[] {
  const text = settings.get("lifecycle");
  const root = text === undefined ? undefined : parseSetting(text);
  return root === undefined
    ? []
    : childrenOf(root, "Rule").filter((rule) => childText(rule, "Status")?.trim() === "Enabled");
}

/** The filter of a rule, or what stands together in it. */
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

function isExpired(rule: XmlNode, { modified }: StoredObject, at: Date): boolean {
  const date = textIn(rule, "Expiration", "Date");
  return date === undefined
    ? isPast(modified, textIn(rule, "Expiration", "Days"), at)
    : new Date(date.trim()) <= at;
}

/** Days end at the midnight that follows them. */
function isPast(from: Date, days: string | undefined, at: Date): boolean {
  if (days === undefined) return false;
  const midnight = Math.ceil((from.getTime() + Number(days) * DAY_MS) / DAY_MS) * DAY_MS;
  return midnight <= at.getTime();
}

function textIn(rule: XmlNode, action: string, name: string): string | undefined {
  const [node] = childrenOf(rule, action);
  return node === undefined ? undefined : childText(node, name);
}
