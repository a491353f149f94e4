import { MAX_TIMER_MS } from "../clock.ts";
import { IdleError } from "./transport.ts";

/** Rejects with `IdleError` if `promise` takes longer than `idleMs`; the promise continues. Leaves no timer. */
export async function within<T>(
  promise: Promise<T>,
  idleMs: number,
  message: string,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new IdleError(message)), Math.min(idleMs, MAX_TIMER_MS));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for `all`, whether it succeeds or not, but no longer than `ms`. Leaves no timer. */
export async function settle(all: Promise<unknown>, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([all.catch(() => {}), late]);
  clearTimeout(timer);
}

/** Returns a value that arrives within the platform's own steps; nothing if it takes longer. */
export async function soon<T>(reading: Promise<T>): Promise<T | undefined> {
  let read: T | undefined;
  reading.then((value) => read = value, () => {});
  for (let step = 0; step < STEPS && read === undefined; step++) await undefined;
  return read;
}

/** Number of promises between a read and data that the platform already has; it needs five. */
const STEPS = 16;
