import { assertEquals } from "@std/assert";
import { jumpingClock } from "../tests/support/jumping_clock.ts";
import { inSlices, SharedSlice, TimeSlice } from "./time_slice.ts";

Deno.test("work uses a slice up, a long wait begins a new one", () => {
  using clock = jumpingClock();
  const slice = new TimeSlice();
  assertEquals(slice.over, false);
  clock.jump(20);
  assertEquals(slice.over, true);
  const askedMs = performance.now();
  slice.waited(askedMs);
  assertEquals(slice.over, true, "no time has passed since then");
  clock.jump(3_600_000);
  slice.waited(askedMs);
  assertEquals(slice.over, false);
});

Deno.test("the pause after long work grows with it, up to a quarter of a second", async () => {
  using clock = jumpingClock();
  const slice = new TimeSlice();
  for (const tookMs of [20, 80, 3_600_000]) {
    clock.jump(tookMs);
    await slice.yieldToEventLoop();
  }
  assertEquals(clock.pausesMs.map(Math.round), [0, 10, 250]);
});

Deno.test("a step that waits for long is followed by no pause", async () => {
  using clock = jumpingClock();
  function* steps(): Generator<Promise<void> | undefined, string> {
    yield Promise.resolve().then(() => clock.jump(3_600_000));
    yield undefined;
    return "done";
  }
  assertEquals(await inSlices(steps()), "done");
  assertEquals(clock.pausesMs, []);
});

Deno.test("short work of many shares one slice between two turns of the event loop", async () => {
  using clock = jumpingClock();
  function* work(): Generator<undefined, void> {
    clock.jump(6);
    yield;
  }
  const shared = new SharedSlice();
  await Promise.all(Array.from({ length: 5 }, () => shared.run(work())));
  assertEquals(clock.pausesMs.length, 3, "two of them run at once");
});
