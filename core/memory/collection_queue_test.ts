import { assertEquals } from "@std/assert";
import { CollectionQueue } from "./collection_queue.ts";

const MIB = 1024 * 1024;

Deno.test("those who wait for a collection continue in order, 2 MiB of garbage at a check", async () => {
  let hasRoom = false;
  let checks = 0;
  const queue = new CollectionQueue({
    hasRoomAfter() {
      checks++;
      return hasRoom;
    },
    onLongWait() {},
  });
  const order: number[] = [];
  const waiting = Array.from(
    { length: 4 },
    (_, at) => queue.wait(MIB).then(() => void order.push(at)),
  );
  await new Promise((resolve) => setTimeout(resolve, 60));
  assertEquals([order, checks > 0], [[], true]);
  hasRoom = true;
  await Promise.race(waiting);
  assertEquals(order, [0, 1]);
  await Promise.all(waiting);
  assertEquals(order, [0, 1, 2, 3]);
});

Deno.test("without room a wait ends after two seconds, and stored data gives way before", async () => {
  let longWaits = 0;
  const queue = new CollectionQueue({ hasRoomAfter: () => false, onLongWait: () => longWaits++ });
  await queue.wait(MIB);
  assertEquals(longWaits > 0, true);
});
