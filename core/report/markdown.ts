/** A run as Markdown, for the summary of a CI job: GitHub accepts at most 1 MiB. */
import type { ReportedEvent, ReportedRun } from "./run.ts";
import { countsOf } from "./run.ts";
import { labelOf, nameOfExpectation, placeOf, plural, shortened, titleOf } from "./words.ts";

/** Maximum number of rows of a table. */
const MAX_ROWS = 200;
/** Maximum number of expectations that are explained. */
const MAX_UNMET = 50;
/** Longest captured text in a cell, and longest explanation, in characters. */
const MAX_CELL = 160;
const MAX_ERROR = 2000;

/** Maximum bytes of the rows of one table, and of all explanations: together they stay below the limit. */
const MAX_BYTES = 300_000;

/** Returns the Markdown. */
export function toMarkdown(run: ReportedRun): string {
  const parts = [heading(run), expectations(run), findings(run), captured(run)];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function heading(run: ReportedRun): string {
  const { events, expectations, unmet, findings: { error, warning, info } } = countsOf(run);
  const name = run.instance === undefined ? "" : `: ${cell(run.instance)}`;
  const met = expectations === 0
    ? "no expectation ran"
    : unmet === 0
    ? `${plural(expectations, "expectation")} met`
    : `**${unmet} of ${plural(expectations, "expectation")} not met**`;
  const found = [[error, "error"], [warning, "warning"], [info, "info"]] as const;
  const said = found.filter(([count]) => count > 0).map(([count, word]) =>
    plural(count, word, word === "info" ? word : `${word}s`)
  );
  const checks = said.length === 0 ? "no findings" : said.join(", ");
  return `## Standin${name}\n\n${plural(events, "item")} captured; ${met}; ${checks}.`;
}

function expectations({ expectations }: ReportedRun): string {
  const unmet = expectations.filter(({ met }) => !met);
  if (unmet.length === 0) return "";
  const shown = fitting(unmet.slice(0, MAX_UNMET), (record) => {
    const error = shortened(record.error ?? "", MAX_ERROR);
    return `- ❌ ${cell(nameOfExpectation(record))}\n\n${fenced(error, "  ")}`;
  });
  return [`### Expectations not met`, ...shown, ...more(unmet.length, shown.length)].join("\n\n");
}

function findings({ events }: ReportedRun): string {
  const all = events.flatMap(({ event, provider, findings }) =>
    findings.map((finding) => ({ event, provider, finding }))
  );
  if (all.length === 0) return "";
  const rows = fitting(all.slice(0, MAX_ROWS), ({ event, provider, finding }) =>
    row([
      finding.level,
      cell(finding.id),
      cell(finding.message),
      cell(placeOf(finding)),
      cell(titleOf(event)),
      cell(provider),
    ]));
  const head = ["Level", "Check", "Finding", "Where", "Item", "Provider"];
  return ["### Findings", table(head, rows), ...more(all.length, rows.length)].join("\n\n");
}

function captured({ events }: ReportedRun): string {
  if (events.length === 0) return "";
  const newest = events.toReversed().slice(0, MAX_ROWS);
  const rows = fitting(newest, (one) =>
    row([
      one.event.received_at.toISOString().slice(11, 19),
      cell(one.provider),
      ...itemCells(one),
    ]));
  const body = [
    table(["Time (UTC)", "Provider", "To", "Item"], rows),
    ...more(events.length, rows.length),
  ];
  const title = `${plural(events.length, "item")} captured`;
  return ["<details>", `<summary>${title}</summary>`, ...body, "</details>"].join("\n\n");
}

function itemCells({ event }: ReportedEvent): readonly string[] {
  const { title, snippet } = labelOf(event);
  const label = snippet === "" ? title : `${title}: ${snippet}`;
  return [cell(event.summary_parts.to?.join(", ") ?? ""), cell(label)];
}

function more(count: number, shown: number): readonly string[] {
  return count > shown ? [`… and ${count - shown} more`] : [];
}

function table(head: readonly string[], rows: readonly string[]): string {
  return [row(head), row(head.map(() => "---")), ...rows].join("\n");
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Writes entries until the next one does not fit. */
function fitting<T>(entries: readonly T[], write: (entry: T) => string): readonly string[] {
  const encoder = new TextEncoder();
  const written: string[] = [];
  let left = MAX_BYTES;
  for (const entry of entries) {
    const text = write(entry);
    left -= encoder.encode(text).length;
    if (left < 0) break;
    written.push(text);
  }
  return written;
}

function cell(text: string): string {
  return plain(shortened(text, MAX_CELL));
}

/**
 * Escapes captured text, so that it contains no markup, links, mentions or line breaks. A backslash
 * works before every ASCII punctuation character (CommonMark 0.31.2, section 2.4), and keeps
 * addresses from becoming links. Mentions and issue references are detected in the rendered text,
 * which has no backslashes: only a character between sign and name prevents them.
 */
function plain(text: string): string {
  return text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .replaceAll(/[\\`*_[\]#|<>@~&$:]|(?<=www)\./gi, (char) => `\\${char}`)
    .replaceAll(/(?<!\w)\\@(?=\w)|\\#(?=\w)/g, (sign) => `${sign}&#8203;`).trim();
}

/** A code block; its fence is longer than any in the text (CommonMark, section 4.5). */
function fenced(text: string, indent: string): string {
  let longest = 2;
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length);
  const fence = "`".repeat(longest + 1);
  const clean = text.toWellFormed().replaceAll(/[^\P{Cc}\n\t]/gu, "\ufffd");
  return [`${fence}text`, ...clean.split("\n"), fence].map((line) => `${indent}${line}`).join("\n");
}
