import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { Unsettled } from "./unsettled.ts";

Deno.test("an event is unsettled until the log has its batch", async () => {
  const unsettled = new Unsettled(() => {});
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const [a, b, c, other] = Array.from({ length: 4 }, () => ({ blobs: [] }));
  unsettled.add(a!, first.promise);
  unsettled.add(b!, first.promise);
  unsettled.add(c!, second.promise);
  assertStrictEquals(unsettled.get(a!), first.promise);
  assertStrictEquals(unsettled.get(b!), first.promise);
  assertStrictEquals(unsettled.get(c!), second.promise);
  assertEquals(unsettled.get(other!), undefined);
  second.resolve();
  await second.promise;
  assertEquals(unsettled.get(c!), undefined);
  assertStrictEquals(unsettled.get(a!), first.promise);
  first.resolve();
  await first.promise;
  assertEquals([unsettled.get(a!), unsettled.get(b!)], [undefined, undefined]);
});

Deno.test("every event of a refused batch is reported, and its promise stays rejected", async () => {
  const refused: (readonly string[])[] = [];
  const unsettled = new Unsettled(({ blobs }) => refused.push(blobs));
  const { promise, reject } = Promise.withResolvers<void>();
  const [a, b] = [{ blobs: ["a"] }, { blobs: ["b", "c"] }];
  unsettled.add(a, promise);
  unsettled.add(b, promise);
  reject(new Error("the disk is full"));
  for (const event of [a, b]) await assertRejects(() => unsettled.get(event)!, Error, "full");
  assertEquals(refused, [["a"], ["b", "c"]]);
  await assertRejects(() => unsettled.get(a)!, Error, "full");
});
