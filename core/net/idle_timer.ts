import { IdleError } from "./transport.ts";

/** Longest delay a timer takes; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Limits one wait at a time, again and again. The platform's timer is left running from one wait to the next and only
 * set anew when it fires too early: setting one for each read costs more than the read. Must be stopped in the end.
 */
export class IdleTimer {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAtMs = Infinity;
  #deadlineMs = Infinity;
  #expire: (() => void) | undefined;
  #stopped = false;

  /** Rejects with `IdleError` when `promise` takes longer than `idleMs`; the promise itself goes on. */
  within<T>(promise: Promise<T>, idleMs: number, message: string): Promise<T> {
    const { promise: limited, resolve, reject } = Promise.withResolvers<T>();
    const expire = () => reject(new IdleError(message));
    this.#expire = expire;
    this.#deadlineMs = performance.now() + Math.min(idleMs, MAX_TIMER_MS);
    this.#arm();
    const settle = (): void => {
      if (this.#expire === expire) this.#expire = undefined;
    };
    promise.then((value) => {
      settle();
      resolve(value);
    }, (error) => {
      settle();
      reject(error);
    });
    return limited;
  }

  /** Leaves no timer behind; a wait that goes on has no limit any more. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #arm(): void {
    if (this.#stopped || this.#timerAtMs <= this.#deadlineMs) return;
    clearTimeout(this.#timer);
    this.#timerAtMs = this.#deadlineMs;
    this.#timer = setTimeout(() => this.#fire(), Math.max(this.#deadlineMs - performance.now(), 0));
  }

  #fire(): void {
    this.#timerAtMs = Infinity;
    if (this.#expire === undefined) return;
    if (performance.now() < this.#deadlineMs) return this.#arm();
    const expire = this.#expire;
    this.#expire = undefined;
    expire();
  }
}
