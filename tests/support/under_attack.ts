/**
 * Measures the cost of an attack: the resident size of the program in a separate process, and the
 * wait of another client.
 *
 * @module
 */
import { type Program, type ProgramOptions, startProgram } from "./program.ts";

/** Interval of measurements of the resident size. */
const SAMPLE_MS = 50;
/** Pause between two requests of the other client. */
const ASK_MS = 20;
/** Timeout of one request of the other client, which then counts as its duration. */
const ASK_LIMIT_MS = 60_000;

/** Memory of the program besides `memory_limit`, as stated in docs/security.md. */
export const BESIDE_BYTES = 150_000_000;

/** Maximum memory of the program 30 seconds after a reset. */
export const REST_BYTES = 200_000_000;

/** Effect of an attack on the program and on others. */
export interface Toll {
  /** Resident bytes before it. */
  readonly restBytes: number;
  /** Maximum resident bytes during it. */
  readonly peakBytes: number;
  /**
   * The longest wait of another client for `GET /api/v1/health` during it, in milliseconds of work
   * of the program's main thread, so that other load on the machine does not count.
   */
  readonly longestWaitMs: number;
  /** Number of responses to the other client. */
  readonly answered: number;
}

/** A running program that is measured during attacks. */
export interface Target extends Program {
  /** Runs `attack` and returns its cost. Rejects if the program ends, or if `attack` rejects. */
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

/** The resident size of a process in bytes, from `/proc`, which exists on Linux. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}

/** Deletes all captures. */
export async function reset({ urls }: Pick<Program, "urls">): Promise<void> {
  await (await fetch(`${urls.api}/api/v1/reset`, { method: "POST" })).body?.cancel();
}

/** Time for the program to return unused memory. */
const REST_MS = 30_000;

/**
 * Returns the resident size once it is below `bytes`, or after 30 s; `meanwhile` runs before each
 * further measurement.
 */
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

/** Work of the main thread of a process, in milliseconds. */
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
      // Too late, or refused; only the time counts.
    }
    longestWaitMs = Math.max(longestWaitMs, await workedMs(pid) - begunMs);
    await sleep(ASK_MS);
  } while (!signal.aborted);
  return { longestWaitMs, answered };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
