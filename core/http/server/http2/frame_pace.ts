import { Pace } from "../../../net/pace.ts";
import { type Frame, FrameGauge } from "./frames.ts";

/** How fast a client of HTTP/2 sends what it has begun. */
export class FramePace {
  readonly #idleMs: number;
  readonly #frames: FrameGauge;
  #pace: Pace | undefined;

  /** `idleMs`: how long a frame may take, and longer for what comes of it (see `Pace`). `onFrame` hears of each frame. */
  constructor(idleMs: number, onFrame: (frame: Frame) => void) {
    this.#idleMs = idleMs;
    this.#frames = new FrameGauge({ onFrame });
  }

  /** Whether it takes too long over it. */
  get over(): boolean {
    return this.#pace?.over === true;
  }

  /** Time went by that was not the client's. */
  excuse(ms: number): void {
    this.#pace?.excuse(ms);
  }

  /** Bytes came. */
  took(bytes: Uint8Array): void {
    const ended = this.#frames.push(bytes);
    if (!this.#frames.inside) this.#pace = undefined;
    else if (this.#pace === undefined || ended) {
      this.#pace = new Pace({ idleMs: this.#idleMs, what: "a frame" });
      this.#pace.begin();
    } else this.#pace.took(bytes.length);
  }
}
