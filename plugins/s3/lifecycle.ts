/** Lifecycle rules, carried out when somebody asks for it (Amazon S3 user guide, "Lifecycle configuration elements"). */
import { type Actor, tellObject } from "./capture.ts";
import type { Bucket } from "./catalog/bucket.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { StoredObject } from "./catalog/model.ts";
import { parseSetting } from "./catalog/settings.ts";
import { childrenOf, childText, type XmlNode } from "./codec/xml.ts";

const DAY_MS = 86_400_000;

/** What a run did. */
export interface LifecycleRun {
  /** Objects that were deleted. */
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
    const due = [...bucket.objects()].filter((object) =>
      rules.some((rule) => fits(rule, object) && isExpired(rule, object, at))
    );
    for (const object of await catalog.deleteMany(bucket, due.map(({ key }) => key))) {
      expired++;
      tellObject(actor, object, { operation: "object.delete", bucket: bucket.name });
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

function fits(rule: XmlNode, { key, size, tags = [] }: StoredObject): boolean {
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
