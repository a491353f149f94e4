/**
 * Runs one level of the tests in its own `deno test`.
 *
 * @module
 */
import { closingLine, readReport, type Report } from "./test_report.ts";

/** Tests that run together. */
export interface Level {
  readonly name: string;
  readonly proves: string;
  readonly paths: readonly string[];
  /** Flags of `deno test`. */
  readonly args: readonly string[];
  /** Files that `--parallel` runs at once on each processor; 1 by default, more for tests that mostly wait. */
  readonly filesPerProcessor?: number;
}

/** Options of a run. */
export interface LevelOptions {
  /** Prints the output as it arrives. */
  readonly verbose?: boolean;
  /** Maximum time without a result, in milliseconds, so that a test that hangs does not block the others forever. */
  readonly stallMs?: number;
}

/** Result of a `deno test` run. */
interface Ended {
  readonly report: Report;
  readonly stdout: string;
  readonly stderr: string;
  /** The signal that ended Deno. */
  readonly crash?: string;
}

const STALL_MS = 3 * 60_000;

/** Maximum time for an interrupted run to end, in milliseconds. */
const INTERRUPT_MS = 20_000;

/**
 * Runs a level and prints its outcome. A run in which Deno itself crashed says nothing about the tests: it is repeated
 * once, with a notice.
 */
export async function runLevel(level: Level, options: LevelOptions = {}): Promise<Report> {
  console.log(`${level.name.padEnd(9)} ${level.proves}`);
  let ended = await runOnce(level, options);
  if (ended.crash !== undefined) {
    console.log(`AGAIN ${level.name}: Deno was ended by ${ended.crash}`);
    if (options.verbose !== true) console.log(fault(ended));
    ended = await runOnce(level, options);
  }
  if (ended.report.failed > 0 && options.verbose !== true) console.log(fault(ended));
  return ended.report;
}

async function runOnce(level: Level, options: LevelOptions): Promise<Ended> {
  const { verbose = false, stallMs = STALL_MS } = options;
  const startMs = performance.now();
  const skips = await Deno.makeTempFile();
  const child = new Deno.Command(Deno.execPath(), {
    // `deno task ok` checks the types once for all levels.
    args: [
      "test",
      "--quiet",
      "--no-check",
      "--no-prompt",
      // Vendor SDKs have a lock file of their own, so that users of the program do not fetch them.
      "--lock=tests/deno.lock",
      ...level.args,
      ...level.paths,
    ],
    env: {
      NO_COLOR: "1",
      STANDIN_SKIPS: skips,
      DENO_JOBS: `${Math.ceil(navigator.hardwareConcurrency * (level.filesPerProcessor ?? 1))}`,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let stalled = false;
  const giveUp = () => {
    stalled = true;
    console.log(
      `No result for ${stallMs / 1000} s: interrupted, to name what has not ended`,
    );
    child.kill("SIGINT");
    stall = setTimeout(() => child.kill("SIGKILL"), INTERRUPT_MS);
  };
  let stall = setTimeout(giveUp, stallMs);
  // A title and its result may arrive separately, so any output is a sign of life.
  const heard = (part: string): void => {
    if (verbose) console.log(part.trimEnd());
    if (stalled) return;
    clearTimeout(stall);
    stall = setTimeout(giveUp, stallMs);
  };
  const [stdout, stderr, { code, signal }] = await Promise.all([
    collect(child.stdout, heard),
    collect(child.stderr, heard),
    child.status,
  ]);
  clearTimeout(stall);
  const report = readReport(stdout + stderr, code, await Deno.readTextFile(skips));
  await Deno.remove(skips);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(`${" ".repeat(9)} ${closingLine(report)} in ${seconds} s`);
  return { report, stdout, stderr, ...(signal === null || stalled ? {} : { crash: signal }) };
}

async function collect(
  stream: ReadableStream<Uint8Array>,
  heard: (part: string) => void,
): Promise<string> {
  let text = "";
  for await (const part of stream.pipeThrough(new TextDecoderStream())) {
    text += part;
    heard(part);
  }
  return text;
}

/** Returns the part of the output that explains a failure, or all of it. */
function fault({ stdout, stderr }: Ended): string {
  const at = stdout.search(/^ ?ERRORS ?$|^The following tests were pending:/m);
  return `${at < 0 ? stdout.slice(-20_000) : stdout.slice(at)}\n${stderr}`.trim();
}
