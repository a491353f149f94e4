import { assertEquals } from "@std/assert";
import { Evictions } from "./evictions.ts";
import type { LogRecord } from "./log.ts";

/** Longer than a round. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300));

Deno.test("the last eviction of each plugin is announced, again after a failure", async () => {
  const records: LogRecord[] = [];
  let isDown = false;
  const evictions = new Evictions((record) => {
    if (isDown) return Promise.reject(new Error("down"));
    records.push(record);
    return Promise.resolve();
  });
  evictions.add({ plugin: "mail", id: "1" });
  evictions.add({ plugin: "sms", id: "2" });
  evictions.add({ plugin: "mail", id: "3" });
  await pause();
  assertEquals(records.splice(0), [
    { kind: "evicted", plugin: "mail", upTo: "3" },
    { kind: "evicted", plugin: "sms", upTo: "2" },
  ]);
  isDown = true;
  evictions.add({ plugin: "mail", id: "4" });
  await pause();
  isDown = false;
  evictions.add({ plugin: "sms", id: "5" });
  await pause();
  assertEquals(records, [
    { kind: "evicted", plugin: "mail", upTo: "4" },
    { kind: "evicted", plugin: "sms", upTo: "5" },
  ]);
});
