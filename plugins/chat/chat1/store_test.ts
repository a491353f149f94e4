import { assert, assertEquals, assertMatch } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { Store } from "./store.ts";

Deno.test("a ts is Unix seconds with six digits after the dot", () => {
  const stamps = new Store();
  assertEquals(stamps.nextTs(1_503_435_956_007), "1503435956.007000");
  assertEquals(stamps.nextTs(1_503_435_956_007), "1503435956.007001");
  assertEquals(stamps.nextTs(1_503_435_957_000), "1503435957.000000");
});

Deno.test("ts values increase strictly, even if the clock stops or steps back", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1e12, max: 2e12 }), { minLength: 2 }), (clock) => {
      const stamps = new Store();
      let last = "";
      for (const nowMs of clock) {
        const ts = stamps.nextTs(nowMs);
        assertMatch(ts, /^\d{10}\.\d{6}$/);
        assert(ts > last, `${ts} after ${last}`);
        last = ts;
      }
    }),
    fuzzed(),
  );
});
