import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { type EventLog, type LogRecord, MemoryLog } from "../../core/events/log.ts";
import { MemoryBlobStore } from "../../core/blobs/memory.ts";
import { createIds } from "../../core/ids.ts";
import { createLogger } from "../../core/log.ts";
import { openNats } from "../../core/nats/mod.ts";
import { openFileLog } from "../../core/persist/event_log.ts";
import { scratch } from "../support/files.ts";
import { requireNats, toNatsSettings } from "../support/nats.ts";

/** Opens a log; `undefined`, after reporting it, when its engine is missing. */
type Open = (
  t: Deno.TestContext,
  stack: AsyncDisposableStack,
) => Promise<EventLog & Partial<AsyncDisposable> | undefined>;

const LOGS: Readonly<Record<string, Open>> = {
  memory: () => Promise.resolve(new MemoryLog()),
  async filesystem(_t, stack) {
    const folder = stack.use(await scratch()).path;
    return await openFileLog({ folder, blobs: memoryBlobs(), log: QUIET });
  },
  async nats(t, stack) {
    const nats = await requireNats(t);
    if (nats === undefined) return undefined;
    stack.use(nats);
    const settings = toNatsSettings({ servers: nats.servers });
    return stack.use(await openNats({ settings, blobs: memoryBlobs(), log: QUIET })).events;
  },
};

const QUIET = createLogger({ level: "error", write: () => {}, now: () => new Date() });

function memoryBlobs(): MemoryBlobStore {
  return new MemoryBlobStore({ maxBytes: 1e8, nextId, onDrop: () => {} });
}

async function openLog(
  name: string,
  t: Deno.TestContext,
  stack: AsyncDisposableStack,
): Promise<EventLog | undefined> {
  const log = await LOGS[name]!(t, stack);
  stack.defer(async () => await log?.[Symbol.asyncDispose]?.());
  return log;
}

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
  return records.flatMap((record) => {
    if (record.kind === "captured") return [record.event];
    return record.kind === "restored" ? record.events : [];
  }).map(({ summary }) => summary);
}

for (const name of Object.keys(LOGS)) {
  Deno.test(`${name} log: the follower gets each record once, in order, before it settles`, async (t) => {
    await using stack = new AsyncDisposableStack();
    const log = await openLog(name, t, stack);
    if (log === undefined) return;
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

  Deno.test(`${name} log: once last resolves, everything appended before was delivered`, async (t) => {
    await using stack = new AsyncDisposableStack();
    const log = await openLog(name, t, stack);
    if (log === undefined) return;
    const told: LogRecord[] = [];
    await log.follow((record) => void told.push(record));
    const events = [toEvent(1), toEvent(2)];
    log.append({ kind: "captured", event: events[0]!, ms: 1 });
    log.append({ kind: "restored", events: [events[1]!] });
    await log.last();
    assertEquals(summariesOf(told), ["event 1", "event 2"]);
    log.trim(events[0]!);
    await log.last();
    assertEquals(log.shared || log.last() === undefined, true);
    assertEquals(told.length, 2);
  });

  Deno.test(`${name} log: deletions and resets are ordered among the events`, async (t) => {
    await using stack = new AsyncDisposableStack();
    const log = await openLog(name, t, stack);
    if (log === undefined) return;
    const told: LogRecord[] = [];
    await log.follow((record) => void told.push(record));
    const events = [toEvent(1), toEvent(2)];
    const records: readonly LogRecord[] = [
      { kind: "captured", event: events[0]!, ms: 1 },
      { kind: "deleted", ids: [events[0]!.id] },
      { kind: "cleared", plugin: "mail", namespace: "t17" },
      { kind: "captured", event: events[1]!, ms: 2 },
      { kind: "reset" },
    ];
    for (const record of records) await log.append(record);
    await log.last();
    assertEquals(told, records);
  });
}
