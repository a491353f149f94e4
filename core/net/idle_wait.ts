import { IdleError } from "./transport.ts";

/** Longest delay a timer takes; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Waits for one thing at a time, again and again, each time with a limit. A wait is one promise, and the platform's
 * timer is left running from one to the next and only set anew when it fires too early: with a promise and a timer for
 * each, waiting for a read costs more than the read. Must be stopped in the end.
 */
export class IdleWait<T> {
  readonly #message: (idleMs: number) => string;
  #waiting: PromiseWithResolvers<T> | undefined;
  /** Those that were waiting when the latest wait began: they have no limit any more. */
  #earlier: PromiseWithResolvers<T>[] = [];
  #idleMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAtMs = Infinity;
  #deadlineMs = Infinity;
  #stopped = false;

  /** `message` is that of the error after so many milliseconds. */
  constructor(message: (idleMs: number) => string) {
    this.#message = message;
  }

  /** Gives what `resolve` is called with next; rejects with `IdleError` when that takes longer than `idleMs`. */
  begin(idleMs: number): Promise<T> {
    if (this.#waiting !== undefined) this.#earlier.push(this.#waiting);
    const waiting = Promise.withResolvers<T>();
    this.#waiting = waiting;
    this.#idleMs = idleMs;
    this.#deadlineMs = performance.now() + Math.min(idleMs, MAX_TIMER_MS);
    if (this.#timerAtMs > this.#deadlineMs) this.#arm();
    return waiting.promise;
  }

  /**
   * Waits for a promise; it goes on when it takes longer than `idleMs`, and is then what is to be waited for next.
   */
  within(promise: Promise<T>, idleMs: number): Promise<T> {
    const waiting = this.begin(idleMs);
    promise.then((value) => this.resolve(value), (error) => this.reject(error));
    return waiting;
  }

  /** Ends what waits; false when nothing does. */
  resolve(value: T): boolean {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (this.#earlier.length > 0) this.#takeEarlier().forEach(({ resolve }) => resolve(value));
    else if (waiting === undefined) return false;
    waiting?.resolve(value);
    return true;
  }

  /** The same with an error. */
  reject(error: unknown): boolean {
    const waiting = [...this.#takeEarlier(), ...this.#waiting === undefined ? [] : [this.#waiting]];
    this.#waiting = undefined;
    for (const { reject } of waiting) reject(error);
    return waiting.length > 0;
  }

  /** Leaves no timer behind; what waits has no limit any more. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #takeEarlier(): readonly PromiseWithResolvers<T>[] {
    const earlier = this.#earlier;
    this.#earlier = [];
    return earlier;
  }

  #arm(): void {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    this.#timerAtMs = this.#deadlineMs;
    this.#timer = setTimeout(() => this.#fire(), Math.max(this.#deadlineMs - performance.now(), 0));
  }

  #fire(): void {
    this.#timerAtMs = Infinity;
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    if (performance.now() < this.#deadlineMs) return this.#arm();
    this.#waiting = undefined;
    waiting.reject(new IdleError(this.#message(this.#idleMs)));
  }
}
