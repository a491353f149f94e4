/** Duration of each email, and of each round of samples of a plugin, in milliseconds. */
export type Waits = Map<string, number[]>;

/** Notes how long work takes. */
export async function timed<T>(waits: Waits, what: string, work: () => Promise<T>): Promise<T> {
  const begunMs = performance.now();
  const done = await work();
  const all = waits.get(what) ?? [];
  waits.set(what, all);
  all.push(performance.now() - begunMs);
  return done;
}

/** Median, 99th percentile and maximum. */
export function toText(waits: Waits): string {
  return [...waits].map(([what, all]) => {
    const sorted = all.toSorted((a, b) => a - b);
    const shares = [0.5, 0.99, 1].map((share) => sorted[Math.ceil(sorted.length * share) - 1]!);
    return `${what} ${shares.map((ms) => ms.toFixed(0)).join(" ")}`;
  }).join(", ");
}
