import { assertEquals, assertGreaterOrEqual, assertRejects } from "@std/assert";
import { IdleTimer } from "./idle_timer.ts";
import { IdleError } from "./transport.ts";

/** Settles after a number of milliseconds; `stop` ends it early. */
function later(ms: number): { readonly promise: Promise<void>; stop(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  return { promise, stop: () => clearTimeout(timer) };
}

Deno.test("a wait that ends in time gives its value or its error", async () => {
  const timer = new IdleTimer();
  assertEquals(await timer.within(Promise.resolve(1), 1000, "late"), 1);
  await assertRejects(
    () => timer.within(Promise.reject(new TypeError("own")), 1000, "late"),
    TypeError,
  );
  timer.stop();
});

Deno.test("a wait that takes too long is rejected, not before its time", async () => {
  const timer = new IdleTimer();
  const never = Promise.withResolvers<void>();
  // The platform's timer of this earlier wait is still running below.
  await timer.within(Promise.resolve(), 60_000, "unused");
  const startMs = performance.now();
  await assertRejects(
    () => timer.within(never.promise, 30, "nothing came"),
    IdleError,
    "nothing came",
  );
  assertGreaterOrEqual(performance.now() - startMs, 29);
  timer.stop();
});

Deno.test("each wait has the whole time, however early the timer of the one before fires", async () => {
  const timer = new IdleTimer();
  await timer.within(Promise.resolve(), 20, "unused");
  const second = later(40);
  await timer.within(second.promise, 5000, "second");
  const never = Promise.withResolvers<void>();
  const startMs = performance.now();
  await assertRejects(() => timer.within(never.promise, 40, "third"), IdleError, "third");
  assertGreaterOrEqual(performance.now() - startMs, 39);
  timer.stop();
});

Deno.test("after a stop no timer is left, and a wait goes on to its end", async () => {
  const timer = new IdleTimer();
  const wait = later(20);
  const limited = timer.within(wait.promise, 60_000, "late");
  timer.stop();
  await limited;
  await timer.within(Promise.resolve(), 60_000, "late");
});
