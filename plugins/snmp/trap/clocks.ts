/**
 * The clocks of the engines that send traps: receivers drop a trap that is older than others of its engine, because it
 * may be a replay of one that somebody recorded (RFC 3414 sections 2.2.3 and 3.2).
 *
 * @module
 */
import type { Security } from "./codec/message_v3.ts";

/** Tolerance of the time of a message, in seconds. */
export const WINDOW_SECONDS = 150;
/** Maximum value of boots: an engine that has reached it is no longer trusted. */
const LAST_BOOTS = 0x7fff_ffff;
/** Maximum number of engines whose clocks are kept; only authenticated senders have one. */
const MAX_ENGINES = 1000;

interface Clock {
  readonly boots: number;
  /** The latest time received, and when. */
  readonly time: number;
  readonly atMs: number;
}

/** By engine. */
export class SenderClocks {
  readonly #now: () => Date;
  readonly #clocks = new Map<string, Clock>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Takes the clock of an authenticated message, or returns why receivers would drop it. */
  take(
    { engineId, boots, time }: Pick<Security, "engineId" | "boots" | "time">,
  ): string | undefined {
    if (boots >= LAST_BOOTS) return "its engine has counted as many starts as it can";
    const engine = engineId.toHex();
    const atMs = this.#now().getTime();
    const known = this.#clocks.get(engine);
    if (known === undefined || boots > known.boots || boots === known.boots && time > known.time) {
      this.#keep(engine, { boots, time, atMs });
      return undefined;
    }
    const { boots: last } = known;
    if (boots < last) {
      return `it is of start ${boots} of its engine, after messages of start ${last}`;
    }
    const expected = known.time + Math.floor((atMs - known.atMs) / 1000);
    if (time >= expected - WINDOW_SECONDS) return undefined;
    return `it is ${expected - time} seconds old, at most ${WINDOW_SECONDS} are allowed ` +
      "(an engine that starts again must count its boots up)";
  }

  #keep(engine: string, clock: Clock): void {
    this.#clocks.delete(engine);
    this.#clocks.set(engine, clock);
    const [oldest] = this.#clocks.keys();
    if (this.#clocks.size > MAX_ENGINES) this.#clocks.delete(oldest!);
  }
}
