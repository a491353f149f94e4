/**
 * Bundles everything that the program loads into a few files. Compiled from its sources, the
 * program would contain every file of every package and load each module separately: a quarter
 * larger, and three times as slow to start. Decision 0020.
 *
 * @module
 */
import { relative } from "node:path";

/** Output of a step, and whether it succeeded. */
export interface Outcome {
  readonly ok: boolean;
  readonly text: string;
}

/** The earliest date of ZIP, as in the packages. */
const SOURCE_TIME = new Date("1980-01-01T00:00:00Z");

/** Optional native parts of packages, which run without them. */
const NOT_BUNDLED = ["*.node", "cpu-features"];

/** File that starts the program. */
const ENTRY = "main.js";

/**
 * Bundles the program of the checkout `root` into the empty `folder`. The same sources yield the
 * same bytes, wherever they, the packages and `folder` are.
 */
export async function bundle(folder: string, root: string = Deno.cwd()): Promise<Outcome> {
  const flags = ["--quiet", "--no-check", "--platform=deno", "--code-splitting"];
  for (const name of NOT_BUNDLED) flags.push("--external", name);
  const outcome = await deno(["bundle", ...flags, "--outdir", folder, "main.ts"], { cwd: root });
  if (!outcome.ok) return outcome;
  const { text: info } = await deno(["info", "--json"], { cwd: root });
  const packages = relative(root, JSON.parse(info).npmCache).replaceAll("\\", "/");
  const files = await readBundle(folder);
  for (const name of files.keys()) await Deno.remove(`${folder}/${name}`);
  for (const [name, text] of sameEverywhere(files, packages)) {
    const path = `${folder}/${name}`;
    await Deno.writeTextFile(path, likeNode(text));
    // The compiler stores modification times.
    await Deno.utime(path, SOURCE_TIME, SOURCE_TIME);
  }
  return outcome;
}

/** Runs Deno, by default this one, and returns its output. */
export async function deno(
  args: readonly string[],
  { program = Deno.execPath(), env = {}, cwd = Deno.cwd() }: {
    readonly program?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly cwd?: string;
  } = {},
): Promise<Outcome> {
  const result = await new Deno.Command(program, {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return {
    ok: result.success,
    text: decoder.decode(result.stdout) + decoder.decode(result.stderr),
  };
}

async function readBundle(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for await (const { name } of Deno.readDir(folder)) {
    files.set(name, await Deno.readTextFile(`${folder}/${name}`));
  }
  return files;
}

/** A file of the bundle as another one imports it. */
const IMPORTED = /"\.\/([^"/]+\.js)"/g;

/**
 * The bundler writes the local paths of packages into comments and module names, and derives file
 * names from them. This replaces them by one fixed folder, and numbers files in import order.
 */
function sameEverywhere(
  files: ReadonlyMap<string, string>,
  packages: string,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const visit = (name: string): void => {
    if (names.has(name) || !files.has(name)) return;
    const stem = name.replace(/(?:-[A-Z0-9]{8})?\.js$/, "");
    names.set(name, name === ENTRY ? name : `${stem}-${names.size}.js`);
    for (const [, imported = ""] of files.get(name)!.matchAll(IMPORTED)) visit(imported);
  };
  visit(ENTRY);
  // Below that folder is one for each registry.
  const here = new RegExp(`${RegExp.escape(packages)}/[^/\\s"']+/`, "g");
  return new Map(
    [...names].map(([name, renamed]) => {
      const text = files.get(name)!.replaceAll(here, "npm/")
        .replaceAll(IMPORTED, (whole, imported) => {
          const now = names.get(imported);
          return now === undefined ? whole : `"./${now}"`;
        });
      return [renamed, text];
    }),
  );
}

/** Globals that packages expect from Node: timer objects, and `__dirname`. */
const NODE_GLOBALS =
  'import { clearImmediate, clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from "node:timers";\n' +
  "const __dirname = import.meta.dirname;\n" +
  "const __absent = (name) => { throw new Error(`${name} is not part of this program`); };\n";

const LOOKS_FOR_THEM = /__commonJS\(|\.(?:refresh|unref)\(\)/;
/** Requires a module that is neither in the bundle nor in the platform. */
const REQUIRED_ELSEWHERE = /__require\((?="(?!node:))/g;

/**
 * Gives modules of packages the globals of Node. Modules outside the bundle are never resolved from
 * the file system, where anyone could have placed one of that name.
 */
function likeNode(text: string): string {
  if (!LOOKS_FOR_THEM.test(text)) return text;
  return NODE_GLOBALS + text.replaceAll(REQUIRED_ELSEWHERE, "__absent(");
}
