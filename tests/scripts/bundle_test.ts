/** The bundle of a compiled program does not depend on where it is built. */
import { assert, assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import { bundle } from "../../scripts/bundle.ts";
import { scratch } from "../support/files.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** The part of a checkout that is bundled. */
const SOURCES = ["core", "plugins", "ui", "main.ts", "mod.ts", "deno.json", "deno.lock"];

async function copy(from: string, to: string): Promise<void> {
  if ((await Deno.stat(from)).isFile) return await Deno.copyFile(from, to);
  await Deno.mkdir(to);
  for await (const { name } of Deno.readDir(from)) await copy(`${from}/${name}`, `${to}/${name}`);
}

/** Name, modification time in milliseconds, and text of every file. */
async function bundled(root: string, folder: string): Promise<ReadonlyMap<string, string>> {
  await Deno.mkdir(folder);
  const { ok, text } = await bundle(folder, root);
  assert(ok, text);
  const files = new Map<string, string>();
  for await (const { name } of Deno.readDir(folder)) {
    const { mtime } = await Deno.stat(`${folder}/${name}`);
    const content = await Deno.readTextFile(`${folder}/${name}`);
    files.set(`${name} of ${mtime?.toISOString()}`, content);
  }
  return files;
}

Deno.test("two checkouts in different folders make the same bundle, which names no folder of the machine", async () => {
  await using place = await scratch();
  const other = `${place.path}/an/other folder`;
  await Deno.mkdir(other, { recursive: true });
  for (const name of SOURCES) await copy(`${ROOT}${name}`, `${other}/${name}`);
  const first = await bundled(ROOT, `${place.path}/first`);
  const second = await bundled(other, `${place.path}/second`);
  assert(first.has("main.js of 1980-01-01T00:00:00.000Z"));
  assertEquals([...second.keys()].toSorted(), [...first.keys()].toSorted());
  for (const [name, text] of first) {
    // Not assertEquals, which would compare megabytes line by line.
    assert(second.get(name) === text, `${name} differs`);
    assert(!text.includes(ROOT) && !/\.\.\/.*\/npm\//.test(text), `${name} names a folder`);
  }
});
