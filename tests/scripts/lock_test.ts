/** Users of the program fetch only what it needs, and no vendor SDK. */
import { assertEquals } from "@std/assert";
import manifest from "../../deno.json" with { type: "json" };
import ui from "../../ui/deno.json" with { type: "json" };

const ROOT = new URL("../../", import.meta.url);

/** Returns `npm:@scope/name@1.2.3/inner/path.js` without the path. */
function packageOf(specifier: string): string {
  return /^npm:(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}

Deno.test("deno.lock names only what the import maps name", async () => {
  const lock = JSON.parse(await Deno.readTextFile(new URL("deno.lock", ROOT))) as {
    readonly specifiers: Readonly<Record<string, string>>;
  };
  const mapped = new Set(
    [...Object.values(manifest.imports), ...Object.values(ui.imports)].map(packageOf),
  );
  const more = Object.keys(lock.specifiers).filter((specifier) => !mapped.has(specifier));
  assertEquals(more, [], "Import it in the test as npm:name@version, then run `deno task lock`");
});

Deno.test("the browser code is checked with the libraries it runs with", () => {
  const scope: Readonly<Record<string, string>> = manifest.scopes["./ui/static/"];
  const maps: Readonly<Record<string, string>> = { ...manifest.imports, ...scope };
  for (const [name, target] of Object.entries(ui.imports)) {
    assertEquals(maps[name]?.replace("./ui/", "./"), target, name);
  }
  for (const name of Object.keys(scope)) assertEquals(name in ui.imports, true, name);
});

Deno.test("the program imports every package of the import maps", async () => {
  const folders = ["core", "plugins", "scripts", "ui"];
  const sources = await Promise.all(folders.map((name) => readSources(new URL(`${name}/`, ROOT))));
  const text = sources.join("\n");
  const used = (name: string) => text.includes(`"${name}"`);
  const packages = Map.groupBy(
    [...Object.entries(manifest.imports), ...Object.entries(ui.imports)],
    ([, target]) => packageOf(target),
  );
  const unused = [...packages].filter(([, entries]) => !entries.some(([name]) => used(name)));
  assertEquals(unused.map(([name]) => name), [], "Import it in the test as npm:name@version");
});

Deno.test("every package with a build script is denied by name, so that no start warns about it", async () => {
  const lock = JSON.parse(await Deno.readTextFile(new URL("deno.lock", ROOT))) as {
    readonly npm: Readonly<Record<string, { readonly scripts?: true }>>;
  };
  const built = Object.entries(lock.npm).filter(([, { scripts }]) => scripts === true)
    .map(([name]) => `npm:${name.slice(0, name.lastIndexOf("@"))}`);
  assertEquals(built.sort(), [...manifest.allowScripts.deny].sort());
});

Deno.test("an SDK has the same version in Node as in Deno, and its lock file names no registry", async () => {
  const read = async (name: string): Promise<string> =>
    await Deno.readTextFile(new URL(`tests/${name}`, ROOT));
  const { specifiers } = JSON.parse(await read("deno.lock")) as {
    readonly specifiers: Readonly<Record<string, string>>;
  };
  const { dependencies } = JSON.parse(await read("clients/npm/package.json")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const ours = new Set(Object.values(manifest.imports).map(packageOf));
  const others = Object.keys(specifiers).map(packageOf).filter((specifier) => {
    const at = specifier.lastIndexOf("@");
    const inNode = dependencies[specifier.slice("npm:".length, at)];
    return inNode !== undefined && inNode !== specifier.slice(at + 1) && !ours.has(specifier);
  });
  assertEquals(
    others,
    [],
    "Change it in tests/clients/npm/package.json, and run `npm install --package-lock-only` there",
  );
  assertEquals((await read("clients/npm/package-lock.json")).includes('"resolved"'), false);
});

/** Yields the sources below a folder, without tests. */
async function readSources(folder: URL): Promise<string> {
  const texts: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    const url = new URL(entry.isDirectory ? `${entry.name}/` : entry.name, folder);
    if (entry.isDirectory) texts.push(await readSources(url));
    else if (/(?<!_test)\.[jt]s$/.test(entry.name)) texts.push(await Deno.readTextFile(url));
  }
  return texts.join("\n");
}
