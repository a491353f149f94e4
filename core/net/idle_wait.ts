import { MAX_TIMER_MS } from "../clock.ts";
import { IdleError } from "./transport.ts";

/**
 * Waits for one thing at a time, repeatedly, each time with a limit. The wait is one promise, and the timer keeps running
 * between waits and is only reset when it fires too early: with a promise and a timer for each, waiting for a read costs
 * more than the read. Must be stopped at the end.
 */
export class IdleWait<T> {
  readonly #message: (idleMs: number) => string;
  #waiting: PromiseWithResolvers<T> | undefined;
  /** Earlier waits that the latest one replaced; they no longer have a limit. */
  #earlier: PromiseWithResolvers<T>[] = [];
  #idleMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAtMs = Infinity;
  #deadlineMs = Infinity;
  #stopped = false;

  /** `message` is the text of the error after this many milliseconds. */
  constructor(message: (idleMs: number) => string) {
    this.#message = message;
  }

  /** Returns the next value given to `resolve`; rejects with `IdleError` after `idleMs`. */
  begin(idleMs: number): Promise<T> {
    if (this.#waiting !== undefined) this.#earlier.push(this.#waiting);
    const waiting = Promise.withResolvers<T>();
    this.#waiting = waiting;
    this.#idleMs = idleMs;
    this.#deadlineMs = performance.now() + Math.min(idleMs, MAX_TIMER_MS);
    if (this.#timerAtMs > this.#deadlineMs) this.#arm();
    return waiting.promise;
  }

  /** Waits for a promise. After `idleMs` the promise continues, and is then the next to wait for. */
  within(promise: Promise<T>, idleMs: number): Promise<T> {
    const waiting = this.begin(idleMs);
    promise.then((value) => this.resolve(value), (error) => this.reject(error));
    return waiting;
  }

  /** Resolves the wait; false if there is none. */
  resolve(value: T): boolean {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (this.#earlier.length > 0) this.#takeEarlier().forEach(({ resolve }) => resolve(value));
    else if (waiting === undefined) return false;
    waiting?.resolve(value);
    return true;
  }

  /** Rejects the wait. */
  reject(error: unknown): boolean {
    const waiting = [...this.#takeEarlier(), ...this.#waiting === undefined ? [] : [this.#waiting]];
    this.#waiting = undefined;
    for (const { reject } of waiting) reject(error);
    return waiting.length > 0;
  }

  /** Stops the timer; a pending wait then has no limit. */
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
