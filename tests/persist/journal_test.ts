/** The journal of events on disk: what a start finds in it after the program was killed, torn writes, and damage. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path/join";
import { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { MemoryBlobStore } from "../../core/blobs/memory.ts";
import { ConfigError } from "../../core/errors.ts";
import type { HeaderPairs } from "../../core/events/event.ts";
import { MemoryEventStore } from "../../core/events/store.ts";
import { createIds } from "../../core/ids.ts";
import { createLogger } from "../../core/log.ts";
import { openFileLog } from "../../core/persist/event_log.ts";
import { HEAD_ROOM, JournalFile } from "../../core/persist/journal_file.ts";
import { copyFolder, noise, scratch } from "../support/files.ts";

interface Opened extends AsyncDisposable {
  readonly store: MemoryEventStore;
}

async function open(folder: string, capacity = 1000): Promise<Opened> {
  const nextId = createIds({ nowMs: () => Date.now(), random: () => Math.random() * 2 ** 32 });
  const blobs = new MemoryBlobStore({ maxBytes: 1e8, nextId, onDrop: () => {} });
  const store = new MemoryEventStore({
    limits: { capacityOf: () => capacity, maxRawBytes: Infinity },
    clock: { now: () => new Date() },
    nextId,
    blobs,
    onOversize: () => {},
  });
  const log = await openFileLog({
    folder,
    blobs,
    log: createLogger({ level: "error", write: () => {}, now: () => new Date() }),
  });
  try {
    await store.follow(log);
  } catch (error) {
    await log[Symbol.asyncDispose]();
    throw error;
  }
  return { store, [Symbol.asyncDispose]: () => log[Symbol.asyncDispose]() };
}

function add({ store }: Opened, summary: string, bytes = 20): Promise<void> | undefined {
  const event = store.add("mail", "smtp", {
    type: "mail.message",
    summary,
    payload: { summary },
    raw: { transport: "tcp", text: false, body: noise(bytes, bytes) },
  });
  return store.settled(event);
}

/** Adds an event of a request with these header fields. */
function addRequest({ store }: Opened, summary: string, headers: HeaderPairs): void {
  store.add("mail", "mail2", {
    type: "mail.message",
    summary,
    payload: { summary },
    raw: { transport: "http", text: true, body: noise(20, 20), method: "POST", headers },
  });
}

/** Adds events of 2 KiB, a hundred in each write. */
async function addAll(opened: Opened, names: readonly string[]): Promise<void> {
  for (const [i, name] of names.entries()) {
    const kept = add(opened, name, 2048);
    if (i % 100 === 99) await kept;
  }
}

const summariesOf = ({ store }: Opened): readonly string[] =>
  store.list({}).map(({ summary }) => summary).reverse();

/** What a start finds if the program is killed now. */
async function killed(folder: string, capacity?: number): Promise<readonly string[]> {
  await using copy = await scratch();
  await copyFolder(folder, copy.path);
  await using again = await open(copy.path, capacity);
  return summariesOf(again);
}

Deno.test("small and large events of a program that was killed are read in order, without the deleted ones", async () => {
  await using folder = await scratch();
  await using opened = await open(folder.path);
  const names = Array.from({ length: 40 }, (_, i) => `event ${i}`);
  for (const [i, name] of names.entries()) await add(opened, name, i % 7 === 3 ? 5000 : 20 + i);
  assertEquals(await killed(folder.path), names);
  const [first, , third] = opened.store.list({}).reverse();
  opened.store.deleteAll([first!, third!]);
  await opened.store.settled();
  const left = names.filter((_, i) => i !== 0 && i !== 2);
  assertEquals(await killed(folder.path), left);
  opened.store.clear();
  await opened.store.settled();
  assertEquals(await killed(folder.path), []);
  await add(opened, "later");
  assertEquals(await killed(folder.path), ["later"]);
});

Deno.test("header fields that requests share are written once, and each event has its own again", async () => {
  await using folder = await scratch();
  await using opened = await open(folder.path);
  const [shared, other]: HeaderPairs[] = [
    [["User-Agent", "shop/1.0\u2028\u00e4"], ["X-Lines", 'a\\n"b"']],
    [["User-Agent", "other"]],
  ];
  for (let i = 0; i < 30; i++) addRequest(opened, `shared ${i}`, shared!);
  addRequest(opened, "equal", shared!.map(([name, value]) => [name, value]));
  addRequest(opened, "other", other!);
  addRequest(opened, "empty", []);
  await add(opened, "none");
  const wanted = opened.store.list({}).map(({ seq: _, ...event }) => event);
  const text = new TextDecoder().decode((await wholeJournal(folder.path)).bytes);
  assertEquals(text.split("shop/1.0").length - 1, 1);
  await using copy = await scratch();
  await copyFolder(folder.path, copy.path);
  // First from the journal, then from the database.
  for (let start = 0; start < 2; start++) {
    await using again = await open(copy.path);
    const found = again.store.list({}).map(({ seq: _, ...event }) => event);
    assertEquals(found, wanted);
  }
});

Deno.test("a journal of format 3 is read", async () => {
  await using folder = await scratch();
  {
    await using opened = await open(folder.path);
    await add(opened, "in the database");
  }
  const path = `${folder.path}/catalog.db`;
  const read = (sql: string) => {
    using database = new DatabaseSync(path);
    return database.prepare(sql).get()!;
  };
  const { salt, moved } = read("SELECT salt, moved FROM journal");
  const about = String(read("SELECT about FROM event").about).replace("in the database", "old")
    .replace(/}}$/, ',"headers":[["X-Old","1"]]}}');
  const head = JSON.stringify({
    row: Number(moved) + 1,
    ids: ["f".repeat(24)],
    bodies: [3],
    gone: [],
  });
  const text = new TextEncoder().encode(`${head}\n${about}`);
  const frame = new Uint8Array(HEAD_ROOM + 4 + text.length + 3);
  new DataView(frame.buffer).setUint32(HEAD_ROOM, text.length, true);
  frame.set(text, HEAD_ROOM + 4);
  {
    using file = new JournalFile(`${folder.path}/journal-1`);
    file.frames(() => ({ first: 0, last: 0 }), { moved: 0, salt: Number(salt) });
    file.append(frame);
    using database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 3");
  }
  for (let start = 0; start < 2; start++) {
    await using again = await open(folder.path);
    assertEquals(summariesOf(again), ["in the database", "old"]);
    assertEquals(again.store.list({})[0]!.raw.headers, [["X-Old", "1"]]);
  }
});

Deno.test("a write that was cut off is ignored, and the next one follows what was whole", async (t) => {
  await using folder = await scratch();
  await using opened = await open(folder.path);
  await add(opened, "whole");
  const before = await wholeJournal(folder.path);
  await add(opened, "cut off");
  const { name, bytes } = await wholeJournal(folder.path);
  for (const length of [before.bytes.length + 1, before.bytes.length + 20, bytes.length - 1]) {
    await t.step(`${length} of ${bytes.length} bytes`, async () => {
      await using copy = await scratch();
      await copyFolder(folder.path, copy.path);
      await Deno.writeFile(`${copy.path}/${name}`, bytes.subarray(0, length));
      {
        await using again = await open(copy.path);
        assertEquals(summariesOf(again), ["whole"]);
        await add(again, "next");
        assertEquals(await killed(copy.path), ["whole", "next"]);
      }
      await using last = await open(copy.path);
      assertEquals(summariesOf(last), ["whole", "next"]);
    });
  }
});

Deno.test("a changed byte of what was on the disk stops the start, and nothing is touched", async () => {
  await using folder = await scratch();
  await using opened = await open(folder.path);
  for (const name of ["one", "two", "three"]) await add(opened, name);
  const { name, bytes } = await wholeJournal(folder.path);
  for (const at of [0, 5, 13, 30, 200]) {
    await using copy = await scratch();
    await copyFolder(folder.path, copy.path);
    const damaged = bytes.slice();
    damaged[at]! ^= 0x10;
    await Deno.writeFile(`${copy.path}/${name}`, damaged);
    await assertRejects(() => open(copy.path), ConfigError, "is damaged at byte");
    assertEquals(await Deno.readFile(`${copy.path}/${name}`), damaged);
  }
});

Deno.test("full files are moved into the database while events arrive", async () => {
  await using folder = await scratch();
  const capacity = 300;
  const names = Array.from({ length: 20_000 }, (_, i) => `event ${i}`);
  {
    await using opened = await open(folder.path, capacity);
    await addAll(opened, names);
    assertEquals(await killed(folder.path, capacity), names.slice(-capacity));
    const sizes = [1, 2].map((n) => Deno.statSync(`${folder.path}/journal-${n}`).size);
    assert(sizes.every((size) => size < 20e6), `${sizes}`);
    await using copy = await scratch();
    await copyFolder(folder.path, copy.path);
    using database = new DatabaseSync(`${copy.path}/catalog.db`);
    const [moved] = Object.values(database.prepare("SELECT moved FROM journal").get()!);
    const [pages] = Object.values(database.prepare("PRAGMA page_count").get()!);
    assert(
      Number(moved) > 5000 && Number(pages) < 20,
      `${pages} pages: nothing was held when moved`,
    );
  }
  assertEquals((await wholeJournal(folder.path)).bytes.length, 0, "a stop empties it");
  await using again = await open(folder.path, capacity);
  assertEquals(summariesOf(again), names.slice(-capacity));
});

Deno.test("what is left in a file that is overwritten does no harm, and damage is still found", async (t) => {
  await using folder = await scratch();
  const capacity = 300;
  const names = Array.from({ length: 30_000 }, (_, i) => `event ${i}`);
  await using opened = await open(folder.path, capacity);
  await addAll(opened, names);
  await using whole = await scratch();
  await copyFolder(folder.path, whole.path);
  const { path, bytes, frames } = framesOf(whole.path);
  const [before, last] = frames.slice(-2);
  assert(frames.length > 4 && bytes.length > last!.end + 1_000_000, "it is being overwritten");
  /** Returns the events after one more, and the bytes of the file that a start finds whole. */
  const startWith = async (changed: Uint8Array): Promise<[readonly string[], number]> => {
    await using copy = await scratch();
    await copyFolder(whole.path, copy.path);
    const file = path.replace(whole.path, copy.path);
    await Deno.writeFile(file, changed);
    await using again = await open(copy.path, capacity);
    const { size } = await Deno.stat(file);
    await add(again, "next");
    assertEquals(await killed(copy.path, capacity), summariesOf(again));
    return [summariesOf(again), size];
  };
  const flipped = (at: number): Uint8Array => {
    const changed = bytes.slice();
    changed[at]! ^= 0x10;
    return changed;
  };

  await t.step("the last write was cut off", async () => {
    const { length } = last!.ids;
    const expected = [...names.slice(0, -length), "next"].slice(-capacity);
    assertEquals(await startWith(flipped(last!.at + 200)), [expected, last!.at]);
  });

  await t.step("the last write ends where an earlier one began", async () => {
    const stale = bytes.slice();
    // Whole, and older than those before it.
    stale.copyWithin(last!.end, frames[0]!.at, frames[3]!.end);
    const expected = [...names, "next"].slice(-capacity);
    assertEquals(await startWith(stale), [expected, last!.end]);
  });

  await t.step("captured bytes look like a frame", async () => {
    const head = new Uint8Array(HEAD_ROOM);
    const text = new TextEncoder().encode(
      JSON.stringify({ row: 4e9, ids: [], bodies: [], gone: [] }),
    );
    const payload = new Uint8Array(4 + text.length);
    new DataView(payload.buffer).setUint32(0, text.length, true);
    payload.set(text, 4);
    const view = new DataView(head.buffer);
    head.set(new TextEncoder().encode("SJ01"));
    view.setUint32(4, payload.length, true);
    view.setUint32(8, 2 ** 32 - 1, true);
    view.setUint32(12, crc32(payload, crc32(head.subarray(4, 12))), true);
    const changed = flipped(last!.at + 200);
    changed.set(head, last!.at + 1000);
    changed.set(payload, last!.at + 1000 + head.length);
    const [summaries, size] = await startWith(changed);
    assertEquals([summaries.at(-1), size], ["next", last!.at]);
  });

  await t.step("a byte before the last write has changed", async () => {
    await assertRejects(
      () => startWith(flipped(before!.at + 200)),
      ConfigError,
      `is damaged at byte ${before!.at}`,
    );
  });
});

Deno.test("a program that is killed when everything is moved, and before its files are emptied, repeats nothing", async () => {
  await using folder = await scratch();
  await using earlier = await scratch();
  const capacity = 300;
  const names = Array.from({ length: 12_000 }, (_, i) => `event ${i}`);
  {
    await using opened = await open(folder.path, capacity);
    await addAll(opened, names);
    await copyFolder(folder.path, earlier.path);
  }
  for (const name of ["journal-1", "journal-2"]) {
    const { size } = await Deno.stat(`${earlier.path}/${name}`);
    assert(size > 1_000_000, `${name} has frames`);
    await Deno.copyFile(`${earlier.path}/${name}`, `${folder.path}/${name}`);
  }
  await using again = await open(folder.path, capacity);
  assertEquals(summariesOf(again), names.slice(-capacity));
  for (let i = 0; i < 5; i++) {
    await add(again, `later ${i}`);
    names.push(`later ${i}`);
    assertEquals(await killed(folder.path, capacity), names.slice(-capacity));
  }
});

/** The frames of the file that is being written as its format describes them. */
function framesOf(folder: string) {
  const found = ["journal-1", "journal-2"].map((name) => {
    const path = `${folder}/${name}`;
    const bytes = Deno.readFileSync(path);
    const view = new DataView(bytes.buffer);
    const frames: { at: number; end: number; row: number; ids: readonly string[] }[] = [];
    for (let at = 0; at + HEAD_ROOM < bytes.length && bytes[at] === 0x53;) {
      const end = at + HEAD_ROOM + view.getUint32(at + 4, true);
      const text = bytes.subarray(at + HEAD_ROOM + 4, end);
      const head = new TextDecoder().decode(text.subarray(0, text.indexOf(10)));
      const { row, ids } = JSON.parse(head) as { row: number; ids: readonly string[] };
      if (row <= (frames.at(-1)?.row ?? 0)) break;
      frames.push({ at, end, row, ids });
      at = end;
    }
    return { path, bytes, frames };
  });
  return found.toSorted((a, b) => b.frames[0]!.row - a.frames[0]!.row)[0]!;
}

Deno.test("every event of full files is moved if all are held", async () => {
  await using folder = await scratch();
  const names = Array.from({ length: 9000 }, (_, i) => `event ${i}`);
  {
    await using opened = await open(folder.path, names.length);
    await addAll(opened, names);
  }
  await using again = await open(folder.path, names.length);
  assertEquals(summariesOf(again), names);
});

Deno.test("a folder without a journal, of the first format, opens with its events", async () => {
  await using folder = await scratch();
  {
    await using opened = await open(folder.path);
    await add(opened, "kept");
  }
  for (const name of ["journal-1", "journal-2"]) await Deno.remove(`${folder.path}/${name}`);
  {
    using database = new DatabaseSync(`${folder.path}/catalog.db`);
    database.exec("DROP TABLE journal; PRAGMA user_version = 1");
  }
  {
    await using again = await open(folder.path);
    await add(again, "later");
    assertEquals(await killed(folder.path), ["kept", "later"]);
  }
  await using last = await open(folder.path);
  assertEquals(summariesOf(last), ["kept", "later"]);
});

Deno.test("after a failed sync of the journal only what it covered is refused, and deletions are repeated", async () => {
  await using folder = await scratch();
  await using opened = await open(folder.path);
  for (const name of ["one", "two"]) await add(opened, name);
  const { syncData } = Deno.FsFile.prototype;
  try {
    Deno.FsFile.prototype.syncData = () => Promise.reject(new Error("I/O error"));
    opened.store.deleteAll(opened.store.list({}).slice(-1));
    const [lost, deleted] = await Promise.allSettled([
      add(opened, "lost"),
      opened.store.settled(),
    ]);
    assertEquals([lost.status, deleted.status], ["rejected", "rejected"]);
  } finally {
    Deno.FsFile.prototype.syncData = syncData;
  }
  await add(opened, "three");
  assertEquals(summariesOf(opened), ["two", "three"]);
  assertEquals(await killed(folder.path), ["two", "three"]);
});

/** The longer of the two files. */
async function wholeJournal(
  folder: string,
): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
  const files = await Promise.all(["journal-1", "journal-2"].map(async (name) => ({
    name,
    bytes: await Deno.readFile(`${folder}/${name}`),
  })));
  return files[0]!.bytes.length > files[1]!.bytes.length ? files[0]! : files[1]!;
}

Deno.test("a sync does not count what was cut off and appended again while it ran", async () => {
  await using folder = await scratch();
  using file = new JournalFile(join(folder.path, "journal"));
  const frame = (bytes: number): Uint8Array => new Uint8Array(HEAD_ROOM + bytes).fill(1);
  file.append(frame(100));
  await file.sync();
  const kept = file.bytes;
  file.append(frame(5000));
  const syncing = file.sync();
  file.cut(kept);
  file.append(frame(300));
  await syncing;
  assertEquals([file.synced, file.isSynced], [kept, false]);
  await file.sync();
  assert(file.isSynced);
  let row = 0;
  const found = file.frames(({ length }) => ({ first: ++row, last: row, length }), {
    moved: 0,
    salt: 0,
  });
  assertEquals(found.map(({ decoded }) => decoded.length), [100, 300]);
});
