import { assertEquals } from "@std/assert";
import { MemoryBudget } from "../../../core/memory/budget.ts";
import { Store } from "./store.ts";

const CHANNEL = { "message-storage-policy": 0, "push-type": "LiveActivity" } as const;

Deno.test("channels of all apps have one bound, and count in memory_limit", () => {
  const memory = new MemoryBudget({ limitBytes: 1_600_000 });
  const store = new Store(() => crypto.randomUUID(), memory);
  for (let app = 0; app < 10; app++) {
    for (let i = 0; i < 100; i++) store.create(`app${app}`, CHANNEL);
  }
  assertEquals([store.list("app0").length, store.list("app9").length], [0, 100]);
  assertEquals(memory.keptBytes > 80_000 && memory.keptBytes <= 100_000, true);
  for (const id of store.list("app9")) store.delete("app9", id);
  assertEquals(memory.keptBytes > 60_000 && memory.keptBytes < 80_000, true);
  memory.holding().set(1_600_000);
  assertEquals([store.list("app8"), memory.keptBytes], [[], 1_600_000]);
});
