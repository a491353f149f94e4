/** pyas2lib, a Python AS2 implementation: it sends, and verifies the receipts. */
import { assert, assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import type { As2Message } from "../../plugins/as2/model.ts";
import { withPyas2 } from "../support/pyas2.ts";

Deno.test("pyas2lib matches the digest of every receipt, and checks its signature", async (t) => {
  await withPyas2(t, async ({ service, send }) => {
    const results = await send();
    assertEquals(results.length, 14);
    for (const result of results) assertEquals(result, [result[0], "processed", null]);
    const events = service.events.list({ plugin: "as2" }) as CapturedEvent<As2Message>[];
    assertEquals(
      events.map(({ payload }) => payload.subject),
      results.map(([name]) => name).reverse(),
    );
    for (const { payload } of events) {
      assertEquals([payload.subject, payload.issues], [payload.subject, undefined]);
      assertEquals(payload.payload.format, "edifact");
      assertEquals(payload.payload.filename, "order.edi");
    }
    const all = events.find(({ payload }) => payload.subject === "all");
    assert(all !== undefined);
    assertEquals(all.payload.layers?.map(({ kind }) => kind), [
      "encrypted",
      "signed",
      "compressed",
    ]);
    assertEquals(all.payload.security.compression?.placement, "before-signing");
    assertEquals(all.meta.assurance, "intact-partner");
  });
});

Deno.test("pyas2lib matches the digest of an asynchronous receipt, and checks its signature", async (t) => {
  await withPyas2(t, async ({ service, send }) => {
    assertEquals(await send("--later"), [["receipt later", "processed", null]]);
    const [event] = service.events.list({ plugin: "as2" });
    const { calls } = await service.getJson<{ calls: { state: string; attempts: unknown[] }[] }>(
      `/events/${event!.id}/callbacks?wait=1`,
    );
    assertEquals(calls.map(({ state, attempts }) => [state, attempts.length]), [["done", 1]]);
  });
});
