/** Whoever runs the program fetches what the program needs, and no vendor SDK. */
import { assertEquals } from "@std/assert";
import manifest from "../../deno.json" with { type: "json" };
import ui from "../../ui/deno.json" with { type: "json" };

const ROOT = new URL("../../", import.meta.url);

/** `npm:@scope/name@1.2.3/inner/path.js` without the path. */
function packageOf(specifier: string): string {
  return /^npm:(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}

Deno.test("deno.lock names nothing but what the import maps name", async () => {
  const lock = JSON.parse(await Deno.readTextFile(new URL("deno.lock", ROOT))) as {
    readonly specifiers: Readonly<Record<string, string>>;
  };
  const mapped = new Set(
    [...Object.values(manifest.imports), ...Object.values(ui.imports)].map(packageOf),
  );
  const more = Object.keys(lock.specifiers).filter((specifier) => !mapped.has(specifier));
  assertEquals(more, [], "Import it in the test as npm:name@version, then run `deno task lock`");
});

Deno.test("the browser code is checked with what it runs with", () => {
  const scope: Readonly<Record<string, string>> = manifest.scopes["./ui/static/"];
  const maps: Readonly<Record<string, string>> = { ...manifest.imports, ...scope };
  for (const [name, target] of Object.entries(ui.imports)) {
    assertEquals(maps[name]?.replace("./ui/", "./"), target, name);
  }
  for (const name of Object.keys(scope)) assertEquals(name in ui.imports, true, name);
});

Deno.test("the import map holds nothing that only tests in tests/ import", async () => {
  const sources = await Promise.all(
    ["core", "plugins", "scripts", "ui"].map((folder) => readAll(new URL(`${folder}/`, ROOT))),
  );
  const text = sources.join("\n");
  const unused = Object.keys(manifest.imports).filter((name) => !text.includes(`"${name}"`));
  assertEquals(unused, [], "Import it in the test as npm:name@version instead");
});

async function readAll(folder: URL): Promise<string> {
  const texts: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isDirectory) texts.push(await readAll(new URL(`${entry.name}/`, folder)));
    else if (/\.[jt]s$/.test(entry.name)) {
      texts.push(await Deno.readTextFile(new URL(entry.name, folder)));
    }
  }
  return texts.join("\n");
}
