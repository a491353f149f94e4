import { assertEquals } from "@std/assert";
import { StreamPace } from "./stream_pace.ts";

Deno.test("streams take turns in the order of their requests", async () => {
  const pace = new StreamPace();
  const order: number[] = [];
  const turn = async (stream: number): Promise<void> => {
    await pace.turn();
    order.push(stream);
    pace.spent(100);
  };
  await Promise.all([1, 2, 3, 4, 5].map(turn));
  assertEquals(order, [1, 2, 3, 4, 5]);
});

Deno.test("a reader that arrives after a burst waits its turn", async () => {
  const pace = new StreamPace();
  await pace.turn();
  pace.spent(60_000 * 20);
  let came = false;
  const turn = pace.turn().then(() => came = true);
  for (let i = 0; i < 10; i++) await Promise.resolve();
  assertEquals(came, false);
  await turn;
});

Deno.test("a thousand streams get their turn at once, with other work in between", async () => {
  const pace = new StreamPace();
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 0);
  await Promise.all(Array.from({ length: 1000 }, async () => {
    await pace.turn();
    pace.spent(700);
  }));
  clearInterval(ticking);
  // With a timer per turn it would tick a thousand times.
  assertEquals(ticks > 2 && ticks < 500, true, `${ticks} ticks`);
});
