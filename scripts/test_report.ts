/** What `deno test` printed, as numbers and names. Pure: text in, values out. */

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
  /** The client that is absent; without it the test was turned off by hand. */
  readonly client?: string;
  readonly reason?: string;
}

const SUMMARY =
  /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored)?/;
const CLIENT = /^SKIP client: (\S+) (.+) \((ignores|ends|ends a step of) "(.*)"\)$/;
const IGNORED = /^(.*) \.\.\. ignored \(.*\)$/;
const FAILURE = /^(.+?) => \.?\/?\S+:\d+:\d+$/;

/**
 * Reads the plain output of `deno test`. `code` is its exit status: output without a summary counts as one failure
 * unless the status is 0.
 */
export function readReport(output: string, code: number): Report {
  let counts: { passed: number; failed: number } | undefined;
  const clients = new Map<string, Skip>();
  const ignored: string[] = [];
  const failures = new Set<string>();
  let ended = 0;
  for (const line of output.split("\n")) {
    const summary = SUMMARY.exec(line);
    if (summary !== null) counts = { passed: Number(summary[1]), failed: Number(summary[2]) };
    const client = CLIENT.exec(line);
    if (client !== null) {
      const [, name = "", reason = "", effect, test = ""] = client;
      if (effect === "ends" && !clients.has(test)) ended++;
      if (effect !== "ends a step of") clients.set(test, { test, client: name, reason });
    }
    const title = IGNORED.exec(line)?.[1];
    if (title !== undefined) ignored.push(title);
    const failure = FAILURE.exec(line)?.[1];
    if (failure !== undefined) failures.add(failure);
  }
  const byHand = ignored.filter((title) => !clients.has(title)).map((test) => ({ test }));
  const { passed, failed } = counts ?? { passed: 0, failed: code === 0 ? 0 : 1 };
  return {
    passed: passed - ended,
    // Leaks or an error outside any test end the run with a status of their own.
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skips: [...clients.values(), ...byHand],
    failures: [...failures],
  };
}

/** Adds up the runs of all levels. */
export function sumReports(reports: readonly Report[]): Report {
  return {
    passed: reports.reduce((sum, report) => sum + report.passed, 0),
    failed: reports.reduce((sum, report) => sum + report.failed, 0),
    skips: reports.flatMap((report) => report.skips),
    failures: reports.flatMap((report) => report.failures),
  };
}

/** The closing line. */
export function closingLine(report: Report): string {
  return `${report.passed} passed, ${report.failed} failed, ${report.skips.length} skipped`;
}

/** Skips that the list of expected ones (one client a line, `#` comments) does not name. */
export function unexpectedSkips(skips: readonly Skip[], expected: string): readonly Skip[] {
  const names = new Set(
    expected.split("\n").map((line) => line.replace(/#.*/, "").trim()).filter((name) =>
      name !== ""
    ),
  );
  return skips.filter(({ client }) => client === undefined || !names.has(client));
}
