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
  /** Right after a garbage collection, every half minute. */
  readonly collected: Sample[];
}

/** Interval of the samples. */
const SAMPLE_MS = 2000;
/** Samples per printed line, and per garbage collection. */
const [SAMPLES_A_LINE, SAMPLES_A_COLLECTION] = [30, 15];
/** Allowed growth of memory after garbage collections, from the second third of the run to the last. */
const MAX_GROWTH = 0.1;
/** Allowed growth without them: V8 collects irregularly. */
const MAX_UNCOLLECTED_GROWTH = 0.3;
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
  { untilMs, samples: { all, collected }, collect }: {
    untilMs: number;
    samples: Samples;
    collect: () => Promise<void>;
  },
): Promise<void> {
  while (performance.now() < untilMs) {
    await pause(Math.min(SAMPLE_MS, Math.max(untilMs - performance.now(), 0)));
    all.push(await sampleOf(pid));
    if (all.length % SAMPLES_A_COLLECTION === 0) {
      await collect();
      collected.push(await sampleOf(pid));
    }
    if (all.length % SAMPLES_A_LINE === 0) {
      const { rssBytes, fds } = median(all.slice(-SAMPLES_A_LINE));
      console.log(
        `${all.length * SAMPLE_MS / 1000} s: ${toMiB(rssBytes)}, ` +
          `${toMiB(collected.at(-1)!.rssBytes)} after a collection, ${fds} descriptors`,
      );
    }
  }
}

/** Prints memory and descriptors, and returns what grew. */
export function growthOf(
  { all, collected }: Samples,
  { rest, end }: { rest: Sample; end: Sample },
): readonly string[] {
  const [before, after] = thirds(all);
  const [collectedBefore, collectedAfter] = thirds(collected);
  console.log(
    `Memory ${toMiB(rest.rssBytes)} at rest, ${toMiB(before)} in the second third, ` +
      `${toMiB(after)} in the last, ` +
      `${toMiB(Math.max(...all.map(({ rssBytes }) => rssBytes)))} at most; ` +
      `after garbage collections ${toMiB(collectedBefore)} and ${toMiB(collectedAfter)}; ` +
      `descriptors ${rest.fds} at rest, ${Math.max(...all.map(({ fds }) => fds))} at most, ` +
      `${end.fds} in the end`,
  );
  const problems: string[] = [];
  if (collectedAfter > collectedBefore * (1 + MAX_GROWTH)) {
    problems.push("Memory grew, also after garbage collections");
  }
  if (after > before * (1 + MAX_UNCOLLECTED_GROWTH)) problems.push("Memory grew");
  if (!fdsAtRest(end, rest)) problems.push("Descriptors leaked");
  return problems;
}

/** Whether the descriptors are back at rest. */
export function fdsAtRest(end: Sample, rest: Sample): boolean {
  return end.fds <= rest.fds + MAX_MORE_FDS;
}

/** Medians of the memory in the second third and in the last. */
function thirds(samples: readonly Sample[]): [number, number] {
  const third = Math.floor(samples.length / 3);
  return [
    median(samples.slice(third, 2 * third)).rssBytes,
    median(samples.slice(2 * third)).rssBytes,
  ];
}

function median(samples: readonly Sample[]): Sample {
  const sorted = samples.toSorted((a, b) => a.rssBytes - b.rssBytes);
  return sorted[samples.length >> 1] ?? { rssBytes: 0, fds: 0 };
}

function toMiB(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(0)} MiB`;
}

/** A connection to the inspector of a program. */
export interface Collector extends Disposable {
  /** Makes the program collect its garbage. */
  readonly collect: () => Promise<void>;
}

/** Connects to an inspector (https://chromedevtools.github.io/devtools-protocol/v8/HeapProfiler/). */
export async function collector(port: number): Promise<Collector> {
  const response = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target]: { webSocketDebuggerUrl: string }[] = await response.json();
  const socket = new WebSocket(target!.webSocketDebuggerUrl);
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onerror = () => reject(new Error("Cannot connect to the inspector of the program"));
  });
  let id = 0;
  const collect = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const own = ++id;
      socket.onmessage = ({ data }) => {
        const message = JSON.parse(data);
        if (message.id !== own) return;
        if (message.error === undefined) resolve();
        else reject(new Error(`Cannot collect garbage: ${message.error.message}`));
      };
      socket.onclose = () => reject(new Error("The inspector of the program closed"));
      socket.send(JSON.stringify({ id: own, method: "HeapProfiler.collectGarbage" }));
    });
  return { collect, [Symbol.dispose]: () => socket.close() };
}

/** Waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
