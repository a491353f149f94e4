import { MAX_TIMER_MS } from "../clock.ts";
import type { Call } from "./call.ts";

/** Waits until each call has its response; resolves with a message on timeout. Rejects when the signal aborts. */
export async function awaitCalls(
  calls: readonly Call[],
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), Math.min(timeoutMs, MAX_TIMER_MS));
  const end = (): void => reject(new Error("The wait was aborted"));
  signal?.addEventListener("abort", end, { once: true });
  try {
    const over = Promise.all(calls.map(({ over }) => over)).then(() => true);
    if (await Promise.race([promise, over])) return undefined;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
  const open = calls.filter(({ isOver }) => !isOver);
  const lines = open.slice(0, 10).map((call) => {
    const { name, url, attempts } = call.toRecord();
    const last = attempts.at(-1);
    const why = last === undefined ? "no attempt yet" : last.error ?? `answered ${last.status}`;
    return `  ${name} to ${url}: ${why}`;
  });
  return `Cannot wait any longer for ${open.length} calls: they have not ended after ${timeoutMs} ms:\n${
    lines.join("\n")
  }`;
}
