import { Pace } from "../../../net/pace.ts";
import { type Frame, FrameGauge } from "./frames.ts";

/** Minimum pace at which an HTTP/2 client must complete a frame. */
export class FramePace {
  readonly #idleMs: number;
  readonly #frames: FrameGauge;
  #pace: Pace | undefined;

  /** `idleMs` limits the time of a frame, and extends as it arrives (see `Pace`). Calls `onFrame` for each frame. */
  constructor(idleMs: number, onFrame: (frame: Frame) => void) {
    this.#idleMs = idleMs;
    this.#frames = new FrameGauge({ onFrame });
  }

  /** Returns whether a frame takes too long. */
  get over(): boolean {
    return this.#pace?.over === true;
  }

  /** Excludes time that the client is not responsible for. */
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
