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

/** Longest delay a timer takes; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
