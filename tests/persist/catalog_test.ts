import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CatalogWriteError, openCatalog } from "../../core/persist/catalog.ts";
import { scratch } from "../support/files.ts";

const SCHEMA = { version: 1, create: "CREATE TABLE word (text TEXT NOT NULL UNIQUE) STRICT" };

Deno.test("a failed transaction changes nothing, and the next one works", async () => {
  await using folder = await scratch();
  {
    using catalog = openCatalog(folder.path, SCHEMA);
    const add = (...words: readonly string[]) =>
      catalog.transaction(() => {
        for (const word of words) catalog.run("INSERT INTO word VALUES (?)", word);
      });
    add("one");
    assertThrows(() => add("two", "one"), CatalogWriteError, "catalog.db");
    assertThrows(
      () =>
        catalog.transaction(() => {
          catalog.run("INSERT INTO word VALUES (?)", "three");
          throw new RangeError("A fault of ours");
        }),
      RangeError,
    );
    add("four");
    await Promise.all([catalog.settled(), catalog.settled(), catalog.settled()]);
  }
  using catalog = openCatalog(folder.path, SCHEMA);
  const words = catalog.all("SELECT text FROM word ORDER BY text").map(({ text }) => text);
  assertEquals(words, ["four", "one"]);
});

for (const when of ["before the first change", "between two changes"]) {
  Deno.test(`a log deleted ${when} is an error`, async () => {
    await using folder = await scratch();
    using catalog = openCatalog(folder.path, SCHEMA);
    if (when !== "before the first change") await catalog.settled();
    await Deno.remove(`${folder.path}/catalog.db-wal`);
    await assertRejects(() => catalog.settled(), CatalogWriteError);
  });
}

Deno.test("a truncated log is synced as before", async () => {
  await using folder = await scratch();
  using catalog = openCatalog(folder.path, { ...SCHEMA, logPages: 1 });
  for (const word of ["one", "two"]) {
    catalog.transaction(() => catalog.run("INSERT INTO word VALUES (?)", word));
    await catalog.settled();
    catalog.all("PRAGMA wal_checkpoint(TRUNCATE)");
    await catalog.settled();
  }
  const { size, nlink } = await Deno.stat(`${folder.path}/catalog.db-wal`);
  assertEquals([size, nlink], [0, 1]);
});

Deno.test("the sync after a failed one also covers what that one may have lost", async (t) => {
  await using folder = await scratch();
  using catalog = openCatalog(folder.path, SCHEMA);
  const wal = `${folder.path}/catalog.db-wal`;
  catalog.transaction(() => catalog.run("INSERT INTO word VALUES ('before')"));
  await catalog.settled();
  await t.step("the failure is reported", async () => {
    const { syncData } = Deno.FsFile.prototype;
    Deno.FsFile.prototype.syncData = () => Promise.reject(new Error("I/O error"));
    try {
      catalog.transaction(() => catalog.run("INSERT INTO word VALUES ('doubtful')"));
      await assertRejects(() => catalog.settled(), CatalogWriteError, "I/O error");
    } finally {
      Deno.FsFile.prototype.syncData = syncData;
    }
  });
  await t.step("nothing depends on the old log", async () => {
    catalog.transaction(() => catalog.run("INSERT INTO word VALUES ('after')"));
    await catalog.settled();
    assertEquals((await Deno.stat(wal)).size, 0);
  });
});
