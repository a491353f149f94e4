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
const BASE_BYTES = 20_000_000;
/** What the process takes besides what is in use: the program, and what the platform needs itself. */
const PROGRAM_BYTES = 75_000_000;
/** Free memory that is worth giving back. */
const TRIM_BYTES = 20_000_000;
/** How long that may take, in milliseconds, during which there is no room. */
const TRIM_MS = 100;
/** How often it is looked whether the program rests, in milliseconds. */
const LOOK_MS = 2000;
/** How often it is looked whether more is in use than may be, in milliseconds: not all that takes memory asks for it. */
const GUARD_MS = 250;
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
  readonly #now: () => number;
  #platform: Platform | undefined;
  #loading: Promise<void> | undefined;
  #timers: readonly ReturnType<typeof setInterval>[] = [];
  /** When it may be collected again for want of room. */
  #nextMs = 0;
  /** Until when free memory is being given back. */
  #trimEndMs = -Infinity;
  /** What the process takes at most until it is worth giving back more: the last time gave too little. */
  #toleratedBytes = 0;
  #trimming = false;
  #inUseAtCollection = 0;
  #movedAtCollection = 0;
  /** The least since the last collection. What nobody counts shows by it: answers, and what it takes to make them. */
  #leastResident = Infinity;
  #movedAtLook = 0;
  #released = false;

  /** `load` is called once there is something to collect: a program that starts has no need of it. */
  constructor(
    load: () => Promise<Platform | undefined> = loadPlatform,
    /** Moments in milliseconds; a test passes its own. */
    now = () => performance.now(),
  ) {
    this.#load = load;
    this.#now = now;
  }

  hasRoom(bytes: number, limitBytes: number): boolean {
    const platform = this.#platform;
    if (platform === undefined) {
      this.#open();
      return true;
    }
    const limit = limitBytes + BASE_BYTES - bytes;
    if (platform.inUse() > limit && !(this.#mayCollect(platform) && platform.inUse() <= limit)) {
      return false;
    }
    return this.#isSmall(platform, limitBytes + BASE_BYTES + PROGRAM_BYTES + TRIM_BYTES);
  }

  /** Looks every now and then whether the program rests, or grows, until it is stopped. */
  watch(budget: Pick<MemoryBudget, "movedBytes" | "limitBytes">): void {
    this.#timers = [
      setInterval(() => this.look(budget.movedBytes), LOOK_MS),
      setInterval(() => this.guard(budget.limitBytes), GUARD_MS),
    ];
    for (const timer of this.#timers) Deno.unrefTimer(timer);
  }

  /** Much was let go of: it is collected with the next look, whatever else goes on. */
  release(): void {
    this.#released = true;
    if (this.#platform === undefined) this.#open();
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Collects when it is worth it; so many bytes moved since the start. */
  look(movedBytes: number): void {
    const rests = movedBytes - this.#movedAtLook < RESTING_BYTES;
    this.#movedAtLook = movedBytes;
    const platform = this.#platform;
    const fresh = Math.max(movedBytes - this.#movedAtCollection, this.#grownBytes());
    if (!this.#released && (!rests || fresh < WORTH_BYTES)) return;
    if (platform === undefined) return this.#open();
    if (!this.#released && fresh < platform.inUse() * WORTH_SHARE) return;
    this.#released = false;
    this.#movedAtCollection = movedBytes;
    this.#collect(platform);
    this.#leastResident = platform.resident();
    const free = this.#leastResident - platform.inUse() - PROGRAM_BYTES;
    if (free > TRIM_BYTES) platform.trim();
  }

  /** Makes room once more is in use than may be, unless it was so after the last collection already. */
  guard(limitBytes: number): void {
    const platform = this.#platform;
    if (platform === undefined || platform.inUse() < this.#inUseAtCollection + WORTH_BYTES) return;
    this.hasRoom(0, limitBytes);
  }

  #grownBytes(): number {
    if (this.#platform === undefined) return 0;
    const resident = this.#platform.resident();
    this.#leastResident = Math.min(this.#leastResident, resident);
    return resident - this.#leastResident;
  }

  /** Collects unless it has just been done. */
  #mayCollect(platform: Platform): boolean {
    if (this.#now() < this.#nextMs) return false;
    this.#collect(platform);
    return true;
  }

  /** Whether the process takes no more than so much. Where it does, free memory is given back, once that is of use. */
  #isSmall(platform: Platform, mostBytes: number): boolean {
    const resident = platform.resident();
    if (resident <= mostBytes) {
      this.#trimming = false;
      this.#toleratedBytes = 0;
      return true;
    }
    if (this.#now() < this.#trimEndMs) return false;
    if (this.#trimming) this.#toleratedBytes = resident + TRIM_BYTES;
    this.#trimming = resident > this.#toleratedBytes;
    if (!this.#trimming) return true;
    this.#mayCollect(platform);
    platform.trim();
    this.#trimEndMs = this.#now() + TRIM_MS;
    return false;
  }

  #collect(platform: Platform): void {
    const beganMs = this.#now();
    platform.collect();
    this.#inUseAtCollection = platform.inUse();
    const endMs = this.#now();
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
