/**
 * `deno task test [--verbose] [LEVEL|FILE...]`: runs every test level by level, or only some.
 *
 * @module
 */
import { refusal } from "./arguments.ts";
import { type Level, runLevel } from "./test_level.ts";
import { closingLine, type Report, sumReports, unexpectedSkips } from "./test_report.ts";

const EVERYTHING = ["--allow-all"];
const VERBOSE = "--verbose";

/**
 * Maximum time without output for files given by name, in milliseconds: their tests may repeat many rounds, such
 * as with `KILL_ROUNDS`.
 */
const NAMED_STALL_MS = 60 * 60_000;

/**
 * Files that take longest, by level. They start first: one that started last would keep a single
 * processor busy while the others wait.
 */
const LONG: Readonly<Record<string, readonly string[]>> = {
  house: ["tests/scripts/new_test.ts", "tests/scripts/consumer_test.ts"],
  docs: ["tests/docs/team_test.ts", "tests/docs/sdk_test.ts"],
  wire: ["tests/wire/unkept_events_test.ts", "tests/wire/mutated_traffic_test.ts"],
  persist: ["tests/persist/nats_calls_test.ts", "tests/persist/nats_files_kill_test.ts"],
  clients: [
    "tests/clients/packages_node_test.ts",
    "tests/clients/apns_go_test.ts",
    "tests/clients/s3_aws_cli_test.ts",
    "tests/clients/otel_test.ts",
    "tests/clients/testing_snippets_test.ts",
  ],
  attack: ["tests/attack/mcp_calls_test.ts", "tests/attack/parsers_test.ts"],
  browser: ["tests/browser/mail_calls_test.ts"],
};

/** Files per processor in levels whose tests mostly wait: for timeouts, other programs, expiring leases. */
const WAITING: Readonly<Record<string, number>> = { wire: 2, persist: 2, clients: 1.5 };

/** In order: fast tests close to the source first. */
const LEVELS: readonly Level[] = [
  {
    name: "pure",
    proves: "values, codecs and sessions beside their sources, without permissions",
    paths: ["core", "plugins", "scripts", "ui"],
    args: ["--parallel", "--allow-env=FUZZ_RUNS,FUZZ_SEED"],
  },
  {
    name: "house",
    proves: "layers, generated files, scaffold, tasks",
    paths: [
      "tests/architecture_test.ts",
      "tests/provider_shape_test.ts",
      "tests/scripts",
      "tests/support",
    ],
    args: ["--parallel", ...EVERYTHING],
  },
  {
    name: "docs",
    proves: "every block of every page of the documentation",
    paths: ["README.md", "docs/library.md", "mod.ts", "core/plugin.ts", "tests/docs"],
    args: ["--doc", "--parallel", ...EVERYTHING],
  },
  ...[
    ["contract", "every implementation of an interface behaves the same"],
    ["specification", "types, routes, settings and rules as they are documented"],
    ["wire", "dialogues over real sockets"],
    ["api", "read-back routes, stream and description"],
    ["cli", "flags, files, messages and exit status"],
    ["persist", "restart and loss of power"],
    ["regress", "faults once reported"],
    ["clients", "unmodified programs and vendor SDKs"],
  ].map(([name = "", proves = ""]): Level => ({
    name,
    proves,
    paths: [`tests/${name}`],
    args: ["--parallel", ...EVERYTHING],
    filesPerProcessor: WAITING[name] ?? 1,
  })),
  {
    name: "attack",
    proves: "what hostile clients cost in memory, and in time of others",
    paths: ["tests/attack"],
    args: ["--parallel", ...EVERYTHING],
  },
  {
    name: "browser",
    proves: "the user interface in Chromium",
    paths: ["tests/browser"],
    args: ["--parallel", ...EVERYTHING],
  },
];

async function main(args: readonly string[]): Promise<number> {
  const files = args.filter((arg) => /\.[jt]s$/.test(arg));
  const words = args.filter((arg) => !files.includes(arg));
  const reason = refusal(words, [VERBOSE, ...LEVELS.map(({ name }) => name)]);
  if (reason !== undefined) {
    console.error(`${reason}, and files such as tests/wire/smtp_test.ts`);
    return 2;
  }
  const verbose = words.includes(VERBOSE);
  const chosen = words.filter((word) => word !== VERBOSE);
  const reports: Report[] = [];
  if (files.length > 0) {
    const named = { name: "files", proves: files.join(" "), paths: files, args: EVERYTHING };
    reports.push(await runLevel(named, { verbose, stallMs: NAMED_STALL_MS }));
  }
  for (const level of LEVELS) {
    const wanted = chosen.length > 0 ? chosen.includes(level.name) : files.length === 0;
    if (!wanted) continue;
    const paths = [...LONG[level.name] ?? [], ...await withTests(level.paths)];
    if (paths.length > 0) reports.push(await runLevel({ ...level, paths }, { verbose }));
  }
  return close(sumReports(reports));
}

/** Leaves out paths without tests, because `deno test` refuses an empty folder. */
async function withTests(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) if (await hasTests(path)) found.push(path);
  return found;
}

async function hasTests(path: string): Promise<boolean> {
  if (/\.(ts|md)$/.test(path)) return await exists(path);
  if (!await exists(path)) return false;
  for await (const entry of Deno.readDir(path)) {
    const inner = `${path}/${entry.name}`;
    if (entry.isFile ? /_test\.[jt]s$/.test(entry.name) : await hasTests(inner)) return true;
  }
  return false;
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function close(report: Report): Promise<number> {
  const byReason = new Map<string, number>();
  for (const { client, reason, test } of report.skips) {
    const text = client === undefined
      ? `test "${test}" is turned off`
      : `client ${client} ${reason}`;
    byReason.set(text, (byReason.get(text) ?? 0) + 1);
  }
  for (const [text, count] of byReason) console.log(`SKIP ${text}: ${count} skipped`);
  for (const test of report.failures) console.log(`FAIL ${test}`);
  let code = report.failed > 0 ? 1 : 0;
  if (Deno.env.get("CI") === "true") {
    const expected = await Deno.readTextFile("tests/expected_skips.txt");
    for (const { client, test } of unexpectedSkips(report.skips, expected)) {
      console.log(
        `FAIL "${test}" was skipped (${client ?? "turned off"}), and CI expects it to run`,
      );
      code = 1;
    }
  }
  console.log(`\n${closingLine(report)}`);
  return code;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
