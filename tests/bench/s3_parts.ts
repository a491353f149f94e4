/** What the S3 benchmarks measure. */
import { namesFrom } from "../support/settings.ts";

const STORE_PARTS = [
  "put-1k",
  "get-1k",
  "put-1m",
  "get-1m",
  "checksums",
  "multipart",
  "list",
] as const;
const VERSION_PARTS = ["versions-puts", "versions-lists"] as const;

/** One of the things measured. */
export type S3Part = typeof STORE_PARTS[number] | typeof VERSION_PARTS[number];

/** Returns whether `S3_PARTS` names a part, or `versions` for all about versions; always if it is not set. */
export function s3Parts(): (part: S3Part) => boolean {
  const all: readonly string[] = [...STORE_PARTS, ...VERSION_PARTS];
  const parts = namesFrom("S3_PARTS", [...all, "versions"]) ?? all;
  const chosen = new Set(
    parts.flatMap((part) => part === "versions" ? VERSION_PARTS : [part]),
  );
  return (part) => chosen.has(part);
}
