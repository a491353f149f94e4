import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { Shared } from "./shared.ts";

Deno.test("concurrent callers share one value while it is in use", async () => {
  const shared = new Shared<{ readonly at: number }>();
  const owner = {};
  let count = 0;
  const make = () => Promise.resolve({ at: count++ });
  const [a, b] = await Promise.all([shared.get(owner, "x", make), shared.get(owner, "x", make)]);
  assertStrictEquals(a, b);
  assertStrictEquals(await shared.get(owner, "x", make), a);
  assertEquals(await shared.get(owner, "y", make), { at: 1 });
  assertEquals(await shared.get({}, "x", make), { at: 2 });
  assertEquals(count, 3);
});

Deno.test("a failed attempt is retried", async () => {
  const shared = new Shared<{ readonly at: number }>();
  const owner = {};
  const fail = () => Promise.reject(new Error("no"));
  await assertRejects(() => shared.get(owner, "x", fail), Error, "no");
  assertEquals(await shared.get(owner, "x", () => ({ at: 1 })), { at: 1 });
});
