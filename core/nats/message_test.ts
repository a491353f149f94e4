import { assertEquals, assertThrows } from "@std/assert";
import type { Placeless } from "../events/log.ts";
import { decodeMessage, encodeEvent, encodeRemoval, Parcel } from "./message.ts";

function toEvent(id: string, body: Uint8Array): Placeless {
  return {
    id,
    plugin: "mail",
    provider: "smtp",
    type: "mail.message",
    received_at: new Date(1e12),
    summary: "ä \ud800",
    summary_parts: { to: ["ada@example.org"] },
    meta: { n: 1 },
    payload: { text: "\0" },
    raw: { transport: "smtp", text: false, body },
    blobs: ["b1"],
  };
}

Deno.test("events, their times and attachments read back as written; a shared body is stored once", () => {
  const shared = new Uint8Array(5000).fill(7);
  const parcel = new Parcel("captured", "mail");
  const refs = [{ id: "b1", size: 3, filename: "a.bin" }];
  const events = [
    toEvent("1", shared),
    toEvent("2", new Uint8Array()),
    toEvent("3", shared),
  ];
  for (const event of events) parcel.add(event, { about: encodeEvent(event), ms: 5, refs });
  const payload = parcel.encode();
  assertEquals(payload.length < 7000, true);
  assertEquals(decodeMessage(payload), {
    kind: "captured",
    events: events.map((event) => ({ event, ms: 5 })),
    refs,
  });
});

Deno.test("removals read back as they were written", () => {
  for (
    const removal of [
      { kind: "deleted", ids: ["1", "2"] },
      { kind: "evicted", plugin: "mail", upTo: "2" },
      { kind: "cleared", namespace: "t17" },
      { kind: "reset" },
    ] as const
  ) assertEquals(decodeMessage(encodeRemoval(removal)), removal);
});

Deno.test("a truncated message, and one from a newer version, are refused", () => {
  const parcel = new Parcel("captured", "mail");
  const event = toEvent("1", new Uint8Array(10));
  parcel.add(event, { about: encodeEvent(event), ms: 5, refs: [] });
  const payload = parcel.encode();
  for (const length of [0, 3, 20, payload.length - 1]) {
    assertThrows(() => decodeMessage(payload.subarray(0, length)), RangeError, "damaged");
  }
  const text = new TextDecoder().decode(payload.subarray(4)).replace('"format":1', '"format":2');
  const newer = new Uint8Array([...payload.subarray(0, 4), ...new TextEncoder().encode(text)]);
  assertThrows(() => decodeMessage(newer), RangeError, "a newer program has written it");
});
