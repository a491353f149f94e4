/** Statistics of the whole catalog. */
import type { Bucket } from "./bucket.ts";
import type { Upload } from "./upload.ts";

/** The counts. */
export interface CatalogStats {
  readonly buckets: number;
  /** Current objects. */
  readonly objects: number;
  /** Of objects and their earlier versions. */
  readonly bytes: number;
  readonly active_uploads: number;
  readonly parts: number;
  readonly part_bytes: number;
}

/** Counts. */
export function countAll(buckets: readonly Bucket[], uploads: readonly Upload[]): CatalogStats {
  const stats = { buckets: buckets.length, objects: 0, bytes: 0 };
  const active = { active_uploads: uploads.length, parts: 0, part_bytes: 0 };
  for (const { size, bytes } of buckets) {
    stats.objects += size;
    stats.bytes += bytes;
  }
  for (const { parts } of uploads) {
    active.parts += parts.size;
    for (const { size } of parts.values()) active.part_bytes += size;
  }
  return { ...stats, ...active };
}

/** Returns the total characters of all bucket settings. */
export function settingsLength(buckets: Iterable<Bucket>): number {
  let length = 0;
  for (const { settings } of buckets) {
    for (const text of settings.values()) length += text.length;
  }
  return length;
}
