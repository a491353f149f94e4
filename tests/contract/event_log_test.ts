import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { type EventLog, type LogRecord, MemoryLog } from "../../core/events/log.ts";
import { createIds } from "../../core/ids.ts";

const LOGS: Readonly<Record<string, () => Promise<EventLog>>> = {
  memory: () => Promise.resolve(new MemoryLog()),
};

const nextId = createIds({ nowMs: () => 1e12, random: () => 7 });

function toEvent(seq: number, more: Partial<CapturedEvent> = {}): CapturedEvent {
  return {
    id: nextId(),
    seq,
    plugin: "mail",
    provider: "smtp",
    type: "mail.message",
    received_at: new Date(1e12 + seq),
    summary: `event ${seq}`,
    summary_parts: { to: ["ada@example.org"] },
    meta: {},
    payload: { subject: `event ${seq}` },
    raw: { transport: "smtp", text: true, body: new TextEncoder().encode(`event ${seq}`) },
    blobs: [],
    ...more,
  };
}

function summariesOf(records: readonly LogRecord[]): string[] {
  return records.flatMap((record) => record.kind === "captured" ? [record.event] : record.events)
    .map(({ summary }) => summary);
}

for (const [name, open] of Object.entries(LOGS)) {
  Deno.test(`${name} log: the follower is given each record once, in order, before it settles`, async () => {
    const log = await open();
    const told: LogRecord[] = [];
    await log.follow((record) => void told.push(record));
    const events = Array.from({ length: 20 }, (_, seq) => toEvent(seq));
    const settled: string[] = [];
    await Promise.all(events.map(async (event) => {
      await log.append({ kind: "captured", event, ms: 1 });
      assertEquals(summariesOf(told).includes(event.summary), true);
      settled.push(event.summary);
    }));
    const all = events.map(({ summary }) => summary);
    assertEquals(summariesOf(told), all);
    assertEquals(settled, all);
  });

  Deno.test(`${name} log: once last has resolved, all that was appended before was handed over`, async () => {
    const log = await open();
    const told: LogRecord[] = [];
    await log.follow((record) => void told.push(record));
    const events = [toEvent(1), toEvent(2)];
    log.append({ kind: "captured", event: events[0]!, ms: 1 });
    log.append({ kind: "restored", events: [events[1]!] });
    await log.last();
    assertEquals(summariesOf(told), ["event 1", "event 2"]);
    log.trim(events[0]!);
    await log.last();
    assertEquals(log.last(), undefined);
    assertEquals(told.length, 2);
  });
}
