/** Longest work of one conversation at a stretch, in milliseconds. */
const SLICE_MS = 10;

/** Keeps long work in slices, so that one sender of much does not keep all others waiting. */
export class TimeSlice {
  #beganMs = performance.now();

  /** Whether it is the turn of others. */
  get over(): boolean {
    return performance.now() - this.#beganMs >= SLICE_MS;
  }

  /** Lets all others have their turn. By a timer: after an immediate the platform does not look at its sockets. */
  async giveWay(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#beganMs = performance.now();
  }
}
