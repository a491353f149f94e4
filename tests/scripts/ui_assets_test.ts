import { assert, assertEquals } from "@std/assert";
import { renderAssets } from "../../scripts/ui_assets.ts";
import { ASSETS } from "../../ui/assets.ts";
import { folderAssets } from "../../core/cli/assets.ts";
import { toServed } from "../../ui/library.ts";

const UI = new URL("../../ui/", import.meta.url);

Deno.test("ui/assets.ts lists the files of ui/static", async () => {
  assertEquals(await Deno.readTextFile(new URL("assets.ts", UI)), await renderAssets());
});

Deno.test("every import of a served module resolves to a served module", () => {
  const missing: string[] = [];
  for (const [name, text] of ASSETS) {
    if (!name.endsWith(".js")) continue;
    for (
      const [, specifier] of text.matchAll(/\b(?:from|import)\s*["'](\.{0,2}\/[\w./-]+\.js)["']/g)
    ) {
      const { pathname } = new URL(specifier!, `http://x/ui/assets/${name}`);
      if (!ASSETS.has(pathname.replace("/ui/assets/", ""))) missing.push(`${name}: ${specifier}`);
    }
  }
  assertEquals(missing, []);
});

Deno.test("every file that the shell names is served", () => {
  const shell = ASSETS.get("index.html")!;
  const names = [...shell.matchAll(/\/ui\/assets\/([\w./-]+)"/g)].map(([, name]) => name!);
  assert(names.length > 3);
  assertEquals(names.filter((name) => !ASSETS.has(name)), []);
});

Deno.test("the shell names every module needed for the first page, and no others", () => {
  const needed = new Set<string>();
  const gather = (name: string) => {
    if (needed.has(name)) return;
    needed.add(name);
    for (
      const [, specifier] of ASSETS.get(name)!.matchAll(
        /^(?:import|export|\} from)[^;]*?"(\.{0,2}\/[\w./-]+\.js)"/gm,
      )
    ) {
      if (specifier === undefined) continue;
      gather(new URL(specifier, `http://x/ui/assets/${name}`).pathname.replace("/ui/assets/", ""));
    }
  };
  gather("app.js");
  needed.delete("app.js");
  const named = [
    ...ASSETS.get("index.html")!.matchAll(/modulepreload" href="\/ui\/assets\/([^"]+)"/g),
  ]
    .map(([, name]) => name!);
  const own = (names: Iterable<string>) =>
    [...names].filter((name) => !name.startsWith("library/")).sort();
  assertEquals(own(named), own(needed));
});

Deno.test("no file of the interface builds markup from text, or names another host", () => {
  const found: string[] = [];
  for (const [name, text] of ASSETS) {
    if (name.startsWith("library/")) continue;
    if (/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|dangerously/.test(text)) {
      found.push(`${name} makes markup`);
    }
    const hosts = [...text.matchAll(/["'(]https?:\/\/([\w.-]+)/g)].map(([, host]) => host!);
    if (hosts.some((host) => host !== "www.w3.org")) found.push(`${name} names ${hosts.join()}`);
  }
  assertEquals(found, []);
});

Deno.test("files of a folder are prepared for serving, but only those that are built in", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const built = new Map([["a.js", "1"], ["b.js", "built in"]]);
    const assets = folderAssets({ assets: built, toServed }, folder);
    await Deno.writeTextFile(`${folder}/a.js`, 'import { h } from "preact";');
    await Deno.writeTextFile(`${folder}/c.js`, "not asked for");
    assertEquals(assets.get("a.js"), 'import { h } from "/ui/assets/library/preact.js";');
    assertEquals([assets.get("b.js"), assets.get("c.js")], ["built in", undefined]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
