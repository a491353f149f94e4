/** Adds what a new provider needs to pages: rows of tables, and a line of the changelog. */

/** A row to add. */
export interface NewRow {
  /** First cells of the table's head. */
  readonly head: readonly string[];
  readonly cells: readonly string[];
  /** First cells of rows that it follows; without any it ends the table. */
  readonly after?: readonly string[];
  /** First cell of a last row that stays the last. */
  readonly before?: string;
}

/** Adds a row to the first table with the head. Throws if there is none. */
export function addRow(page: string, { head, cells, after = [], before }: NewRow): string {
  const lines = page.split("\n");
  const top = lines.findIndex((line) => head.every((name, at) => cellsOf(line)[at] === name));
  if (top < 0) throw new Error(`Cannot add a row: no table begins with ${head.join(", ")}`);
  let end = top + 2;
  while (lines[end]?.startsWith("|")) end++;
  const firsts = lines.slice(0, end).map((line) => cellsOf(line)[0] ?? "");
  const last = firsts.findLastIndex((first, at) => at > top && after.includes(first));
  const closing = firsts[end - 1] === before ? end - 1 : end;
  lines.splice(last < 0 ? closing : last + 1, 0, `| ${cells.join(" | ")} |`);
  return lines.join("\n");
}

function cellsOf(line: string): readonly string[] {
  return line.startsWith("|") ? line.split("|").slice(1, -1).map((cell) => cell.trim()) : [];
}

/** Adds a line to the additions of the next version, under the title of a group. */
export function addChange(changelog: string, group: string, line: string): string {
  const path = ["## [Unreleased]", "### Added", `#### ${group}`];
  const lines = changelog.split("\n");
  let [start, end] = [0, lines.length];
  for (const heading of path) {
    let at = lines.indexOf(heading, start);
    if (at < 0 || at >= end) {
      at = trimmed(lines, end);
      lines.splice(at, 0, "", heading);
      at++;
    }
    const level = heading.indexOf(" ");
    const next = lines.findIndex((text, index) =>
      index > at && /^#+ /.test(text) && text.indexOf(" ") <= level
    );
    [start, end] = [at + 1, next < 0 ? lines.length : next];
  }
  const at = trimmed(lines, end);
  // A list begins after an empty line.
  lines.splice(at, 0, ...(lines[at - 1]!.startsWith("#") ? ["", `- ${line}`] : [`- ${line}`]));
  return lines.join("\n");
}

/** Returns the end of a section without its empty lines. */
function trimmed(lines: readonly string[], end: number): number {
  let at = end;
  while (at > 0 && lines[at - 1] === "") at--;
  return at;
}
