/**
 * `deno task assets [--check]`: writes `ui/assets.ts`, which puts every file of the user interface
 * and the libraries it uses into the module graph, and so into a compiled program, and lists what
 * the first page needs. With `--check` it only reports whether the file is up to date.
 *
 * @module
 */
import { LIBRARIES } from "../ui/library.ts";
import { withArguments } from "./arguments.ts";

const ROOT = new URL("../", import.meta.url);
const TARGET = new URL("ui/assets.ts", ROOT);
const STATIC = new URL("ui/static/", ROOT);

/** Files that are served; declarations and notes are not. */
const SERVED = /\.(?:js|css|html|svg)$/;

/** Returns the expected text of `ui/assets.ts`. */
export async function renderAssets(): Promise<string> {
  const names = (await listFiles(STATIC, "")).filter((name) =>
    SERVED.test(name) && !/_test\.js$/.test(name)
  ).sort();
  const entries = [
    ...[...LIBRARIES.values()].map((name) => ({ specifier: name.replace(/\.js$/, ""), name })),
    ...names.map((name) => ({ specifier: `./static/${name}`, name })),
  ];
  const early = [...LIBRARIES.values(), ...await importsOf("app.js")].sort();
  return [
    "// Written by scripts/ui_assets.ts. A test fails if it is out of date: run `deno task assets`.",
    ...entries.map(({ specifier, name }) =>
      fold(`import ${toIdentifier(name)} from "${specifier}" with {`, `type: "text"`, "};")
    ),
    'import { toAssets } from "./library.ts";',
    "",
    "/** Every file of the user interface, by its name under `/ui/assets/`. */",
    "export const ASSETS: ReadonlyMap<string, string> = toAssets([",
    ...entries.map(({ name }) => `  ["${name}", ${toIdentifier(name)}],`),
    "], [",
    ...early.map((name) => `  "${name}",`),
    "]);",
    "",
  ].join("\n");
}

const COMMENT = /\/\*[^]*?\*\//g;
/** Static imports of our own modules; dynamically imported ones are not needed at first. */
const IMPORT = /(?:\bfrom|\bimport)\s*"(\.[^"]+)"/g;

/** Returns all static dependencies of a module, in no particular order. */
async function importsOf(name: string, found = new Set<string>()): Promise<ReadonlySet<string>> {
  const text = await Deno.readTextFile(new URL(name, STATIC));
  for (const [, specifier = ""] of text.replaceAll(COMMENT, "").matchAll(IMPORT)) {
    const imported = new URL(specifier, new URL(name, STATIC)).href.slice(STATIC.href.length);
    if (found.has(imported)) continue;
    found.add(imported);
    await importsOf(imported, found);
  }
  return found;
}

/** One line, or three if it would be too long for the formatter. */
function fold(begin: string, inner: string, end: string): string {
  const line = `${begin} ${inner} ${end}`;
  return line.length <= 100 ? line : `${begin}\n  ${inner},\n${end}`;
}

function toIdentifier(name: string): string {
  return name.replace(/[^A-Za-z0-9]+/g, "_");
}

async function listFiles(folder: URL, prefix: string): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isDirectory) {
      const inner = new URL(`${entry.name}/`, folder);
      names.push(...await listFiles(inner, `${prefix}${entry.name}/`));
    } else names.push(prefix + entry.name);
  }
  return names;
}

async function main(args: readonly string[]): Promise<number> {
  const wanted = await renderAssets();
  const found = await Deno.readTextFile(TARGET).catch(() => "");
  if (found === wanted) return 0;
  if (args.includes("--check")) {
    console.error('Cannot accept ui/assets.ts: it is out of date. Run "deno task assets"');
    return 1;
  }
  await Deno.writeTextFile(TARGET, wanted);
  return 0;
}

if (import.meta.main) Deno.exit(await withArguments(Deno.args, ["--check"], main));
