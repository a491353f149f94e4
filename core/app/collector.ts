/**
 * Measures memory as the platform does, and returns unused memory. By itself V8 collects only when more is requested, and
 * the allocator keeps freed memory: an idle program would keep all memory of a flood.
 *
 * @module
 */
import type { Gauge, MemoryBudget } from "../memory/budget.ts";

/** Memory functions of the platform, in bytes. */
export interface Platform {
  /** Heap, and buffers outside of it. */
  inUse(): number;
  /** Those buffers alone. */
  buffers(): number;
  /** Memory of the whole process. */
  resident(): number;
  /** Processor time of the whole process since its start, in milliseconds. */
  busyMs(): number;
  /** Collects garbage at once. */
  collect(): void;
  /** Returns free memory to the system, a little later. */
  trim(): void;
}

/** Memory in use by an empty program. */
const BASE_BYTES = 20_000_000;
/** Memory of the process besides that: the program and the platform. */
const PROGRAM_BYTES = 75_000_000;
/** Minimum milliseconds between two readings of the process size: each takes as long as a 100 KB response. */
const READ_MS = 2;
/** Free memory worth returning. */
const TRIM_BYTES = 20_000_000;
/** Maximum time to return it to the system, in milliseconds; meanwhile there is no room. */
const TRIM_MS = 100;
/** Size beyond that of a full program at which there is no room at all, and for how long at most, in milliseconds. */
const WALL_BYTES = 30_000_000;
const WALL_MS = 5000;
/** Interval of checks whether the program is idle, in milliseconds. */
const LOOK_MS = 2000;
/**
 * Checks in a row at which it was idle, after which the stores free their unused memory, and garbage is collected. A
 * collection also drops the code that V8 has optimized, which would slow down a program that only pauses.
 */
const RESTS = 3;
/**
 * Intervals of checks whether too much is in use, in milliseconds, because not everything that takes memory reserves
 * it. The second applies while more than half of the limit is in use: a flood can create 400 MB of garbage a second.
 */
const GUARD_MS = 250;
const CLOSE_GUARD_MS = 50;
/** Bytes moved, and processor time in milliseconds, between two checks at which a program still counts as idle. */
const [RESTING_BYTES, RESTING_MS] = [1_000_000, LOOK_MS / 20];
/** Bytes moved since the last collection that make another worthwhile. */
const WORTH_BYTES = 8_000_000;
/** Fraction of the memory in use that must have moved too: a large heap is slow to collect. */
const WORTH_SHARE = 1 / 8;
/** The part of the limit from which garbage is collected before there is no room: more of it comes meanwhile. */
const SPARE_SHARE = 1 / 8;
/** Pause after a collection: a multiple of its duration, and a minimum in milliseconds. */
interface Pause {
  readonly factor: number;
  readonly leastMs: number;
}

/** For lack of room. */
const USUAL_PAUSE: Pause = { factor: 4, leastMs: 200 };
/** After one that freed little, until more is in use. */
const VAIN_PAUSE: Pause = { factor: 4, leastMs: 1000 };
/** While the process is too large: a flood creates 100 MB of garbage in the usual one. */
const URGENT_PAUSE: Pause = { factor: 1, leastMs: 50 };

/** Collects garbage when room is needed, and when the program is idle. */
export class Collector implements Gauge {
  readonly #load: () => Promise<Platform | undefined>;
  readonly #now: () => number;
  #platform: Platform | undefined;
  #loading: Promise<void> | undefined;
  #lookTimer: ReturnType<typeof setInterval> | undefined;
  #guardTimer: ReturnType<typeof setTimeout> | undefined;
  /** End and duration of the last collection. */
  #collectedMs = -Infinity;
  #tookMs = 0;
  /** End of the return of free memory. */
  #trimEndMs = -Infinity;
  /** Process size from which another return is worthwhile: the last one returned too little. */
  #toleratedBytes = 0;
  #trimming = false;
  /** Since when it is beyond the wall. */
  #beyondSinceMs: number | undefined;
  /** Bytes in use after it, or when the first one became possible. */
  #inUseAtCollection = 0;
  /** Bytes that it freed. */
  #freedBytes = Infinity;
  #movedAtCollection = 0;
  /** Smallest size since the last collection; growth beyond it reveals uncounted memory, such as responses. */
  #leastResident = Infinity;
  #movedAtLook = 0;
  #busyMsAtLook = 0;
  /** Checks in a row at which it was idle. */
  #rests = 0;
  #releasedBytes = 0;

  /** `load` is called on the first collection: a starting program does not need it. */
  constructor(
    load: () => Promise<Platform | undefined> = loadPlatform,
    /** Clock in milliseconds, for tests. */
    now = () => performance.now(),
  ) {
    this.#load = load;
    this.#now = now;
  }

  hasRoom(bytes: number, limitBytes: number, promisedBytes = 0): boolean {
    const platform = this.#platform;
    if (platform === undefined) {
      this.#open();
      return true;
    }
    const left = () => {
      const inUse = platform.inUse() + missing(platform, promisedBytes);
      return limitBytes + BASE_BYTES - bytes - inUse;
    };
    const fits = () => left() >= 0;
    const mostBytes = limitBytes + PROGRAM_BYTES;
    const pause = platform.resident() > mostBytes ? URGENT_PAUSE : USUAL_PAUSE;
    const spare = limitBytes * SPARE_SHARE;
    if (left() < spare && this.#hasGrown(platform, spare)) this.#mayCollect(platform, pause);
    const isInVain = !this.#hasGrown(platform) && this.#freedBytes < WORTH_BYTES;
    const patience = isInVain ? VAIN_PAUSE : pause;
    if (!fits() && !(this.#mayCollect(platform, patience) && fits())) return false;
    return this.#isSmall(platform, mostBytes);
  }

  /** Checks at intervals whether the program is idle, or grows, until it is stopped. */
  watch(budget: Pick<MemoryBudget, "movedBytes" | "limitBytes" | "freeSpare">): void {
    this.#lookTimer = setInterval(() => this.look(budget), LOOK_MS);
    Deno.unrefTimer(this.#lookTimer);
    const guard = (): void => {
      this.guard(budget.limitBytes);
      const isClose = (this.#platform?.inUse() ?? 0) > budget.limitBytes / 2;
      this.#guardTimer = setTimeout(guard, isClose ? CLOSE_GUARD_MS : GUARD_MS);
      Deno.unrefTimer(this.#guardTimer);
    };
    guard();
  }

  /** Notes that stores have released memory at once: if it is much, the next check collects it in any case. */
  release(bytes: number): void {
    this.#releasedBytes += Math.max(0, bytes);
  }

  stop(): void {
    clearInterval(this.#lookTimer);
    clearTimeout(this.#guardTimer);
  }

  /** Collects if worthwhile. */
  look(budget: Pick<MemoryBudget, "movedBytes" | "freeSpare">): void {
    const platform = this.#platform;
    const busyMs = platform?.busyMs() ?? 0;
    const rests = budget.movedBytes - this.#movedAtLook < RESTING_BYTES &&
      busyMs - this.#busyMsAtLook < RESTING_MS;
    this.#busyMsAtLook = busyMs;
    this.#rests = rests ? this.#rests + 1 : 0;
    const hasRested = this.#rests >= RESTS;
    if (hasRested) budget.freeSpare();
    const { movedBytes } = budget;
    this.#movedAtLook = movedBytes;
    const isReleased = this.#releasedBytes >= WORTH_BYTES;
    const fresh = Math.max(movedBytes - this.#movedAtCollection, this.#grownBytes(platform));
    if (!isReleased && (!hasRested || fresh < WORTH_BYTES)) return;
    if (platform === undefined) return this.#open();
    if (!isReleased && fresh < platform.inUse() * WORTH_SHARE) return;
    this.#releasedBytes = 0;
    this.#movedAtCollection = movedBytes;
    this.#collect(platform);
    this.#leastResident = platform.resident();
    const free = this.#leastResident - platform.inUse() - PROGRAM_BYTES;
    if (free > TRIM_BYTES) platform.trim();
  }

  /** Makes room when too much is in use, unless the last collection could not help. */
  guard(limitBytes: number): void {
    const platform = this.#platform;
    if (platform !== undefined && this.#hasGrown(platform)) this.hasRoom(0, limitBytes);
  }

  /** Returns whether there may be much garbage since the last collection. */
  #hasGrown(platform: Platform, bytes = WORTH_BYTES): boolean {
    return this.#heapGrowth(platform) >= bytes;
  }

  #heapGrowth(platform: Platform): number {
    return platform.inUse() - this.#inUseAtCollection;
  }

  /** Returns the growth since the last collection of the heap or of the process, whichever is more. */
  #grownBytes(platform: Platform | undefined): number {
    if (platform === undefined) return 0;
    const resident = platform.resident();
    this.#leastResident = Math.min(this.#leastResident, resident);
    return Math.max(resident - this.#leastResident, this.#heapGrowth(platform));
  }

  /** Collects unless it has just done so. */
  #mayCollect(platform: Platform, { factor, leastMs }: Pause): boolean {
    const pauseMs = Math.max(leastMs, this.#tookMs * factor);
    if (this.#now() < this.#collectedMs + pauseMs) return false;
    this.#collect(platform);
    return true;
  }

  /** Returns whether the process is within this size. If so, returns free memory when useful. */
  #isSmall(platform: Platform, mostBytes: number): boolean {
    if (platform.resident() > mostBytes && this.#hasGrown(platform)) {
      this.#mayCollect(platform, URGENT_PAUSE);
    }
    const resident = platform.resident();
    if (resident <= mostBytes) {
      this.#trimming = false;
      this.#toleratedBytes = 0;
      this.#beyondSinceMs = undefined;
      return true;
    }
    if (this.#now() < this.#trimEndMs) return false;
    if (this.#isBeyondWall(resident - mostBytes)) {
      this.#mayCollect(platform, URGENT_PAUSE);
      this.#trim(platform);
      return false;
    }
    if (this.#trimming) this.#toleratedBytes = resident + TRIM_BYTES;
    this.#trimming = resident > this.#toleratedBytes;
    if (!this.#trimming) return true;
    this.#mayCollect(platform, URGENT_PAUSE);
    this.#trim(platform);
    return false;
  }

  /** Returns whether the process is larger than ever tolerated, unless it has been for long: then nothing helps. */
  #isBeyondWall(excessBytes: number): boolean {
    if (excessBytes <= WALL_BYTES) {
      this.#beyondSinceMs = undefined;
      return false;
    }
    this.#beyondSinceMs ??= this.#now();
    return this.#now() < this.#beyondSinceMs + WALL_MS;
  }

  #trim(platform: Platform): void {
    platform.trim();
    this.#trimEndMs = this.#now() + TRIM_MS;
  }

  #collect(platform: Platform): void {
    const beganMs = this.#now();
    const before = platform.inUse();
    platform.collect();
    this.#inUseAtCollection = platform.inUse();
    this.#freedBytes = before - this.#inUseAtCollection;
    this.#collectedMs = this.#now();
    this.#tookMs = this.#collectedMs - beganMs;
  }

  #open(): void {
    this.#loading ??= this.#load().then((platform) => {
      this.#platform = platform;
      // What a program has read at its start is no garbage.
      this.#inUseAtCollection = platform?.inUse() ?? 0;
    });
  }
}

/** Returns how many bytes of the promised buffers do not exist yet. */
function missing(platform: Platform, promisedBytes: number): number {
  return Math.max(0, promisedBytes - platform.buffers());
}

/** Memory functions of V8 and Deno; none if they lack them. */
async function loadPlatform(): Promise<Platform | undefined> {
  const [{ getHeapStatistics, setFlagsFromString }, { runInNewContext }, { default: process }] =
    await Promise.all([import("node:v8"), import("node:vm"), import("node:process")]);
  setFlagsFromString("--expose-gc");
  // The flag applies to new contexts: one of them provides the function, which collects for all. In Deno 2.5, whose base
  // runtime the compiled program is tested with, none does.
  const collect: unknown = runInNewContext("globalThis.gc");
  if (typeof collect !== "function") return undefined;
  return {
    inUse() {
      const { total_heap_size: heap, external_memory: external } = getHeapStatistics();
      return heap + external;
    },
    buffers: () => getHeapStatistics().external_memory,
    resident: readAtMost(READ_MS, () => Deno.memoryUsage().rss),
    busyMs() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    collect: () => void collect(),
    trim,
  };
}

/** Returns the last reading for `pauseMs` after it. */
function readAtMost(pauseMs: number, read: () => number): () => number {
  let value = 0;
  let nextMs = -Infinity;
  return () => {
    const nowMs = performance.now();
    if (nowMs >= nextMs) {
      value = read();
      nextMs = nowMs + pauseMs;
    }
    return value;
  };
}

/**
 * glibc keeps freed memory until `malloc_trim`. Deno calls it when a worker ends
 * (https://github.com/denoland/deno/pull/32617), so a worker is started only for that. Elsewhere it has no effect.
 */
function trim(): void {
  const url = "data:text/javascript,self.close()";
  new Worker(url, { type: "module" }).addEventListener("error", (event) => event.preventDefault());
}
