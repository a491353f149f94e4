import { BODY_PATIENCE, Pace } from "../../../net/pace.ts";
import { type FrontLimits, LINGER_PATIENCE } from "../wire/limits.ts";

/** State of the connection; a handler may take any time. */
export type Phase = "first" | "between" | "head" | "body" | "handler" | "writing" | "closing";

/** Action on a client that is too slow. */
export type Verdict = "wait" | "close" | "late_head" | { readonly giveUp: string };

/** Time limits of an HTTP/1 client. */
export class Patience {
  readonly #limits: FrontLimits;
  #phase: Phase = "first";
  /** Start of the phase by `performance.now()`; for a short phase, known only once it was checked. */
  #since: number | undefined;
  /** Pace of a body that did not arrive together with its head. */
  #pace: Pace | undefined;
  #lingerEndMs = Infinity;
  /** The client sends no more: it may have disconnected, or only closed its half. */
  hasEnded = false;

  /** `sinceMs`: when the first request has begun. */
  constructor(limits: FrontLimits, sinceMs: number) {
    this.#limits = limits;
    this.#since = sinceMs;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Begins a phase. Reading the clock for each would cost a request more than its limits are worth. */
  enter(phase: Phase): void {
    this.#phase = phase;
    this.#since = undefined;
  }

  /** A head has begun; of the first one, the time began with its connection. */
  beginHead(): void {
    if (this.#phase === "between") this.enter("head");
    this.#phase = "head";
  }

  /** A request is handed to its handler. */
  beginRequest(): void {
    this.#pace = undefined;
    this.enter("handler");
  }

  /** The handler waits for more of a body. */
  beginRead(): void {
    const now = performance.now();
    if (this.#pace === undefined) {
      const { bodyMs: idleMs } = this.#limits;
      this.#pace = new Pace({ idleMs, graceMs: BODY_PATIENCE * idleMs, what: "a body" });
      this.#pace.begin();
    } else {
      // The handler may be slow, too.
      this.#pace.excuse(now - (this.#since ?? now));
    }
    this.#phase = "body";
    this.#since = now;
  }

  /** Counts received bytes of a body. */
  endRead(count: number): void {
    this.#pace?.took(count);
    this.enter("handler");
    this.#since = performance.now();
  }

  /** Our end is sent; waits for the client's. */
  beginClosing(): void {
    this.enter("closing");
    this.#lingerEndMs = performance.now() + LINGER_PATIENCE * this.#limits.lingerMs;
  }

  /** Returns the action that the limits require. */
  judge(now: number): Verdict {
    const limits = this.#limits;
    const since = this.#since ??= now;
    const over = (ms: number): boolean => now - since > ms;
    switch (this.#phase) {
      case "first":
        return over(limits.headMs) ? "close" : "wait";
      case "between":
        return over(limits.keepAliveMs) ? "close" : "wait";
      case "head":
        return over(limits.headMs) ? "late_head" : "wait";
      case "body":
        if (over(limits.bodyMs)) return { giveUp: "sent no more of its request body" };
        return this.#pace?.over ? { giveUp: "sent its request body too slowly" } : "wait";
      case "writing":
        return over(limits.writeMs) ? { giveUp: "read nothing of its response" } : "wait";
      case "closing":
        return over(limits.lingerMs) || now > this.#lingerEndMs ? "close" : "wait";
      case "handler":
        return this.hasEnded && over(limits.halfClosedMs) ? "close" : "wait";
    }
  }
}
