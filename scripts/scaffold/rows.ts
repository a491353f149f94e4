/** Rows and lines for a new provider in the pages that list every provider: README, the page of the plugin, CHANGELOG. */

/** A provider, as these pages describe it. */
export interface Listed {
  readonly id: string;
  readonly plugin: string;
  readonly vendor: string;
  /** Path of its only call. */
  readonly path: string;
}

const COVERED = ["sending a message", "everything else"] as const;

/** Where a row or an item goes: after the last line that matches, else at the end, or before a last row that matches. */
interface Place {
  readonly after?: RegExp;
  readonly before?: RegExp;
}

/** Adds a row to the table whose head begins with these cells. Throws if there is none. */
export function addRow(
  source: string,
  head: readonly string[],
  { cells, ...place }: Place & { readonly cells: readonly string[] },
): string {
  const lines = source.split("\n");
  const start = lines.findIndex((line) => head.every((cell, i) => cellsOf(line)[i] === cell));
  if (start < 0) throw new Error(`Cannot add a row: there is no table with ${head.join(", ")}`);
  let end = start;
  while (lines[end]?.startsWith("|")) end++;
  const rows = lines.slice(start, end);
  const last = place.after === undefined ? -1 : rows.findLastIndex((row) => place.after!.test(row));
  const isBefore = place.before?.test(rows.at(-1)!) === true;
  const at = last >= 0 ? start + last + 1 : isBefore ? end - 1 : end;
  return lines.toSpliced(at, 0, `| ${cells.join(" | ")} |`).join("\n");
}

function cellsOf(line: string): readonly string[] {
  return line.startsWith("|") ? line.split("|").slice(1, -1).map((cell) => cell.trim()) : [];
}

/** Adds an item to the list after the last item that matches, else below the heading. Throws without either. */
export function addItem(
  source: string,
  { item, after, heading }: { item: string; after: RegExp; heading: string },
): string {
  const lines = source.split("\n");
  const begin = lines.indexOf(heading);
  if (begin < 0) throw new Error(`Cannot add an item: there is no heading "${heading}"`);
  const next = lines.findIndex((line, i) => i > begin && /^##? /.test(line));
  const section = lines.slice(begin, next < 0 ? undefined : next);
  let at = section.findLastIndex((line) => line.startsWith("- ") && after.test(line));
  if (at < 0) return lines.toSpliced(begin + 1, 0, "", `- ${item}`).join("\n");
  do at++; while (section[at]?.startsWith("  "));
  return lines.toSpliced(begin + at, 0, `- ${item}`).join("\n");
}

/** Returns the README with the rows of a provider. */
export function inReadme(source: string, { id, plugin, vendor, path }: Listed): string {
  const address = `\`POST http://localhost:8822${path}\``;
  const listed = addRow(source, ["Provider", "Stands in for"], {
    cells: [id, `${vendor} API`, address],
    after: new RegExp(`^\\| ${plugin}\\d`),
  });
  return addRow(listed, ["Vendor", "Covered"], {
    cells: [vendor, ...COVERED],
    before: /^\| any other /,
  });
}

/** Returns the page of a plugin with the row of a provider, in the form of its other rows. */
export function inPage(source: string, { id, plugin, vendor }: Listed): string {
  const after = new RegExp(`^\\| ${plugin}\\d`);
  const hasVendors = /^\| Provider +\| Vendor /m.test(source);
  const cells = hasVendors ? [id, vendor, ...COVERED] : [`${id} (${vendor})`, ...COVERED];
  return addRow(source, ["Provider"], { cells, after });
}

/** Returns the changelog with a line about a provider among those that are not released. */
export function inChangelog(source: string, { id, plugin, vendor }: Listed): string {
  return addItem(source, {
    item: `${vendor} (${id}): sending a message.`,
    after: new RegExp(`\\(${plugin}\\d+\\)`),
    heading: "## [Unreleased]",
  });
}
