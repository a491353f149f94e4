import { assertEquals } from "@std/assert";
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

Deno.test("events of one request share its bytes, which count once and until the last is gone", () => {
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
