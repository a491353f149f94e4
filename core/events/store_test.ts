import { assert, assertEquals } from "@std/assert";
import { compact } from "../compact.ts";
import { createIds } from "../ids.ts";
import { MemoryBudget } from "../memory/budget.ts";
import type { NewEvent, StreamItem } from "./event.ts";
import { MemoryEventStore } from "./store.ts";
import { QUEUE_LIMIT } from "./feed.ts";

const start = Date.parse("2026-01-31T12:00:00Z");

function setUp(
  limits: { capacity?: number; maxRawBytes?: number; maxAgeMs?: number; memory?: MemoryBudget } =
    {},
) {
  const clock = { ms: start, now: () => new Date(clock.ms) };
  const released: string[] = [];
  const oversize: string[] = [];
  const store = new MemoryEventStore({
    limits: {
      capacityOf: () => limits.capacity ?? 500,
      maxRawBytes: limits.maxRawBytes ?? Infinity,
      ...compact({ maxAgeMs: limits.maxAgeMs }),
    },
    clock,
    nextId: createIds({ nowMs: () => clock.ms, random: () => 0 }),
    blobs: { release: (id) => released.push(id) },
    onOversize: (plugin) => oversize.push(plugin),
    ...compact({ memory: limits.memory }),
  });
  return { store, clock, released, oversize };
}

function event(summary: string, more: Partial<NewEvent> = {}): NewEvent {
  return {
    type: "mail.message",
    summary,
    payload: { summary },
    raw: { transport: "http", text: true, body: new TextEncoder().encode(summary) },
    ...more,
  };
}

Deno.test("events are listed newest first over all plugins, also when the clock steps back", () => {
  const { store, clock } = setUp();
  store.add("mail", "smtp", event("one"));
  store.add("sms", "sms1", event("two", { type: "sms.message" }));
  clock.ms -= 60_000;
  store.add("mail", "smtp", event("three"));
  assertEquals(store.list({}).map((e) => e.summary), ["three", "two", "one"]);
  const times = store.list({}).map((e) => e.received_at.getTime());
  assertEquals(times, [...times].sort((a, b) => b - a));
});

Deno.test("filters combine, and paging applies after them", () => {
  const { store, clock } = setUp();
  for (let i = 0; i < 10; i++) {
    clock.ms += 1000;
    store.add("mail", i % 2 ? "smtp" : "mail1", event(`mail ${i}`));
  }
  const list = (
    filter: Parameters<typeof store.list>[0],
    page?: Parameters<typeof store.list>[1],
  ) => store.list(filter, page).map((e) => e.summary);
  assertEquals(list({ provider: "smtp" }, { limit: 2, offset: 1 }), ["mail 7", "mail 5"]);
  assertEquals(list({ search: "MAIL 3" }), ["mail 3"]);
  assertEquals(list({ search: "mail.message" }).length, 10);
  assertEquals(list({ since: new Date(start + 8000) }), ["mail 9", "mail 8"]);
  assertEquals(list({ plugin: "sms" }), []);
  assertEquals(list({ type: "mail.other" }), []);
  assertEquals(list({}, { match: (e) => e.summary.endsWith("0"), limit: 0 }), ["mail 0"]);
  assertEquals(list({}, { offset: 99 }), []);
});

Deno.test("search looks at every part of the summary", () => {
  const { store } = setUp();
  store.add(
    "mail",
    "smtp",
    event("x", {
      summary_parts: { from: "Ada", to: ["bob@b.example"], title: "Hi", snippet: "body" },
    }),
  );
  for (const search of ["ada", "BOB@", "hi", "body", "mail.m"]) {
    assertEquals(store.list({ search }).length, 1, search);
  }
  assertEquals(store.list({ search: "adabob" }).length, 0);
});

Deno.test("each plugin has its own ring: a flood of one evicts none of another", () => {
  const { store, released } = setUp({ capacity: 3 });
  const kept = store.add("mail", "smtp", event("kept", { blobs: ["b0"] }));
  for (let i = 0; i < 1000; i++) {
    store.add("snmp", "trap", event(`trap ${i}`, { type: "snmp.trap", blobs: [`t${i}`] }));
  }
  assertEquals(store.count(), 4);
  assertEquals(store.count("snmp"), 3);
  assertEquals(store.get(kept.id), kept);
  assertEquals(store.list({ plugin: "snmp" }).map((e) => e.summary), [
    "trap 999",
    "trap 998",
    "trap 997",
  ]);
  assertEquals([released.length, released[0], released.at(-1)], [997, "t0", "t996"]);
});

Deno.test("bytes bound a ring as well as count, but the newest event always stays", () => {
  const { store, oversize } = setUp({ maxRawBytes: 10_000 });
  const body = new Uint8Array(4000);
  const add = (size: number) =>
    store.add(
      "mail",
      "smtp",
      event("m", { raw: { transport: "smtp", text: false, body: body.slice(0, size) } }),
    );
  add(4000);
  add(4000);
  const last = add(3999);
  assertEquals(store.count("mail"), 1);
  const huge = store.add(
    "mail",
    "smtp",
    event("huge", { raw: { transport: "smtp", text: false, body: new Uint8Array(50_000) } }),
  );
  assertEquals(store.list({}), [huge]);
  assertEquals(store.get(last.id), undefined);
  assertEquals(oversize.length > 0, true);
});

Deno.test("deleting leaves room for as many as before", () => {
  const { store, released } = setUp({ capacity: 3 });
  const [a, b, c] = ["a", "b", "c"].map((name) =>
    store.add("mail", "smtp", event(name, { blobs: [name] }))
  );
  assertEquals(store.delete(b!.id), true);
  assertEquals(store.delete(b!.id), false);
  assertEquals(store.delete("nope"), false);
  const d = store.add("mail", "smtp", event("d"));
  assertEquals(store.list({}), [d, c!, a!]);
  assertEquals(released, ["b"]);
});

Deno.test("clearing applies to one plugin or all, and releases blobs", () => {
  const { store, released } = setUp();
  store.add("mail", "smtp", event("a", { blobs: ["x"] }));
  store.add("sms", "sms1", event("b"));
  assertEquals(store.clear("mail"), 1);
  assertEquals(store.clear("nope"), 0);
  assertEquals([store.count(), released], [1, ["x"]]);
  assertEquals(store.clear(), 1);
  assertEquals(store.count(), 0);
});

Deno.test("a summary becomes one line of at most 200 characters", () => {
  const { store } = setUp();
  assertEquals(store.add("mail", "smtp", event("a\r\nb\u0000c\u2028d")).summary, "a b c d");
  const long = store.add("mail", "smtp", event("é😀".repeat(300))).summary;
  assertEquals([...long].length, 201);
  assert(long.endsWith("…"));
});

Deno.test("meta can be derived from the event's own id", () => {
  const { store } = setUp();
  const made = store.add(
    "sms",
    "sms1",
    event("one", {
      meta: { kept: true },
      metaFromId: (id) => ({ sid: `SM${id}` }),
    }),
  );
  assertEquals(made.meta, { kept: true, sid: `SM${made.id}` });
});

Deno.test("a subscriber sees changes in order, and ends with its signal", async () => {
  const { store } = setUp();
  const ended = new AbortController();
  const seen: StreamItem[] = [];
  const reading = (async () => {
    for await (const item of store.subscribe({ plugin: "mail" }, { signal: ended.signal })) {
      seen.push(item);
    }
  })();
  const a = store.add("mail", "smtp", event("a"));
  store.add("sms", "sms1", event("b"));
  store.delete(a.id);
  store.clear("sms");
  store.clear();
  for (let i = 0; i < 10; i++) await Promise.resolve();
  ended.abort();
  await reading;
  assertEquals(seen, [
    { kind: "captured", event: a },
    { kind: "deleted", id: a.id, plugin: "mail" },
    { kind: "cleared" },
  ]);
});

Deno.test("a slow subscriber gets the first 256 events, one gap, and new events once it caught up", async () => {
  const { store } = setUp();
  const ended = new AbortController();
  const reader = store.subscribe({}, { signal: ended.signal })[Symbol.asyncIterator]();
  for (let i = 0; i < QUEUE_LIMIT + 50; i++) store.add("mail", "smtp", event(`${i}`));
  const seen: string[] = [];
  const take = async () => {
    const { value } = await reader.next();
    const item = value as StreamItem;
    seen.push(item.kind === "captured" ? item.event.summary : item.kind);
  };
  for (let i = 0; i <= QUEUE_LIMIT; i++) await take();
  store.add("mail", "smtp", event("later"));
  await take();
  assertEquals(seen.slice(0, 2), ["0", "1"]);
  assertEquals(seen.slice(-3), [`${QUEUE_LIMIT - 1}`, "gap", "later"]);
  ended.abort();
});

Deno.test("resuming replays the events after an id, and starts with a gap if that event is gone", async () => {
  const { store } = setUp({ capacity: 3 });
  const all = ["a", "b", "c", "d"].map((name) => store.add("mail", "smtp", event(name)));
  const replay = async (after: string) => {
    const ended = new AbortController();
    const reader = store.subscribe({}, { signal: ended.signal, after })[Symbol.asyncIterator]();
    const seen: string[] = [];
    store.add("sms", "sms1", event("end"));
    while (seen.at(-1) !== "end") {
      const { value } = await reader.next();
      const item = value as StreamItem;
      seen.push(item.kind === "captured" ? item.event.summary : item.kind);
    }
    ended.abort();
    store.clear("sms");
    return seen;
  };
  assertEquals(await replay(all[2]!.id), ["d", "end"]);
  assertEquals(await replay(all[0]!.id), ["gap", "b", "c", "d", "end"]);
  assertEquals(await replay("not an id"), ["gap", "end"]);
});

Deno.test("events over the age limit are removed with their blobs, whichever way the store is read", () => {
  const looks: ((store: MemoryEventStore, id: string) => unknown)[] = [
    (store) => store.list({}).map(({ summary }) => summary),
    (store) => store.list({}, { limit: 5 }).map(({ summary }) => summary),
    (store, id) => [store.get(id)?.summary ?? "new"],
    (store) => store.count("mail") === 1 ? ["new"] : [],
    (store) => store.namespaces().size === 0 && store.count() === 1 ? ["new"] : [],
  ];
  for (const look of looks) {
    const { store, clock, released } = setUp({ maxAgeMs: 60_000 });
    const { id } = store.add("mail", "smtp", event("old", { blobs: ["a"] }));
    clock.ms += 60_000;
    store.add("mail", "smtp", event("new"));
    assertEquals(store.count(), 2);
    clock.ms += 1;
    assertEquals(look(store, id), ["new"]);
    assertEquals(released, ["a"]);
    assertEquals(store.tally.dropped.map(({ labels }) => labels), [
      { plugin: "mail", reason: "age" },
    ]);
  }
});

Deno.test("the age limit of one plugin does not affect others, and removes even the newest event", () => {
  const { store, clock } = setUp({ maxAgeMs: 1000 });
  store.add("sms", "sms1", event("one"));
  clock.ms += 800;
  store.add("mail", "smtp", event("two"));
  clock.ms += 400;
  assertEquals(store.list({}).map(({ summary }) => summary), ["two"]);
  clock.ms += 1000;
  assertEquals(store.list({}), []);
});

Deno.test("events from a clock that was ahead expire with the events after them", () => {
  const { store, clock } = setUp({ maxAgeMs: 1000 });
  const held = () => store.list({}).map(({ summary }) => summary);
  store.add("mail", "smtp", event("right"));
  clock.ms += 400;
  for (const [what, jumpMs] of [["ahead", 86_400_000], ["further", 3_600_000]] as const) {
    clock.ms += jumpMs;
    store.add("mail", "smtp", event(what));
  }
  assertEquals(held(), ["further"]);
  clock.ms -= 86_400_000 + 3_600_000;
  store.add("mail", "smtp", event("right again"));
  clock.ms += 500;
  store.add("mail", "smtp", event("later"));
  assertEquals(held(), ["later", "right again", "further"]);
  clock.ms += 501;
  assertEquals(held(), ["later"]);
  clock.ms += 500;
  assertEquals(held(), []);
});

Deno.test("restored events are sorted by their ids, and readers get a notice to reload", async () => {
  const other = setUp();
  const [first, second] = [1, 2].map((n) => other.store.add("mail", "smtp", event(`old ${n}`)));
  const { store, clock } = setUp({ capacity: 3 });
  clock.ms += 1000;
  const held = store.add("mail", "smtp", event("held"));
  const ended = new AbortController();
  const items = store.subscribe({}, { signal: ended.signal })[Symbol.asyncIterator]();
  const watched: string[] = [];
  store.watch((item) => void (item.kind === "captured" && watched.push(item.event.summary)));
  assertEquals(store.restore([second!, first!, held]), 2);
  assertEquals((await items.next()).value, { kind: "gap" });
  assertEquals(watched.toSorted(), ["old 1", "old 2"]);
  assertEquals(store.list({}).map(({ summary }) => summary), ["held", "old 2", "old 1"]);
  store.add("mail", "smtp", event("new"));
  assertEquals(store.list({}).map(({ summary }) => summary), ["new", "held", "old 2"]);
  assert(store.delete(held.id) && store.delete(second!.id));
  assertEquals(store.list({}).map(({ summary }) => summary), ["new"]);
  ended.abort();
});

Deno.test("when memory is short, the largest plugin loses its oldest events, never its newest", () => {
  const memory = new MemoryBudget({ limitBytes: 1_000_000 });
  const { store, oversize } = setUp({ memory });
  const large = (summary: string) =>
    event(summary, { raw: { transport: "tcp", text: false, body: new Uint8Array(300_000) } });
  store.add("sms", "sms1", event("little", { type: "sms.message" }));
  for (const name of ["one", "two", "three", "four"]) store.add("mail", "smtp", large(name));
  assertEquals(store.list({}).map((e) => e.summary), ["four", "three", "two", "little"]);
  assertEquals(oversize, ["mail"]);
  assertEquals(store.tally.dropped.map(({ labels }) => labels.reason), ["memory"]);
  assert(memory.keptBytes > 900_000 && memory.keptBytes < 1_000_000, `${memory.keptBytes}`);
  using lease = memory.lease();
  lease.take(500_000);
  assertEquals(store.list({}).map((e) => e.summary), ["four", "little"]);
  store.clear();
  assertEquals(memory.keptBytes, 0);
});

Deno.test("every way to remove an event also uncounts it", () => {
  const memory = new MemoryBudget({ limitBytes: Infinity });
  const { store, clock } = setUp({ memory, capacity: 3, maxAgeMs: 1000 });
  const body = new Uint8Array(5000);
  const raw = { transport: "http", text: false, body } as const;
  const small = store.add("mail", "smtp", event("small"));
  const alone = memory.keptBytes;
  for (const name of ["a", "b", "c", "d"]) store.add("mail", "smtp", event(name, { raw }));
  store.delete(store.list({})[0]!.id);
  store.deleteAll([store.list({})[0]!]);
  store.delete(small.id);
  clock.ms += 2000;
  store.expire();
  assertEquals(memory.keptBytes, 0);
  store.add("mail", "smtp", event("small"));
  assertEquals(memory.keptBytes, alone);
});
