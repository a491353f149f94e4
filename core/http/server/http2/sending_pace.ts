import { BODY_PATIENCE, Pace } from "../../../net/pace.ts";
import { FrameGauge } from "./frames.ts";
import type { FrontLimits } from "../wire/limits.ts";

/** How fast a client sends what it has begun: the body of a request of HTTP/1, or a frame of HTTP/2. */
export class SendingPace {
  readonly #limits: FrontLimits;
  #frames: FrameGauge | undefined;
  #pace: Pace | undefined;

  constructor(limits: FrontLimits) {
    this.#limits = limits;
  }

  /** Whether it takes too long over it. */
  get over(): boolean {
    return this.#pace?.over === true;
  }

  /** Time went by that was not the client's. */
  excuse(ms: number): void {
    this.#pace?.excuse(ms);
  }

  /** Bytes of HTTP/1 came: `inside` a body that goes on, of a request that `begins` with them or began earlier. */
  tookBody({ inside, begins, bytes }: { inside: boolean; begins: boolean; bytes: number }): void {
    const { bodyMs: idleMs } = this.#limits;
    if (!inside) this.#pace = undefined;
    else if (this.#pace === undefined || begins) {
      this.#begin(new Pace({ idleMs, graceMs: BODY_PATIENCE * idleMs, what: "a body" }));
    } else this.#pace.took(bytes);
  }

  /** Bytes of HTTP/2 came. */
  tookFrames(bytes: Uint8Array): void {
    this.#frames ??= new FrameGauge();
    const ended = this.#frames.push(bytes);
    if (!this.#frames.inside) this.#pace = undefined;
    else if (this.#pace === undefined || ended) {
      this.#begin(new Pace({ idleMs: this.#limits.headMs, what: "a frame" }));
    } else this.#pace.took(bytes.length);
  }

  #begin(pace: Pace): void {
    this.#pace = pace;
    pace.begin();
  }
}
