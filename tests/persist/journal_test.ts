/** The journal of events on disk: what a start finds in it after the program was killed, torn writes, and damage. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path/join";
import { DatabaseSync } from "node:sqlite";
import { MemoryBlobStore } from "../../core/blobs/memory.ts";
import { ConfigError } from "../../core/errors.ts";
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
    for (const [i, name] of names.entries()) {
      const kept = add(opened, name, 2048);
      if (i % 100 === 99) await kept;
    }
    assertEquals(await killed(folder.path, capacity), names.slice(-capacity));
    const sizes = [1, 2].map((n) => Deno.statSync(`${folder.path}/journal-${n}`).size);
    assert(sizes.every((size) => size < 20e6), `${sizes}`);
  }
  assertEquals((await wholeJournal(folder.path)).bytes.length, 0, "a stop empties it");
  await using again = await open(folder.path, capacity);
  assertEquals(summariesOf(again), names.slice(-capacity));
});

Deno.test("every event of full files is moved if all are held", async () => {
  await using folder = await scratch();
  const names = Array.from({ length: 9000 }, (_, i) => `event ${i}`);
  {
    await using opened = await open(folder.path, names.length);
    for (const [i, name] of names.entries()) {
      const kept = add(opened, name, 2048);
      if (i % 100 === 99) await kept;
    }
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
  assertEquals(file.frames().map(({ payload }) => payload.length), [100, 300]);
});
