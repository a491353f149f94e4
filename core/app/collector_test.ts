import { assertEquals } from "@std/assert";
import { Collector, type Platform } from "./collector.ts";

const MB = 1_000_000;

/** A platform with a heap and process of given sizes, which records the calls it receives. */
function fake(): {
  ms: number;
  inUse: number;
  buffers: number;
  resident: number;
  busyMs: number;
  done: string[];
  platform: Platform;
} {
  const state = {
    ms: 1,
    inUse: 30 * MB,
    buffers: 0,
    resident: 100 * MB,
    busyMs: 0,
    done: [] as string[],
    platform: {
      inUse: () => state.inUse,
      buffers: () => state.buffers,
      resident: () => state.resident,
      busyMs: () => state.busyMs,
      collect: () => {
        state.done.push("collect");
        state.inUse = 30 * MB;
      },
      trim: () => void state.done.push("trim"),
    },
  };
  return state;
}

/** The budget of a program that has moved this many bytes. */
function moved(movedBytes: number): { movedBytes: number; freed: number; freeSpare(): void } {
  return {
    movedBytes,
    freed: 0,
    freeSpare() {
      this.freed++;
    },
  };
}

/** Checks for six seconds without traffic. */
function rest(collector: Collector, movedBytes: number): void {
  for (let i = 0; i < 3; i++) collector.look(moved(movedBytes));
}

async function opened(state: { ms: number; platform: Platform }): Promise<Collector> {
  const collector = new Collector(() => Promise.resolve(state.platform), () => state.ms);
  // Begins to load.
  collector.hasRoom(0, 0);
  await Promise.resolve();
  return collector;
}

Deno.test("an idle program collects once after heavy traffic, and returns free memory", async () => {
  const state = fake();
  const collector = await opened(state);
  collector.look(moved(50 * MB));
  for (let i = 0; i < 2; i++) collector.look(moved(50 * MB));
  assertEquals(state.done, []);
  state.resident = 600 * MB;
  collector.look(moved(50 * MB));
  assertEquals(state.done, ["collect", "trim"]);
  rest(collector, 50 * MB);
  rest(collector, 51 * MB);
  assertEquals(state.done, ["collect", "trim"]);
});

Deno.test("a program that uses the processor is not idle, even if it moves nothing", async () => {
  const state = fake();
  const collector = await opened(state);
  const budget = moved(0);
  collector.look(budget);
  state.resident = 600 * MB;
  for (let i = 0; i < 10; i++) {
    state.busyMs += 200;
    collector.look(budget);
  }
  assertEquals([state.done, budget.freed], [[], 0]);
  for (let i = 0; i < 10; i++) {
    state.busyMs += 50;
    collector.look(budget);
  }
  assertEquals(state.done, ["collect", "trim"]);
});

Deno.test("a program frees unused memory after three checks without traffic", async () => {
  const collector = await opened(fake());
  const budget = moved(0);
  const looks = (movedBytes: number, count: number): number[] =>
    Array.from({ length: count }, () => {
      budget.movedBytes = movedBytes;
      collector.look(budget);
      return budget.freed;
    });
  assertEquals(looks(0, 2), [0, 0]);
  assertEquals(looks(50 * MB, 5), [0, 0, 0, 1, 2]);
});

Deno.test("unused memory is freed before garbage is collected, and does not count as traffic", async () => {
  const state = fake();
  const collector = await opened(state);
  const budget = {
    movedBytes: 50 * MB,
    freeSpare() {
      state.done.push("free");
      if (this.movedBytes === 50 * MB) this.movedBytes += 20 * MB;
    },
  };
  for (let i = 0; i < 5; i++) collector.look(budget);
  assertEquals(state.done, ["free", "collect", "free"]);
});

Deno.test("too little free memory is not returned", async () => {
  const state = fake();
  const collector = await opened(state);
  collector.look(moved(50 * MB));
  rest(collector, 50 * MB);
  assertEquals(state.done, ["collect"]);
});

Deno.test("a large heap is not collected for little garbage", async () => {
  const state = fake();
  state.inUse = 800 * MB;
  const collector = await opened(state);
  collector.look(moved(50 * MB));
  rest(collector, 50 * MB);
  assertEquals(state.done, []);
  collector.look(moved(150 * MB));
  rest(collector, 150 * MB);
  assertEquals(state.done, ["collect"]);
});

Deno.test("uncounted growth of the heap is collected, too", async () => {
  const state = fake();
  const collector = await opened(state);
  state.inUse = 35 * MB;
  rest(collector, 0);
  assertEquals(state.done, []);
  state.inUse = 50 * MB;
  rest(collector, 0);
  rest(collector, 0);
  assertEquals(state.done, ["collect"]);
});

Deno.test("uncounted growth of the process is collected, too", async () => {
  const state = fake();
  const collector = await opened(state);
  rest(collector, 0);
  state.resident = 105 * MB;
  collector.look(moved(0));
  assertEquals(state.done, []);
  state.resident = 150 * MB;
  collector.look(moved(0));
  collector.look(moved(0));
  assertEquals(state.done, ["collect", "trim"]);
});

Deno.test("memory over the limit is collected without a request for room, but not repeatedly when that frees nothing", async () => {
  const state = fake();
  const collector = await opened(state);
  state.inUse = 105 * MB;
  collector.guard(100 * MB);
  assertEquals(state.done, []);
  state.inUse = 200 * MB;
  state.platform.collect = () => void state.done.push("collect");
  collector.guard(100 * MB);
  state.ms += 1000;
  state.inUse += MB;
  collector.guard(100 * MB);
  assertEquals(state.done, ["collect"]);
  state.inUse += 10 * MB;
  collector.guard(100 * MB);
  assertEquals(state.done, ["collect", "collect"]);
});

Deno.test("garbage is collected before there is no room, but stored data not again and again", async () => {
  const state = fake();
  const collector = await opened(state);
  state.inUse = 115 * MB;
  assertEquals(collector.hasRoom(MB, 100 * MB), true);
  assertEquals(state.done, ["collect"]);
  state.platform.collect = () => void state.done.push("collect");
  state.inUse = 115 * MB;
  state.ms += 1000;
  assertEquals(collector.hasRoom(MB, 100 * MB), true);
  assertEquals(state.done, ["collect", "collect"]);
  state.ms += 1000;
  state.inUse += 2 * MB;
  assertEquals(collector.hasRoom(MB, 100 * MB), true);
  assertEquals(state.done, ["collect", "collect"]);
});

Deno.test("a process far beyond its limit has no room for five seconds, and then nothing helps", async () => {
  const state = fake();
  const collector = await opened(state);
  state.resident = 230 * MB;
  for (; state.ms < 5000; state.ms += 50) {
    assertEquals(collector.hasRoom(MB, 100 * MB), false, `${state.ms}`);
  }
  state.ms += 1000;
  assertEquals(collector.hasRoom(MB, 100 * MB), false, "its memory is returned once more");
  state.ms += 1000;
  assertEquals(collector.hasRoom(MB, 100 * MB), true);
  state.resident = 170 * MB;
  assertEquals(collector.hasRoom(MB, 100 * MB), true);
  state.resident = 230 * MB;
  state.ms += 1000;
  assertEquals(collector.hasRoom(MB, 100 * MB), false);
});

Deno.test("much memory that was released at once is collected whatever else happens, little is not", async () => {
  const state = fake();
  const collector = await opened(state);
  collector.release(5 * MB);
  collector.look(moved(500 * MB));
  assertEquals(state.done, []);
  collector.release(5 * MB);
  collector.look(moved(900 * MB));
  collector.look(moved(1300 * MB));
  assertEquals(state.done, ["collect"]);
});

Deno.test("buffers that are reserved and not filled yet count as much as those that exist", async () => {
  const state = fake();
  const collector = await opened(state);
  assertEquals(collector.hasRoom(MB, 100 * MB, 80 * MB), true);
  assertEquals(collector.hasRoom(MB, 100 * MB, 90 * MB), false);
  state.buffers = 20 * MB;
  state.ms += 1000;
  assertEquals(collector.hasRoom(MB, 100 * MB, 90 * MB), true);
});

Deno.test("garbage is collected before a request for room fails, with pauses in between", async () => {
  const state = fake();
  const collector = await opened(state);
  assertEquals(collector.hasRoom(50 * MB, 100 * MB), true);
  assertEquals(state.done, []);
  state.inUse = 200 * MB;
  assertEquals(collector.hasRoom(50 * MB, 100 * MB), true);
  assertEquals(state.done, ["collect"]);
  state.inUse = 200 * MB;
  assertEquals(collector.hasRoom(50 * MB, 100 * MB), false);
  assertEquals(state.done, ["collect"]);
});

Deno.test("requests for room are refused briefly while an oversized process returns memory", async () => {
  const state = fake();
  const collector = await opened(state);
  state.resident = 300 * MB;
  assertEquals(collector.hasRoom(MB, 100 * MB), false);
  assertEquals(collector.hasRoom(MB, 100 * MB), false);
  assertEquals(state.done, ["collect", "trim"]);
  state.resident = 150 * MB;
  assertEquals(collector.hasRoom(MB, 100 * MB), true);
  state.resident = 300 * MB;
  state.ms = 1000;
  assertEquals(collector.hasRoom(MB, 100 * MB), false);
  assertEquals(state.done, ["collect", "trim", "collect", "trim"]);
});

Deno.test("a process without memory to return is not asked again until it grows", async () => {
  const state = fake();
  const collector = await opened(state);
  state.resident = 180 * MB;
  assertEquals(collector.hasRoom(MB, 100 * MB), false);
  state.ms = 1000;
  assertEquals(collector.hasRoom(MB, 100 * MB), true);
  state.resident = 190 * MB;
  assertEquals(collector.hasRoom(MB, 100 * MB), true);
  state.resident = 210 * MB;
  assertEquals(collector.hasRoom(MB, 100 * MB), false);
  assertEquals(state.done, ["collect", "trim", "collect", "trim"]);
});

Deno.test("without access to the garbage collector nothing is refused", async () => {
  const collector = new Collector(() => Promise.resolve(undefined));
  assertEquals(collector.hasRoom(50 * MB, 0), true);
  await Promise.resolve();
  collector.release(50 * MB);
  collector.look(moved(500 * MB));
  assertEquals(collector.hasRoom(50 * MB, 0), true);
});
