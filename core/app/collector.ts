/**
 * Memory as the platform counts it, and how what nobody holds any more is given back. Left alone, V8 collects when more
 * is asked for, and the allocator keeps what was freed: a program that rests after a flood would keep all of it.
 *
 * @module
 */
import type { Gauge, MemoryBudget } from "../memory/budget.ts";

/** What of the platform is needed, in bytes. */
export interface Platform {
  /** What the heap takes, and buffers outside of it. */
  inUse(): number;
  /** What the whole process takes. */
  resident(): number;
  /** Frees what nobody holds, at once. */
  collect(): void;
  /** Gives the system back what is free, a little later. */
  trim(): void;
}

/** What is in use where nothing is held. */
const BASE_BYTES = 30_000_000;
/** What the process takes besides what is in use: the program, and what the platform needs itself. */
const PROGRAM_BYTES = 75_000_000;
/** Free memory that is worth giving back. */
const TRIM_BYTES = 20_000_000;
/** How often it is looked whether the program rests, in milliseconds. */
const LOOK_MS = 2000;
/** Bytes moved from one look to the next with which a program still rests. */
const RESTING_BYTES = 1_000_000;
/** Bytes moved since the last collection that are worth another. */
const WORTH_BYTES = 8_000_000;
/** The same, as a part of what is in use: a large heap takes long to look through. */
const WORTH_SHARE = 1 / 8;
/** Pause after a collection for want of room, as a multiple of what it took, and in milliseconds at least. */
const PAUSE_FACTOR = 4;
const PAUSE_MS = 200;

/** Collects where room is needed, and once the program rests. */
export class Collector implements Gauge {
  readonly #load: () => Promise<Platform | undefined>;
  #platform: Platform | undefined;
  #loading: Promise<void> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** When it may be collected again for want of room. */
  #nextMs = 0;
  #movedAtCollection = 0;
  #movedAtLook = 0;
  #released = false;

  /** `load` is called once there is something to collect: a program that starts has no need of it. */
  constructor(load: () => Promise<Platform | undefined> = loadPlatform) {
    this.#load = load;
  }

  hasRoom(bytes: number, limitBytes: number): boolean {
    const platform = this.#platform;
    if (platform === undefined) {
      this.#open();
      return true;
    }
    const limit = limitBytes + BASE_BYTES - bytes;
    if (platform.inUse() <= limit) return true;
    if (performance.now() < this.#nextMs) return false;
    this.#collect(platform);
    return platform.inUse() <= limit;
  }

  /** Looks every now and then whether the program rests, until it is stopped. */
  watch(budget: Pick<MemoryBudget, "movedBytes">): void {
    this.#timer = setInterval(() => this.look(budget.movedBytes), LOOK_MS);
    Deno.unrefTimer(this.#timer);
  }

  /** Much was let go of: it is collected with the next look, whatever else goes on. */
  release(): void {
    this.#released = true;
    if (this.#platform === undefined) this.#open();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Collects when it is worth it; so many bytes moved since the start. */
  look(movedBytes: number): void {
    const rests = movedBytes - this.#movedAtLook < RESTING_BYTES;
    this.#movedAtLook = movedBytes;
    const fresh = movedBytes - this.#movedAtCollection;
    if (!this.#released && (!rests || fresh < WORTH_BYTES)) return;
    const platform = this.#platform;
    if (platform === undefined) return this.#open();
    if (!this.#released && fresh < platform.inUse() * WORTH_SHARE) return;
    this.#released = false;
    this.#movedAtCollection = movedBytes;
    this.#collect(platform);
    const free = platform.resident() - platform.inUse() - PROGRAM_BYTES;
    if (free > TRIM_BYTES) platform.trim();
  }

  #collect(platform: Platform): void {
    const beganMs = performance.now();
    platform.collect();
    const endMs = performance.now();
    this.#nextMs = endMs + Math.max(PAUSE_MS, (endMs - beganMs) * PAUSE_FACTOR);
  }

  #open(): void {
    this.#loading ??= this.#load().then((platform) => {
      this.#platform = platform;
    });
  }
}

/** What V8 and Deno let be done; nothing where they do not. */
async function loadPlatform(): Promise<Platform | undefined> {
  const [{ getHeapStatistics, setFlagsFromString }, { runInNewContext }] = await Promise.all([
    import("node:v8"),
    import("node:vm"),
  ]);
  setFlagsFromString("--expose-gc");
  // The flag is for contexts made from here on: a new one names the function, which collects for all.
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") return undefined;
  return {
    inUse() {
      const { total_heap_size: heap, external_memory: external } = getHeapStatistics();
      return heap + external;
    },
    resident: () => Deno.memoryUsage().rss,
    collect: () => void collect(),
    trim,
  };
}

/**
 * glibc keeps what was freed until it is told otherwise by `malloc_trim`. Deno tells it when a worker ends
 * (https://github.com/denoland/deno/pull/32617), so that one is begun for nothing else. Elsewhere it changes nothing.
 */
function trim(): void {
  const url = "data:text/javascript,self.close()";
  new Worker(url, { type: "module" }).addEventListener("error", (event) => event.preventDefault());
}
