/** Parses the output of `deno test`. Pure. */

/** Outcome of one run of `deno test`. */
export interface Report {
  readonly passed: number;
  readonly failed: number;
  readonly skips: readonly Skip[];
  /** Titles of tests that failed. */
  readonly failures: readonly string[];
}

/** One test that did not run. */
export interface Skip {
  readonly test: string;
  /** The missing client; absent if the test was disabled by hand. */
  readonly client?: string;
  readonly reason?: string;
}

const SUMMARY =
  /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored)?/;
const RUNNING = /^running \d+ tests? from (\S+)$/;
const IGNORED = /^(?:(\S+) => )?(.*) \.\.\. ignored \(.*\)$/;
const FAILURE = /^(.+?) => \S+:\d+:\d+$/;

/** Note of a test about a missing client; one JSON line in the file that `STANDIN_SKIPS` names. */
export interface SkipNote {
  readonly client: string;
  readonly reason: string;
  /** `deno test` counts a test that ends early as passed. */
  readonly effect: "ignores" | "ends" | "ends a step of";
  readonly test: string;
  /** URL of the test file. */
  readonly file: string;
}

/**
 * Reads the plain output of `deno test`. `code` is its exit status: output without a summary counts as one failure
 * unless the status is 0. `notes` are the lines of the `STANDIN_SKIPS` file.
 */
export function readReport(output: string, code: number, notes = ""): Report {
  const clients = notes.split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line) as SkipNote);
  const named = new Map<string, Skip>();
  for (const { client, reason, effect, test, file } of clients) {
    if (effect !== "ends a step of") named.set(`${nameOf(file)} ${test}`, { test, client, reason });
  }
  const ended = new Set(
    clients.filter(({ effect }) => effect === "ends").map(({ file, test }) => `${file} ${test}`),
  ).size;
  const counts = readCounts(output);
  return {
    passed: (counts?.passed ?? 0) - ended,
    // Leaks and errors outside tests only change the exit status.
    failed: (counts?.failed ?? 0) === 0 && code !== 0 ? 1 : counts?.failed ?? 0,
    skips: [...named.values(), ...ignoredByHand(output, named)],
    failures: [...new Set([...output.matchAll(new RegExp(FAILURE, "gm"))].map((m) => m[1] ?? ""))],
  };
}

function readCounts(output: string): { passed: number; failed: number } | undefined {
  const found = output.split("\n").map((line) => SUMMARY.exec(line)).findLast((m) => m !== null);
  return found ? { passed: Number(found[1]), failed: Number(found[2]) } : undefined;
}

function ignoredByHand(output: string, named: ReadonlyMap<string, Skip>): readonly Skip[] {
  const skips: Skip[] = [];
  let running = "";
  for (const line of output.split("\n")) {
    running = RUNNING.exec(line)?.[1] ?? running;
    const [, file = running, test] = IGNORED.exec(line) ?? [];
    if (test !== undefined && !named.has(`${nameOf(file)} ${test}`)) skips.push({ test });
  }
  return skips;
}

/** Returns the last part of a path, which is the same in a URL and in the output. */
function nameOf(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}

/** Adds up the reports of all levels. */
export function sumReports(reports: readonly Report[]): Report {
  return {
    passed: reports.reduce((sum, report) => sum + report.passed, 0),
    failed: reports.reduce((sum, report) => sum + report.failed, 0),
    skips: reports.flatMap((report) => report.skips),
    failures: reports.flatMap((report) => report.failures),
  };
}

/** Returns the closing line. */
export function closingLine(report: Report): string {
  return `${report.passed} passed, ${report.failed} failed, ${report.skips.length} skipped`;
}

/** Returns the skips that the list of expected ones (one client per line, `#` comments) does not name. */
export function unexpectedSkips(skips: readonly Skip[], expected: string): readonly Skip[] {
  const names = new Set(
    expected.split("\n").map((line) => line.replace(/#.*/, "").trim()).filter((name) =>
      name !== ""
    ),
  );
  return skips.filter(({ client }) => client === undefined || !names.has(client));
}
