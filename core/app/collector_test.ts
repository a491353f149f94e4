import { assertEquals } from "@std/assert";
import { Collector, type Platform } from "./collector.ts";

const MB = 1_000_000;

/** A platform whose heap and process are as large as is said, and that notes what it is told to do. */
function fake(): { inUse: number; resident: number; done: string[]; platform: Platform } {
  const state = {
    inUse: 30 * MB,
    resident: 100 * MB,
    done: [] as string[],
    platform: {
      inUse: () => state.inUse,
      resident: () => state.resident,
      collect: () => {
        state.done.push("collect");
        state.inUse = 30 * MB;
      },
      trim: () => void state.done.push("trim"),
    },
  };
  return state;
}

async function opened(state: { platform: Platform }): Promise<Collector> {
  const collector = new Collector(() => Promise.resolve(state.platform));
  // Begins to load.
  collector.hasRoom(0, 0);
  await Promise.resolve();
  return collector;
}

Deno.test("a program that rests after much moved collects once, and gives back what is free", async () => {
  const state = fake();
  const collector = await opened(state);
  collector.look(50 * MB);
  assertEquals(state.done, []);
  state.resident = 600 * MB;
  collector.look(50 * MB);
  assertEquals(state.done, ["collect", "trim"]);
  collector.look(50 * MB);
  collector.look(51 * MB);
  assertEquals(state.done, ["collect", "trim"]);
});

Deno.test("what is not worth giving back stays", async () => {
  const state = fake();
  const collector = await opened(state);
  collector.look(50 * MB);
  collector.look(50 * MB);
  assertEquals(state.done, ["collect"]);
});

Deno.test("a large heap is not looked through for little", async () => {
  const state = fake();
  const collector = await opened(state);
  state.inUse = 800 * MB;
  collector.look(50 * MB);
  collector.look(50 * MB);
  assertEquals(state.done, []);
  collector.look(150 * MB);
  collector.look(150 * MB);
  assertEquals(state.done, ["collect"]);
});

Deno.test("what was let go of is collected whatever else goes on", async () => {
  const state = fake();
  const collector = await opened(state);
  collector.release();
  collector.look(500 * MB);
  collector.look(900 * MB);
  assertEquals(state.done, ["collect"]);
});

Deno.test("garbage is collected before somebody finds no room, with a pause between", async () => {
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

Deno.test("a platform that lets nothing be done refuses nothing", async () => {
  const collector = new Collector(() => Promise.resolve(undefined));
  assertEquals(collector.hasRoom(50 * MB, 0), true);
  await Promise.resolve();
  collector.release();
  collector.look(500 * MB);
  assertEquals(collector.hasRoom(50 * MB, 0), true);
});
