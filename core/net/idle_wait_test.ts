import { assert, assertEquals, assertGreaterOrEqual, assertRejects } from "@std/assert";
import { IdleWait } from "./idle_wait.ts";
import { IdleError } from "./transport.ts";

/** Settles after a number of milliseconds; `stop` ends it early. */
function later(ms: number): { readonly promise: Promise<void>; stop(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  return { promise, stop: () => clearTimeout(timer) };
}

/** A wait whose error tells how long it took. */
function waits<T>(): IdleWait<T> {
  return new IdleWait((idleMs) => `nothing for ${idleMs} ms`);
}

Deno.test("a wait that settles in time returns its value or error", async () => {
  const wait = waits<number>();
  assertEquals(await wait.within(Promise.resolve(1), 1000), 1);
  await assertRejects(() => wait.within(Promise.reject(new TypeError("own")), 1000), TypeError);
  const waiting = wait.begin(1000);
  assert(wait.resolve(2));
  assertEquals(await waiting, 2);
  wait.stop();
});

Deno.test("a wait that takes too long is rejected, not before its time", async () => {
  const wait = waits<void>();
  // The platform's timer of this earlier wait is still running below.
  await wait.within(Promise.resolve(), 60_000);
  const startMs = performance.now();
  await assertRejects(() => wait.begin(30), IdleError, "nothing for 30 ms");
  assertGreaterOrEqual(performance.now() - startMs, 29);
  wait.stop();
});

Deno.test("each wait has the whole time, however early the timer of the one before fires", async () => {
  const wait = waits<void>();
  await wait.within(Promise.resolve(), 20);
  const second = later(40);
  await wait.within(second.promise, 5000);
  const startMs = performance.now();
  await assertRejects(() => wait.begin(40), IdleError, "nothing for 40 ms");
  assertGreaterOrEqual(performance.now() - startMs, 39);
  wait.stop();
});

Deno.test("activity between waits does not count for the next wait", async () => {
  const wait = waits<number>();
  const late = later(20);
  const slow = late.promise.then(() => 1);
  await assertRejects(() => wait.within(slow, 1), IdleError);
  assertEquals(await wait.within(slow, 5000), 1);
  assertEquals(wait.resolve(2), false);
  assertEquals(wait.reject(new Error("nobody")), false);
  assertEquals(await wait.within(Promise.resolve(3), 5000), 3);
  wait.stop();
});

Deno.test("concurrent waits settle alike, under the limit of the second", async () => {
  const wait = waits<number>();
  const both = [wait.begin(1), wait.begin(5000)];
  wait.resolve(4);
  assertEquals(await Promise.all(both), [4, 4]);
  const [first, second] = [wait.begin(5000), wait.begin(1)];
  await assertRejects(() => second, IdleError);
  assert(wait.reject(new TypeError("gone")));
  await assertRejects(() => first, TypeError);
  wait.stop();
});

Deno.test("after a stop no timer is left, and a pending wait still settles", async () => {
  const wait = waits<void>();
  const end = later(20);
  const limited = wait.within(end.promise, 60_000);
  wait.stop();
  await limited;
  await wait.within(Promise.resolve(), 60_000);
});
