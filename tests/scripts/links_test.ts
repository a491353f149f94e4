/** Links and task names in the documents are valid. */
import { assertEquals } from "@std/assert";

/** `[text](target)`, and the pictures of `<picture>`. */
const LINK = /(?:\]\(|\bsrc(?:set)?=")([^)"\s]+)/g;
const ROOT = new URL("../../", import.meta.url);

async function* documents(folder: URL): AsyncGenerator<URL> {
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isDirectory) yield* documents(new URL(`${entry.name}/`, folder));
    else if (entry.name.endsWith(".md")) yield new URL(entry.name, folder);
  }
}

async function exists(file: URL): Promise<boolean> {
  try {
    await Deno.stat(file);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

Deno.test("every relative link of a document resolves", async () => {
  const files = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map((name) => new URL(name, ROOT));
  for (const folder of ["docs/", "plugins/"]) {
    for await (const file of documents(new URL(folder, ROOT))) files.push(file);
  }
  const dead: string[] = [];
  for (const file of files) {
    for (const [, target = ""] of (await Deno.readTextFile(file)).matchAll(LINK)) {
      if (/^(https?:|mailto:|#)/.test(target)) continue;
      if (!await exists(new URL(target.replace(/#.*/, ""), file))) {
        dead.push(`${file.pathname.slice(ROOT.pathname.length)}: ${target}`);
      }
    }
  }
  assertEquals(dead, []);
});

Deno.test("every task that a document names exists", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT))) as {
    readonly tasks: Readonly<Record<string, unknown>>;
  };
  const unknown: string[] = [];
  for (const name of ["README.md", "CONTRIBUTING.md"]) {
    const text = await Deno.readTextFile(new URL(name, ROOT));
    for (const [, task = ""] of text.matchAll(/deno(?:@[\d.]+)? task (\w+)/g)) {
      if (!(task in tasks)) unknown.push(`${name}: ${task}`);
    }
  }
  assertEquals(unknown, []);
});
