/** Summary of a dry run. */
import type { Missing } from "./build.ts";
import type { Compared } from "./compare.ts";
import type { Trial } from "./try.ts";

/** Results of a dry run. */
export interface Outcomes {
  readonly compared: readonly Compared[];
  readonly trials: readonly Trial[];
  readonly missing: readonly Missing[];
}

/**
 * Returns three plain tables: built files, trials, and steps that this machine could not perform.
 */
export function renderReport({ compared, trials, missing }: Outcomes): string {
  const impossible = trials.filter(({ result }) => result === "impossible");
  return [
    "Built (SHA-256; `same` if a second build elsewhere made the same bytes)",
    ...table(
      compared.map((one) => [
        one.name,
        size(one.bytes),
        one.sha256,
        one.same ? "same" : "DIFFERENT",
      ]),
      [1],
    ),
    "",
    "Tried",
    ...table(
      trials.filter((one) => !impossible.includes(one))
        .map(({ what, how, result }) => [what, result === "works" ? "works" : "FAILS", how]),
    ),
    ...trials.filter(({ result }) => result === "fails")
      .map(({ what, detail = "" }) => `\n${what}:\n${detail}`),
    "",
    "Not on this machine",
    ...table([
      ...missing.map((
        { what, reason, fault },
      ) => [what, `${fault ? "FAILED" : "not built"}: ${reason}`]),
      ...impossible.map(({ what, detail = "" }) => [what, `not tried: ${detail}`]),
    ]),
  ].join("\n");
}

/** Aligns columns; those in `right` to the right. */
function table(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  if (rows.length === 0) return ["  nothing"];
  const widths = rows[0]!.map((_, i) =>
    rows.reduce((most, row) => Math.max(most, row[i]!.length), 0)
  );
  return rows.map((row) => {
    const cells = row.map((cell, i) =>
      right.includes(i) ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)
    );
    return `  ${cells.join("  ")}`.trimEnd();
  });
}

function size(bytes: number): string {
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
  return bytes >= 1e3 ? `${(bytes / 1e3).toFixed(1)} kB` : `${bytes} B`;
}
