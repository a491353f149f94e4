/**
 * What an attack costs: the program in a process of its own, its resident size, and how long another client waits.
 *
 * @module
 */
import { type Program, type ProgramOptions, startProgram } from "./program.ts";

/** Time between two looks at the resident size. */
const SAMPLE_MS = 50;
/** Pause between two requests of the other client. */
const ASK_MS = 20;
/** How long one request of the other client may take before it counts as that long. */
const ASK_LIMIT_MS = 60_000;

/** What the program takes beside `memory_limit`, as docs/security.md has it. */
export const BESIDE_BYTES = 150 * 1024 ** 2;

/**
 * Attacks of one kind until one stays below that bound. The moment of a garbage collection decides over the last tens of
 * megabytes; memory that is not counted exceeds the bound each time.
 */
export const ATTEMPTS = 3;

/** Effect of an attack on the program and on others. */
export interface Toll {
  /** Resident bytes before it. */
  readonly restBytes: number;
  /** Most resident bytes seen during it. */
  readonly peakBytes: number;
  /**
   * The longest that another client waited for `GET /api/v1/health` while it went on, in milliseconds that the program's
   * main thread worked meanwhile: what the machine did for others does not count.
   */
  readonly longestWaitMs: number;
  /** How often the other client was answered. */
  readonly answered: number;
}

/** A running program that is measured while somebody attacks it. */
export interface Target extends Program {
  /** Runs `attack` and says what it cost. Rejects when the program ends, or when `attack` does. */
  measure(attack: () => Promise<void>): Promise<Toll>;
}

/** Starts the program as `deno task serve` would, on free ports. */
export async function startTarget(options: ProgramOptions = {}): Promise<Target> {
  const program = await startProgram(options);
  return Object.assign(program, {
    measure: (attack: () => Promise<void>) => measure(program, attack),
  });
}

async function measure(program: Program, attack: () => Promise<void>): Promise<Toll> {
  const ended = new AbortController();
  const restBytes = await residentBytes(program.pid);
  const [peakBytes, { longestWaitMs, answered }] = await Promise.all([
    watchResident(program.pid, ended.signal),
    askOn(program, ended.signal),
    attack().finally(() => ended.abort()),
  ]);
  return { restBytes, peakBytes, longestWaitMs, answered };
}

/** The resident size of a process in bytes, from `/proc`, which Linux has. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}

/** Forgets everything that was captured. */
export async function reset({ urls }: Pick<Program, "urls">): Promise<void> {
  await (await fetch(`${urls.api}/api/v1/reset`, { method: "POST" })).body?.cancel();
}

/** How long the program gets to give back what it holds no more. */
const REST_MS = 30_000;

/** The resident size as soon as it is below `bytes`, or after 30 s; `meanwhile` runs before each further look. */
export async function restedBytes(
  pid: number,
  bytes: number,
  meanwhile?: () => Promise<void>,
): Promise<number> {
  const endMs = performance.now() + REST_MS;
  for (;;) {
    const resident = await residentBytes(pid);
    if (resident < bytes || performance.now() > endMs) return resident;
    await sleep(250);
    await meanwhile?.();
  }
}

/** Bytes as MiB, for messages. */
export function mib(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}

async function watchResident(pid: number, signal: AbortSignal): Promise<number> {
  let peak = 0;
  while (!signal.aborted) {
    peak = Math.max(peak, await residentBytes(pid));
    await sleep(SAMPLE_MS);
  }
  return Math.max(peak, await residentBytes(pid));
}

/** How long the main thread of a process has worked, in milliseconds. */
export async function workedMs(pid: number): Promise<number> {
  const [ns] = (await Deno.readTextFile(`/proc/${pid}/task/${pid}/schedstat`)).split(" ");
  return Number(ns) / 1e6;
}

async function askOn(
  { pid, urls }: Program,
  signal: AbortSignal,
): Promise<{ longestWaitMs: number; answered: number }> {
  const url = `${urls.api}/api/v1/health`;
  let longestWaitMs = 0;
  let answered = 0;
  do {
    const begunMs = await workedMs(pid);
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(ASK_LIMIT_MS) });
      await response.body?.cancel();
      answered++;
    } catch {
      // Too late, or refused: the time it took is what counts.
    }
    longestWaitMs = Math.max(longestWaitMs, await workedMs(pid) - begunMs);
    await sleep(ASK_MS);
  } while (!signal.aborted);
  return { longestWaitMs, answered };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
