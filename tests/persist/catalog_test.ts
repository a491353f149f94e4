import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CatalogWriteError, openCatalog } from "../../core/persist/catalog.ts";
import { scratch } from "../support/files.ts";

const SCHEMA = { version: 1, create: "CREATE TABLE word (text TEXT NOT NULL UNIQUE) STRICT" };

Deno.test("a transaction that fails changes nothing, and the next one is made", async () => {
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
  Deno.test(`a log that is gone ${when} cannot be relied on`, async () => {
    await using folder = await scratch();
    using catalog = openCatalog(folder.path, SCHEMA);
    if (when !== "before the first change") await catalog.settled();
    await Deno.remove(`${folder.path}/catalog.db-wal`);
    await assertRejects(() => catalog.settled(), CatalogWriteError);
  });
}

Deno.test("a log that begins anew, empty, is synced as before", async () => {
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
