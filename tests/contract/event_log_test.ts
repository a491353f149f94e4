import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { type EventLog, type LogRecord, MemoryLog } from "../../core/events/log.ts";
import { MemoryBlobStore } from "../../core/blobs/memory.ts";
import { createIds } from "../../core/ids.ts";
import { createLogger } from "../../core/log.ts";
import { openFileLog } from "../../core/persist/event_log.ts";
import { scratch } from "../support/files.ts";

const LOGS: Readonly<
  Record<string, (folder: string) => Promise<EventLog & Partial<AsyncDisposable>>>
> = {
  memory: () => Promise.resolve(new MemoryLog()),
  filesystem: (folder) => openFileLog({ folder, blobs: memoryBlobs(), log: QUIET }),
};

const QUIET = createLogger({ level: "error", write: () => {}, now: () => new Date() });

function memoryBlobs(): MemoryBlobStore {
  return new MemoryBlobStore({ maxBytes: 1e8, nextId, onDrop: () => {} });
}

/** A log in a folder of its own, closed at the end. */
async function openLog(name: string, stack: AsyncDisposableStack): Promise<EventLog> {
  const folder = stack.use(await scratch());
  const log = await LOGS[name]!(folder.path);
  stack.defer(async () => await log[Symbol.asyncDispose]?.());
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
  return records.flatMap((record) => record.kind === "captured" ? [record.event] : record.events)
    .map(({ summary }) => summary);
}

for (const name of Object.keys(LOGS)) {
  Deno.test(`${name} log: the follower is given each record once, in order, before it settles`, async () => {
    await using stack = new AsyncDisposableStack();
    const log = await openLog(name, stack);
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
    await using stack = new AsyncDisposableStack();
    const log = await openLog(name, stack);
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
