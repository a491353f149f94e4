import { assertEquals } from "@std/assert";
import { RejectedJournal } from "../events/journal.ts";
import { createLogger } from "../log.ts";
import { noteFull } from "./listening.ts";

Deno.test("a flood of connections to a full listener adds one journal record per minute", () => {
  let id = 0;
  let ms = 0;
  let lines = 0;
  const rejected = new RejectedJournal({
    capacity: 200,
    nextId: () => String(id++),
    now: () => new Date(0),
  });
  const log = createLogger({ level: "warn", write: () => void lines++, now: () => new Date(0) });
  const note = noteFull({
    rejected,
    log,
    listener: "mail/smtp",
    provider: "smtp",
    elapsedMs: () => ms,
  });
  const flood = (count: number): void => {
    for (let refused = 1; refused <= count; refused++) {
      note({ peer: "a:1", connections: 10, maxConnections: 10, refused });
    }
  };
  flood(1000);
  ms = 59_999;
  flood(1);
  ms = 60_000;
  flood(2);
  const reason = "Cannot accept more than 10 connections on mail/smtp: this one was refused";
  assertEquals(
    rejected.list({ provider: "smtp" }).map(({ reason }) => reason),
    [`${reason} after 1000 others`, reason],
  );
  assertEquals(lines, 2);
});
