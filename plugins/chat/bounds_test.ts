import { assert, assertEquals } from "@std/assert";
import { MemoryBudget } from "../../core/memory/budget.ts";
import { Store as Workspaces } from "./chat1/store.ts";
import { Store as Webhooks } from "./chat3/store.ts";
import { Store as Bots } from "./chat4/store.ts";

Deno.test("what chat providers keep beside the events counts in memory_limit, and a reset frees it", () => {
  const memory = new MemoryBudget({ limitBytes: 16_000_000 });
  const [bots, webhooks, workspaces] = [
    new Bots(memory),
    new Webhooks(memory),
    new Workspaces(memory),
  ];
  const long = "x".repeat(50_000);
  for (let i = 0; i < 1000; i++) {
    bots.changeBot(`bot${i}`, { settings: { long } });
    webhooks.change(`${i}${long}`, { name: "x" });
    const id = `V${i}`;
    workspaces.setView({ id, rootId: id, externalId: "", hash: "", json: { long } });
  }
  assert(memory.keptBytes > 2_000_000 && memory.keptBytes <= 3_000_000);
  assertEquals([bots.bot("bot0").settings, "long" in bots.bot("bot999").settings], [{}, true]);
  for (const store of [bots, webhooks, workspaces]) store.clear();
  assertEquals(memory.keptBytes, 0);
});
