import { assert, assertEquals } from "@std/assert";
import { costOf, costOfSmall, OVERHEAD } from "./cost.ts";
import type { CapturedEvent } from "./event.ts";

function event(payload: unknown, body = new Uint8Array(10_000)): CapturedEvent {
  return {
    ...{ id: "a", seq: 1, plugin: "mail", provider: "smtp", type: "mail.message" },
    ...{ received_at: new Date(0), summary: "", summary_parts: {}, meta: {}, blobs: [] },
    payload,
    raw: { transport: "smtp", text: true, body },
  };
}

Deno.test("a small event costs a few times its body", () => {
  assertEquals(costOfSmall(event({}, new Uint8Array(1000))), OVERHEAD + 3000);
});

Deno.test("strings count by their V8 representation", () => {
  const latin = { bytes: 0 };
  costOf(event({ text: "ä".repeat(100_000) }), latin);
  assertEquals(latin.bytes, 100_000);
  const wide = { bytes: 0 };
  costOf(event({ text: "ä".repeat(99_999) + "€" }), wide);
  assertEquals(wide.bytes, 200_000);
});

Deno.test("a long text that several events of one request share counts once", () => {
  const shared = { bytes: 0 };
  const text = "a".repeat(50_000);
  const { bytes: first } = costOf(event({ text, to: "b" }), shared);
  const { bytes: second } = costOf(event({ text, to: "c" }), shared);
  assertEquals([shared.bytes, second], [50_000, first]);
  assert(first < 5000);
});

Deno.test("many small values count, and bytes by their length", () => {
  const all = Array.from({ length: 10_000 }, (_, i) => i);
  const { bytes: many } = costOf(event({ all }), { bytes: 0 });
  assert(many > 300_000);
  assert(costOf(event({ raw: new Uint8Array(70_000) }), { bytes: 0 }).bytes > 70_000);
});

Deno.test("lazy values are not evaluated: their source text counts once", () => {
  const lazy = () => ({
    size: 1,
    get parts(): never {
      throw new Error("Looked at");
    },
  });
  const shared = { bytes: 0 };
  costOf(event(lazy()), shared);
  assertEquals(shared.bytes, 20_000);
  costOf(event(lazy()), shared);
  assertEquals(shared.bytes, 20_000);
});
