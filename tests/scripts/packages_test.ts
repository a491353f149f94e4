/** The client packages have the same bytes, wherever and whenever they are built. */
import { assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import { packGo } from "../../scripts/packages/go.ts";
import { packJava } from "../../scripts/packages/java.ts";
import { packClient } from "../../scripts/packages/node.ts";
import { packPython } from "../../scripts/packages/python.ts";
import { compareFolders } from "../../scripts/release/compare.ts";
import { copySource } from "../../scripts/release/source.ts";
import { requireMaven, runOk } from "../support/clients.ts";
import { scratch } from "../support/files.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

async function differing(first: string, second: string): Promise<readonly string[]> {
  const compared = await compareFolders(first, second);
  return compared.filter(({ same }) => !same).map(({ name }) => name);
}

Deno.test("packages for Node, Python and Go are the same from another folder and time zone", async () => {
  await using place = await scratch();
  const here = `${place.path}/here`;
  const there = `${place.path}/an other folder`;
  await Deno.mkdir(here);
  await copySource(ROOT, there);
  await packClient(here);
  await packPython(here);
  await packGo(here);
  const args = ["run", "--allow-all", "--no-lock", "scripts/packages/mod.ts"];
  await runOk(Deno.execPath(), [...args, "node", "python", "go"], {
    cwd: there,
    env: { TZ: "Asia/Tokyo", NO_COLOR: "1" },
    timeoutMs: 180_000,
  });
  assertEquals(await differing(here, `${there}/dist`), []);
  const made = (await Array.fromAsync(Deno.readDir(here))).map(({ name }) => name);
  assertEquals(made.length, 4, made.join());
});

Deno.test("the package for Java is the same every time", async (t) => {
  const found = await requireMaven(t, "junit");
  if (found === undefined) return;
  await using place = await scratch();
  for (const name of ["first", "second"]) {
    await Deno.mkdir(`${place.path}/${name}`);
    await packJava(`${place.path}/${name}`, { classPath: found.classPath });
  }
  assertEquals(await differing(`${place.path}/first`, `${place.path}/second`), []);
});
