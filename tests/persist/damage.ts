import { assert, assertEquals, assertRejects } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { ConfigError } from "../../core/errors.ts";
import { noise, scratch } from "../support/files.ts";

/** Damage to a data folder: description, error, and how to cause it. */
export type Damage = readonly [what: string, says: string, damage: (folder: string) => void];

/** A plugin that stores its state in a folder. */
export interface Keeper {
  /** Subject of test titles. */
  readonly name: string;
  /** Name of its subfolder of the data folder. */
  readonly folder: string;
  /** Starts it, and stores something to damage. */
  fill(path: string): Promise<void>;
  start(path: string): Promise<AsyncDisposable>;
}

/** Runs SQL on the catalog of a folder. */
export function change(folder: string, sql: string): void {
  using database = new DatabaseSync(`${folder}/catalog.db`);
  database.exec(sql);
}

/** Names of the blobs in a folder. */
export function blobsIn(folder: string): string[] {
  return [...Deno.readDirSync(`${folder}/blobs`)].map(({ name }) => name).sort();
}

/** Damage that applies to every data folder. */
export const COMMON_DAMAGES: readonly Damage[] = [
  ["a catalog that is not a database", "not a database", (folder) => {
    Deno.writeFileSync(`${folder}/catalog.db`, noise(8192));
  }],
  ["a catalog of another version", "version 99", (folder) => {
    change(folder, "PRAGMA user_version = 99");
  }],
  ["missing bytes", "are missing", (folder) => {
    for (const name of blobsIn(folder)) Deno.removeSync(`${folder}/blobs/${name}`);
  }],
  ["bytes cut short", "3 bytes instead of", (folder) => {
    for (const name of blobsIn(folder)) Deno.truncateSync(`${folder}/blobs/${name}`, 3);
  }],
];

/** Adds a test for each damage: the start is refused, and nothing is changed. */
export function testDamages(keeper: Keeper, damages: readonly Damage[]): void {
  for (const [what, says, damage] of damages) {
    Deno.test(`a start of ${keeper.name} with ${what} is refused, and nothing is touched`, async () => {
      await using kept = await scratch();
      const folder = `${kept.path}/${keeper.folder}`;
      await keeper.fill(kept.path);
      damage(folder);
      const blobs = blobsIn(folder);
      const error = await assertRejects(() => keeper.start(kept.path), ConfigError);
      assert(error.message.includes(says), error.message);
      assertEquals(blobsIn(folder), blobs);
    });
  }
}

/** Adds a test that a start removes only bytes that are not in the catalog. */
export function testSweep(keeper: Keeper): void {
  Deno.test(`unreferenced bytes are swept when ${keeper.name} starts`, async () => {
    await using kept = await scratch();
    const folder = `${kept.path}/${keeper.folder}`;
    await keeper.fill(kept.path);
    const before = blobsIn(folder);
    assert(before.length > 0);
    await Deno.writeFile(`${folder}/blobs/orphan`, noise(10));
    await Deno.writeFile(`${folder}/blobs/.unfinished`, noise(10));
    await using _started = await keeper.start(kept.path);
    assertEquals(blobsIn(folder), before);
  });
}
