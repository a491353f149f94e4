/** Events survive the service: a start restores them, whatever happened in between. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { MemoryBlobStore } from "../../core/blobs/memory.ts";
import { compact } from "../../core/compact.ts";
import { ConfigError } from "../../core/errors.ts";
import type { CapturedEvent, NewEvent } from "../../core/events/event.ts";
import { MemoryEventStore } from "../../core/events/store.ts";
import { createIds } from "../../core/ids.ts";
import { createLogger } from "../../core/log.ts";
import { type Catalog, openCatalog } from "../../core/persist/catalog.ts";
import { type FileEventLog, openFileLog } from "../../core/persist/event_log.ts";
import { fc } from "../support/fast_check.ts";
import { noise, scratch } from "../support/files.ts";

const PLUGINS = ["mail", "sms"] as const;

interface Opened extends AsyncDisposable {
  readonly store: MemoryEventStore;
  readonly blobs: MemoryBlobStore;
  readonly log: FileEventLog;
}

async function open(
  folder: string,
  { capacity = 100, nowMs = () => Date.now(), maxAgeMs }: {
    capacity?: number;
    nowMs?: () => number;
    maxAgeMs?: number;
  } = {},
): Promise<Opened> {
  const nextId = createIds({ nowMs, random: () => Math.random() * 2 ** 32 });
  const blobs = new MemoryBlobStore({ maxBytes: 1e8, nextId, onDrop: () => {} });
  const store = new MemoryEventStore({
    limits: {
      capacityOf: () => capacity,
      maxRawBytes: Infinity,
      ...compact({ maxAgeMs }),
    },
    clock: { now: () => new Date(nowMs()) },
    nextId,
    blobs,
    onOversize: () => {},
    namespaceOf: ({ raw }) => raw.path?.slice(1),
  });
  const quiet = createLogger({ level: "error", write: () => {}, now: () => new Date() });
  const log = await openFileLog({ folder, blobs, log: quiet });
  try {
    await store.follow(log);
  } catch (error) {
    await log[Symbol.asyncDispose]();
    throw error;
  }
  return { store, blobs, log, [Symbol.asyncDispose]: () => log[Symbol.asyncDispose]() };
}

function toNew(summary: string, more: Partial<NewEvent> = {}): NewEvent {
  return {
    type: "mail.message",
    summary,
    summary_parts: { to: ["ada@example.org"], title: summary },
    meta: { n: 1 },
    payload: { summary, list: ["ä", "\ud800", "\0"], nested: { yes: true } },
    raw: { transport: "http", text: true, body: new TextEncoder().encode(summary) },
    ...more,
  };
}

/**
 * Parts that must be the same after a restart: everything except the sequence number, which
 * restarts.
 */
async function stateOf({ store, blobs }: Opened): Promise<unknown> {
  return await Promise.all(
    store.list({}).map(async ({ seq: _seq, ...event }) => ({
      ...event,
      attached: await Promise.all(event.blobs.map(async (id) => ({
        ref: blobs.get(id),
        bytes: await blobs.read(id, 0, 1e7),
      }))),
    })),
  );
}

Deno.test("events, bodies and attachments of every size are the same after a restart", async () => {
  await using folder = await scratch();
  let before: unknown;
  {
    await using opened = await open(folder.path);
    const { store, blobs } = opened;
    for (const size of [0, 10, 2048, 2049, 262_144, 262_145, 1_000_000]) {
      const body = noise(size, size);
      const attached = await blobs.put(noise(size, size + 1), { filename: `${size}.bin` });
      const raw = {
        transport: "http",
        text: false,
        body,
        path: "/t17",
        headers: [["X-A", "1"], ["x-a", "2"]],
      } as const;
      // Two events of one request share its body, and one attachment.
      blobs.retain(attached.id);
      for (const name of ["one", "two"]) {
        await store.settled(store.add("mail", "smtp", toNew(name, { raw, blobs: [attached.id] })));
      }
    }
    before = await stateOf(opened);
  }
  const again = await open(folder.path);
  assertEquals(await stateOf(again), before);
  const [two, one] = again.store.list({});
  assert(one!.raw.body === two!.raw.body, "they still share it");
  again.store.clear();
  await again[Symbol.asyncDispose]();
  const files = await Array.fromAsync(Deno.readDir(`${folder.path}/blobs`));
  assertEquals(files, [], "no event refers to them anymore");
});

Deno.test("random captures, deletions and restarts match a plain array", async () => {
  const step = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ do: fc.constant("add"), n: fc.nat(5), size: fc.nat(5000) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant("delete"), n: fc.nat(20), size: fc.nat() }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("clear"), n: fc.nat(5), size: fc.nat() }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant("restart"), n: fc.nat(), size: fc.nat() }),
    },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      await using folder = await scratch();
      const capacity = 7;
      let opened = await open(folder.path, { capacity });
      let model: CapturedEvent[] = [];
      for (const { do: what, n, size } of [...steps, { do: "restart", n: 0, size: 0 }]) {
        const { store, blobs } = opened;
        const plugin = PLUGINS[n % 2]!;
        if (what === "add") {
          const attached = n === 5 ? [(await blobs.put(noise(size, n), { filename: "a" })).id] : [];
          const raw = {
            transport: "http",
            text: false,
            body: noise(size, n),
            path: `/n${n}`,
          } as const;
          const event = store.add(plugin, "smtp", toNew(`event ${size}`, { raw, blobs: attached }));
          await store.settled(event);
          model.push(event);
          const own = model.filter((one) => one.plugin === plugin);
          if (own.length > capacity) model.splice(model.indexOf(own[0]!), 1);
        } else if (what === "delete" && model.length > 0) {
          const [gone] = model.splice(n % model.length, 1);
          assert(store.delete(gone!.id));
        } else if (what === "clear") {
          const namespace = n < 3 ? undefined : `n${n}`;
          store.clear(n === 0 ? undefined : plugin, { namespace });
          model = model.filter((event) =>
            (n !== 0 && event.plugin !== plugin) ||
            (namespace !== undefined && event.namespace !== namespace)
          );
        } else if (what === "restart") {
          const before = await stateOf(opened);
          await opened[Symbol.asyncDispose]();
          opened = await open(folder.path, { capacity });
          assertEquals(await stateOf(opened), before);
        }
        const ids = opened.store.list({}).map(({ id }) => id).reverse();
        assertEquals(ids, model.map(({ id }) => id));
      }
      await opened[Symbol.asyncDispose]();
    }),
    { numRuns: 25 },
  );
});

Deno.test("imported events keep the position of their ids after a restart", async () => {
  await using folder = await scratch();
  await using elsewhere = await scratch();
  await using source = await open(elsewhere.path, { nowMs: () => 1e12 });
  const old = source.store.add("mail", "smtp", toNew("old"));
  let order: string[];
  {
    await using opened = await open(folder.path);
    await opened.store.settled(opened.store.add("mail", "smtp", toNew("new")));
    assertEquals(await opened.store.restore([old]), 1);
    order = opened.store.list({}).map(({ summary }) => summary);
  }
  await using again = await open(folder.path);
  assertEquals(order, ["new", "old"]);
  assertEquals(again.store.list({}).map(({ summary }) => summary), order);
});

Deno.test("a pending event is not imported twice, and a deleted one can be imported again", async () => {
  await using folder = await scratch();
  await using elsewhere = await scratch();
  await using source = await open(elsewhere.path);
  const old = source.store.add("mail", "smtp", toNew("old"));
  {
    await using opened = await open(folder.path);
    const { store } = opened;
    const twice = await Promise.allSettled([store.restore([old]), store.restore([old])]);
    assertEquals(twice.map(({ status }) => status), ["fulfilled", "rejected"]);
    store.delete(old.id);
    await store.restore([old]);
    assertEquals(store.count(), 1);
    store.delete(old.id);
    await store.settled();
    await store.restore([old]);
  }
  await using again = await open(folder.path);
  assertEquals(again.store.list({}).map(({ summary }) => summary), ["old"]);
});

Deno.test("a failed sync refuses everything it covers, and everything committed after it", async (t) => {
  const places = [
    { where: "the database", size: 3000, files: ["catalog.db-wal"] },
    { where: "the journal", size: 20, files: ["journal-1", "journal-2"] },
  ];
  for (const { where, size, files } of places) {
    await t.step(`of ${where}`, async () => {
      await using folder = await scratch();
      {
        await using opened = await open(folder.path);
        const { store } = opened;
        const add = (summary: string): CapturedEvent => {
          const raw = { transport: "http", text: false, body: noise(size, 1) } as const;
          return store.add("mail", "smtp", toNew(summary, { raw }));
        };
        await store.settled(add("kept"));
        for (const file of files) await Deno.remove(`${folder.path}/${file}`);
        const results: Promise<PromiseSettledResult<void>[]>[] = [];
        for (let turn = 0; turn < 5; turn++) {
          const events = Array.from({ length: 100 }, () => add("lost"));
          results.push(Promise.allSettled(events.map((event) => store.settled(event)!)));
          await Promise.resolve();
        }
        const statuses = (await Promise.all(results)).flat().map(({ status }) => status);
        assertEquals(new Set(statuses), new Set(["rejected"]));
        assertEquals(store.count(), 1);
      }
      await using again = await open(folder.path);
      assertEquals(again.store.list({}).map(({ summary }) => summary), ["kept"]);
    });
  }
});

Deno.test("events from many turns, with files in between, keep their order", async () => {
  await using folder = await scratch();
  const names: string[] = [];
  {
    await using opened = await open(folder.path, { capacity: 1000 });
    const { store } = opened;
    const settled: string[] = [];
    for (let i = 0; i < 600; i++) {
      const body = noise(i % 150 === 149 ? 300_000 : 20, i);
      const raw = { transport: "http", text: false, body } as const;
      const event = store.add("mail", "smtp", toNew(`event ${i}`, { raw }));
      names.push(event.summary);
      store.settled(event)!.then(() => settled.push(event.summary));
      if (i % 20 === 0) await Promise.resolve();
    }
    await store.settled();
    assertEquals(settled, names);
  }
  await using again = await open(folder.path, { capacity: 1000 });
  assertEquals(again.store.list({}).map(({ summary }) => summary).reverse(), names);
});

Deno.test("files of removed events are gone once the log is closed", async () => {
  await using folder = await scratch();
  {
    await using opened = await open(folder.path);
    const raw = { transport: "http", text: false, body: noise(300_000, 1) } as const;
    const event = opened.store.add("mail", "smtp", toNew("large", { raw }));
    await opened.store.settled(event);
    opened.store.delete(event.id);
  }
  assertEquals(await Array.fromAsync(Deno.readDir(`${folder.path}/blobs`)), []);
});

Deno.test("limits apply to stored events: a smaller capacity, and an age that has passed", async () => {
  await using folder = await scratch();
  const startMs = Date.now();
  {
    await using opened = await open(folder.path);
    for (let i = 0; i < 10; i++) opened.store.add("mail", "smtp", toNew(`event ${i}`));
  }
  {
    await using fewer = await open(folder.path, { capacity: 4 });
    assertEquals(fewer.store.list({}).map(({ summary }) => summary.slice(-1)).join(""), "9876");
  }
  {
    await using all = await open(folder.path);
    assertEquals(all.store.count(), 4);
  }
  await using later = await open(folder.path, { maxAgeMs: 1000, nowMs: () => startMs + 60_000 });
  assertEquals(later.store.count(), 0);
});

Deno.test("a second process, damage and a newer format are refused, and nothing changes", async () => {
  await using folder = await scratch();
  const path = `${folder.path}/catalog.db`;
  {
    await using opened = await open(folder.path);
    opened.store.add("mail", "smtp", toNew("kept"));
    await opened.store.settled();
    // SQLite locks per connection, so another connection here acts like another process.
    await assertRejects(() => open(folder.path), ConfigError, "another process uses it");
  }
  withDatabase(path, (database) => database.exec("PRAGMA user_version = 9"));
  const newer = await Deno.readFile(path);
  await assertRejects(() => open(folder.path), ConfigError, "a newer program has written it");
  assertEquals(await Deno.readFile(path), newer);
  withDatabase(path, (database) => database.exec("PRAGMA user_version = 4"));
  withDatabase(path, (database) => database.exec("UPDATE event SET about = '{'"));
  await assertRejects(() => open(folder.path), ConfigError, "Cannot read the events kept in");
  await Deno.writeFile(path, noise(20_000, 1));
  await assertRejects(() => open(folder.path), ConfigError, "remove this one to start empty");
});

function withDatabase(path: string, work: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(path);
  work(database);
  database.close();
}

Deno.test("a catalog of an older format is migrated step by step, all or nothing", async () => {
  await using folder = await scratch();
  const create = "CREATE TABLE thing (name TEXT)";
  {
    using old = openCatalog(folder.path, { version: 1, create });
    old.transaction(() => old.run("INSERT INTO thing VALUES ('kept')"));
  }
  const upgrades = {
    1: "ALTER TABLE thing ADD COLUMN size INTEGER NOT NULL DEFAULT 7",
    2: "ALTER TABLE thing RENAME COLUMN size TO bytes",
  };
  const broken = { ...upgrades, 2: "ALTER TABLE nothing RENAME TO anything" };
  const openAs = (version: number, steps: Readonly<Record<number, string>>): Catalog =>
    openCatalog(folder.path, { version, create, upgrades: steps });
  await assertRejects(() => Promise.try(() => openAs(3, broken)), ConfigError, "nothing");
  await assertRejects(() => Promise.try(() => openAs(4, upgrades)), ConfigError, "version 1");
  using catalog = openAs(3, upgrades);
  assertEquals(catalog.all("SELECT name, bytes FROM thing").map((row) => ({ ...row })), [
    { name: "kept", bytes: 7 },
  ]);
});
