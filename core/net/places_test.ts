import { assertEquals, assertInstanceOf } from "@std/assert";
import { Places } from "./places.ts";
import { DisplacedError } from "./transport.ts";

Deno.test("the oldest client without a login loses its slot after a grace period", () => {
  let ms = 0;
  const places = new Places<string>({ loginMs: 2000, now: () => ms });
  const taken = ["a", "b", "c"].map((key, i) => {
    ms = i * 1000;
    return places.take(key);
  });
  taken[0]!.keep();
  assertEquals(places.takeAway(), undefined);
  ms = 3000;
  assertEquals([places.takeAway(), places.takeAway()], ["b", undefined]);
  assertInstanceOf(taken[1]!.lost.reason, DisplacedError);
  assertEquals(taken.map(({ lost }) => lost.aborted), [false, true, false]);
  assertEquals(places.losing, 1);
  places.leave("b");
  assertEquals(places.losing, 0);
  places.leave("c");
  ms = 10_000;
  assertEquals(places.takeAway(), undefined);
});
