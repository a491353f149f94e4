/**
 * `docs/licences.md` lists the packages of the program correctly, and none with a copyleft licence.
 */
import { assert, assertEquals } from "@std/assert";

const ROOT = new URL("../../", import.meta.url);

/** Allowed licences: each requires only attribution. */
const ALLOWED: readonly string[] = [
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0",
  "Unlicense",
];

interface Row {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

async function listed(): Promise<readonly Row[]> {
  const text = await Deno.readTextFile(new URL("docs/licences.md", ROOT));
  return [...text.matchAll(/^\| `([^`]+)` +\| (\S+) +\| (\S+) +\|$/gm)]
    .map(([, name = "", version = "", licence = ""]) => ({ name, version, licence }));
}

/** Returns `@scope/name@1.2.3_peer@4.5.6` without its peers. */
async function locked(): Promise<readonly string[]> {
  const lock = JSON.parse(await Deno.readTextFile(new URL("deno.lock", ROOT))) as {
    readonly npm: Readonly<Record<string, unknown>>;
  };
  return Object.keys(lock.npm).map((key) => /^(@?[^@]+@[^_]+)/.exec(key)![1]!);
}

Deno.test("every package of deno.lock is listed with its version", async () => {
  const rows = new Set((await listed()).map(({ name, version }) => `${name}@${version}`));
  const packages = await locked();
  assert(packages.length > 10);
  assertEquals(packages.filter((one) => !rows.has(one)), [], "Add them to docs/licences.md");
});

Deno.test("every listed licence is allowed", async () => {
  const rows = await listed();
  assertEquals(rows.filter(({ licence }) => !ALLOWED.includes(licence)), []);
});

Deno.test("the licences of the packages on this machine are those listed", async () => {
  const folders = await packageFolders();
  const wrong: string[] = [];
  let seen = 0;
  for (const { name, version, licence } of await listed()) {
    const stated = await statedLicence(folders.map((at) => `${at}/${name}/${version}`));
    if (stated === undefined) continue;
    seen++;
    if (stated !== licence) wrong.push(`${name}: ${stated}, not ${licence}`);
  }
  assertEquals(wrong, []);
  // A package that this test imports is on every machine that runs it.
  assert(seen > 0);
});

/** Folder of fetched packages. */
async function packageFolders(): Promise<readonly string[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { npmCache } = JSON.parse(new TextDecoder().decode(stdout)) as { npmCache: string };
  const entries = await Array.fromAsync(Deno.readDir(npmCache));
  return entries.filter(({ isDirectory }) => isDirectory).map(({ name }) => `${npmCache}/${name}`);
}

async function statedLicence(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const text = await Deno.readTextFile(`${folder}/package.json`).catch(() => undefined);
    if (text === undefined) continue;
    const { license, licenses } = JSON.parse(text) as {
      readonly license?: string;
      readonly licenses?: readonly { readonly type: string }[];
    };
    return license ?? licenses?.[0]?.type;
  }
  return undefined;
}
