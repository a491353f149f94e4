import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { seededRandom, systemRandom } from "./random.ts";

Deno.test("a seed gives the same UUIDs in every run, another seed others", () => {
  const take = (seed: string) => {
    const random = seededRandom(seed);
    return Array.from({ length: 1000 }, () => random.uuid());
  };
  assertEquals(take("a"), take("a"));
  assertEquals(take("a")[0], "a7ea838e-8881-4b5f-b5e2-05895b2bb20c");
  assertNotEquals(take("a")[0], take("b")[0]);
  assertEquals(new Set([...take("a"), ...take("b")]).size, 2000);
});

Deno.test("both kinds give UUIDs of version 4 and 32 bits", () => {
  for (const random of [seededRandom(""), systemRandom()]) {
    for (let i = 0; i < 100; i++) {
      assertMatch(
        random.uuid(),
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      const bits = random.bits();
      assertEquals(bits, bits >>> 0);
    }
  }
});
