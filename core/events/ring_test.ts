import { assertEquals } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import type { CapturedEvent } from "./event.ts";
import { Ring } from "./ring.ts";

const OVERHEAD = 2048;
let seq = 0;

function event(body: Uint8Array): CapturedEvent {
  return {
    id: String(++seq),
    seq,
    plugin: "mail",
    provider: "mail3",
    type: "mail.message",
    received_at: new Date(0),
    summary: "",
    summary_parts: {},
    meta: {},
    payload: {},
    raw: { transport: "http", text: true, body },
    blobs: [],
  };
}

Deno.test("events of one request share its bytes, which count once until the last one is gone", () => {
  const ring = new Ring({ capacity: 100, maxBytes: 10 * OVERHEAD, onEvict: () => {} });
  const shared = new Uint8Array(4 * OVERHEAD);
  const batch = Array.from({ length: 6 }, () => event(shared));
  for (const member of batch) ring.add(member);
  assertEquals(ring.count, 6);
  // Deleting all but one frees their overhead only.
  for (const member of batch.slice(1)) ring.delete(member);
  for (let i = 0; i < 5; i++) ring.add(event(new Uint8Array()));
  assertEquals([ring.count, ring.at(0)], [6, batch[0]]);
  // One more evicts the oldest, and with it the shared bytes.
  for (let i = 0; i < 5; i++) ring.add(event(new Uint8Array()));
  assertEquals(ring.count, 10);
  ring.clear();
  for (const member of batch) ring.add(member);
  assertEquals(ring.count, 6);
});

const steps = fc.array(
  fc.record({ what: fc.constantFrom("add", "add", "add", "delete", "take"), nth: fc.nat() }),
  { maxLength: 120 },
);

Deno.test("a ring holds the same as a list truncated to its capacity", () => {
  fc.assert(fc.property(fc.constantFrom(1, 2, 15, 16, 17, 40), steps, (capacity, steps) => {
    const evicted: CapturedEvent[] = [];
    const ring = new Ring({ capacity, maxBytes: 1e9, onEvict: (event) => evicted.push(event) });
    let model: CapturedEvent[] = [];
    const gone: CapturedEvent[] = [];
    for (const { what, nth } of steps) {
      const chosen = model[nth % Math.max(1, model.length)];
      if (what === "add") {
        const added = event(new Uint8Array());
        ring.add(added);
        model.push(added);
        if (model.length > capacity) gone.push(model.shift()!);
      } else if (what === "delete" && chosen !== undefined) {
        assertEquals([ring.delete(chosen), ring.delete(chosen)], [true, false]);
        model = model.filter((one) => one !== chosen);
      } else if (what === "take") {
        const fits = ({ seq }: CapturedEvent) => seq % 5 === nth % 5;
        assertEquals(ring.take(fits), model.filter(fits));
        model = model.filter((one) => !fits(one));
      }
      assertEquals(model.map((_, index) => ring.at(index)), model);
      assertEquals(model.map(({ seq }) => ring.find(seq)), model);
      const outside = [ring.at(model.length), ring.at(-1)];
      assertEquals([ring.count, ...outside], [model.length, undefined, undefined]);
    }
    assertEquals(evicted, gone);
    assertEquals(gone.map(({ seq }) => ring.find(seq)), gone.map(() => undefined));
    assertEquals(ring.clear(), model);
    assertEquals([ring.count, ring.at(0)], [0, undefined]);
  }));
});

Deno.test("a long text of one event of a request counts until that event is gone", () => {
  for (const size of [10, 4 * OVERHEAD]) {
    const ring = new Ring({ capacity: 100, maxBytes: 1e9, onEvict: () => {} });
    const body = new Uint8Array(size);
    const common = "c".repeat(200_000);
    const batch = ["a", "b", "c"].map((letter) => ({
      ...event(body),
      payload: { text: letter.repeat(100_000), html: common },
    }));
    const counts: number[] = [];
    for (const member of batch) {
      ring.add(member);
      counts.push(Math.round(ring.memoryBytes / 100_000));
    }
    for (const member of batch) {
      ring.delete(member);
      counts.push(Math.round(ring.memoryBytes / 100_000));
    }
    assertEquals([counts, ring.memoryBytes], [[3, 4, 5, 4, 3, 0], 0]);
  }
});
