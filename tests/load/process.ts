/** Memory and descriptors of the program under load, from `/proc`, which exists on Linux. */

/** What a process holds at one moment. */
export interface Sample {
  readonly rssBytes: number;
  readonly fds: number;
}

/** Samples of a whole run. */
export interface Samples {
  /** Every two seconds. */
  readonly all: Sample[];
  /** Bytes of objects and buffers that a garbage collection leaves, every half minute. */
  readonly liveBytes: number[];
}

/** Interval of the samples. */
const SAMPLE_MS = 2000;
/** Samples per printed line, and per garbage collection. */
const [SAMPLES_A_LINE, SAMPLES_A_COLLECTION] = [30, 15];
/** Allowed growth of what garbage collections leave, from the second third of the run to the last. */
const MAX_LIVE_GROWTH = 0.1;
/** Allowed growth of the process: V8 collects irregularly, and keeps free pages for a while. */
const MAX_GROWTH = 0.3;
/**
 * Descriptors that may be open beyond those of an idle program: HTTP keep-alive connections of the
 * mail senders, two each.
 */
const MAX_MORE_FDS = 8;

/** Takes a sample. */
export async function sampleOf(pid: number): Promise<Sample> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  let fds = 0;
  for await (const _entry of Deno.readDir(`/proc/${pid}/fd`)) fds++;
  return { rssBytes: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024, fds };
}

/** Takes samples until then, and prints one a minute. */
export async function watch(
  pid: number,
  { untilMs, samples: { all, liveBytes }, inspector }: {
    untilMs: number;
    samples: Samples;
    inspector: Inspector;
  },
): Promise<void> {
  while (performance.now() < untilMs) {
    await pause(Math.min(SAMPLE_MS, Math.max(untilMs - performance.now(), 0)));
    all.push(await sampleOf(pid));
    if (all.length % SAMPLES_A_COLLECTION === 0) {
      liveBytes.push(await inspector.liveBytes());
    }
    if (all.length % SAMPLES_A_LINE === 0) {
      const latest = all.slice(-SAMPLES_A_LINE);
      const fds = median(latest.map(({ fds }) => fds));
      console.log(
        `${all.length * SAMPLE_MS / 1000} s: ` +
          `${toMiB(median(latest.map(({ rssBytes }) => rssBytes)))}, ` +
          `${toMiB(liveBytes.at(-1)!)} live, ${fds} descriptors`,
      );
    }
  }
}

/** Prints memory and descriptors, and returns what grew. */
export function growthOf(
  { all, liveBytes }: Samples,
  { rest, end }: { rest: Sample; end: Sample },
): readonly string[] {
  const [before, after] = thirds(all.map(({ rssBytes }) => rssBytes));
  const [liveBefore, liveAfter] = thirds(liveBytes);
  console.log(
    `Memory ${toMiB(rest.rssBytes)} at rest, ${toMiB(before)} in the second third, ` +
      `${toMiB(after)} in the last, ` +
      `${toMiB(Math.max(...all.map(({ rssBytes }) => rssBytes)))} at most; ` +
      `live after garbage collections ${toMiB(liveBefore)} and ${toMiB(liveAfter)}; ` +
      `descriptors ${rest.fds} at rest, ${Math.max(...all.map(({ fds }) => fds))} at most, ` +
      `${end.fds} in the end`,
  );
  const problems: string[] = [];
  if (liveAfter > liveBefore * (1 + MAX_LIVE_GROWTH)) problems.push("Live memory grew");
  if (after > before * (1 + MAX_GROWTH)) problems.push("The memory of the process grew");
  if (!fdsAtRest(end, rest)) problems.push("Descriptors leaked");
  return problems;
}

/** Whether the descriptors are back at rest. */
export function fdsAtRest(end: Sample, rest: Sample): boolean {
  return end.fds <= rest.fds + MAX_MORE_FDS;
}

/** Medians of the second third and of the last. */
function thirds(values: readonly number[]): [number, number] {
  const third = Math.floor(values.length / 3);
  return [median(values.slice(third, 2 * third)), median(values.slice(2 * third))];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

function toMiB(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(0)} MiB`;
}

/** A connection to the inspector of a program. */
export interface Inspector extends Disposable {
  /** Makes the program collect its garbage; returns the bytes of what is left. */
  readonly liveBytes: () => Promise<number>;
}

/** Connects to an inspector (https://chromedevtools.github.io/devtools-protocol/v8/). */
export async function inspect(port: number): Promise<Inspector> {
  const response = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target]: { webSocketDebuggerUrl: string }[] = await response.json();
  const socket = new WebSocket(target!.webSocketDebuggerUrl);
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onerror = () => reject(new Error("Cannot connect to the inspector of the program"));
  });
  let id = 0;
  const call = <T>(method: string): Promise<T> =>
    new Promise((resolve, reject) => {
      const own = ++id;
      socket.onmessage = ({ data }) => {
        const { id, result, error } = JSON.parse(data);
        if (id !== own) return;
        if (error === undefined) resolve(result);
        else reject(new Error(`${method}: ${error.message}`));
      };
      socket.onclose = () => reject(new Error("The inspector of the program closed"));
      socket.send(JSON.stringify({ id: own, method }));
    });
  const liveBytes = async (): Promise<number> => {
    await call("HeapProfiler.collectGarbage");
    const { usedSize, backingStorageSize } = await call<
      { readonly usedSize: number; readonly backingStorageSize: number }
    >("Runtime.getHeapUsage");
    return usedSize + backingStorageSize;
  };
  return { liveBytes, [Symbol.dispose]: () => socket.close() };
}

/** Waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
