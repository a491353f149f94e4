/** Environment variables that change a benchmark. Throws for a value that is not understood. */
import { didYouMean } from "../../core/options/suggest.ts";

/** What the S3 benchmark measures. */
export const S3_PARTS = [
  "put-1k",
  "get-1k",
  "put-1m",
  "get-1m",
  "checksums",
  "multipart",
  "list",
] as const;
/** What the benchmark of S3 versions measures. */
export const VERSION_PARTS = ["versions-puts", "versions-lists"] as const;

/** Returns the number of rounds, of `BENCH_ROUNDS` if it is set. */
export function roundsOf(usual: number): number {
  const given = Deno.env.get("BENCH_ROUNDS");
  if (given === undefined) return usual;
  if (!/^[1-9]\d{0,3}$/.test(given)) {
    throw new TypeError(`Cannot use BENCH_ROUNDS "${given}": expected a number from 1 to 9999`);
  }
  return Number(given);
}

/** Whether `S3_BENCH=full` asks for longer loads. */
export function isFull(): boolean {
  const given = Deno.env.get("S3_BENCH");
  if (given !== undefined && given !== "full") {
    throw new TypeError(`Cannot use S3_BENCH "${given}": expected full`);
  }
  return given === "full";
}

/** Returns the names in `S3_LAYOUTS`, separated by commas; all known ones if it is not set. */
export function s3Layouts(known: readonly string[]): readonly string[] {
  return chosen("S3_LAYOUTS", known) ?? known;
}

/** Returns the parts that `S3_PARTS` names, separated by commas; all if it is not set. */
export function s3Parts(): ReadonlySet<string> {
  const all: readonly string[] = [...S3_PARTS, ...VERSION_PARTS];
  const known = [...all, "versions"];
  const parts = chosen("S3_PARTS", known) ?? all;
  return new Set(parts.flatMap((part) => part === "versions" ? VERSION_PARTS : [part]));
}

function chosen(variable: string, known: readonly string[]): readonly string[] | undefined {
  const names = Deno.env.get(variable)?.split(",");
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  const hint = didYouMean(unknown, known, { what: "names" });
  throw new TypeError(`Cannot use ${variable} "${unknown}": ${hint}`);
}
