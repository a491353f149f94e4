/**
 * `deno task new plugin ID [--kind K]` and `deno task new provider ID --plugin P`: files and tests with the right names,
 * which compile and pass at once. With `--vendor`, a provider also gets a sample for `standin demo`, and its rows in the
 * pages that list every provider.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { compact } from "../core/compact.ts";
import { captureOf } from "./scaffold/capture.ts";
import { addElement, addImport, addSample, readState } from "./scaffold/edit.ts";
import { capitalize, checkId, type Kind, KINDS } from "./scaffold/names.ts";
import { pluginFiles } from "./scaffold/plugin.ts";
import { providerFiles } from "./scaffold/provider.ts";
import { inChangelog, inPage, inReadme, type Listed } from "./scaffold/rows.ts";

const USAGE = `Usage: deno task new plugin ID [--kind ${KINDS.join("|")}]
       deno task new provider ID --plugin P [--kind ${KINDS.join("|")}]
       deno task new provider ID --plugin P --vendor NAME [--path /PATH]`;

async function main(args: readonly string[]): Promise<number> {
  const unknown: string[] = [];
  const flags = parseArgs(args, {
    string: ["plugin", "kind", "vendor", "path"],
    unknown: (arg, key) => key === undefined || unknown.push(arg) === 0,
  });
  const [what, id] = flags._.map(String);
  if (id === undefined || (what !== "plugin" && what !== "provider")) {
    console.error(USAGE);
    return 1;
  }
  try {
    if (unknown.length > 0) throw new TypeError(`Cannot use ${unknown[0]}\n${USAGE}`);
    const kind = readKind(flags.kind);
    const vendor = readVendor(flags, what === "provider" && kind === "ingress");
    const files = what === "plugin"
      ? await newPlugin(checkId(id), kind)
      : await newProvider(checkId(id), { plugin: readPlugin(flags.plugin), kind, vendor });
    await format(files);
    for (const file of files) console.log(file);
    const tests = files.filter((file) => file.endsWith("_test.ts")).join(" ");
    console.log(`\nRun \`deno task test ${tests}\`; CONTRIBUTING.md says what comes next.`);
    return 0;
  } catch (error) {
    console.error(`Error: ${error instanceof Error ? error.message : error}`);
    return 1;
  }
}

function readKind(value: unknown): Kind {
  const kind = KINDS.find((word) => word === (value ?? "ingress"));
  if (kind !== undefined) return kind;
  throw new TypeError(`Cannot use --kind "${value}": valid kinds are ${KINDS.join(", ")}`);
}

function readPlugin(value: unknown): string {
  if (typeof value === "string") return checkId(value);
  throw new TypeError("Cannot tell where the provider belongs: give --plugin");
}

/** The vendor's name, and the path of its call. */
type Vendor = Pick<Listed, "vendor" | "path">;

function readVendor(
  flags: Readonly<Record<string, unknown>>,
  isAllowed: boolean,
): Partial<Vendor> {
  const [vendor, path] = [flags.vendor, flags.path].map((flag) =>
    flag === undefined ? undefined : String(flag)
  );
  if (!isAllowed && (vendor ?? path) !== undefined) {
    throw new TypeError("Cannot use --vendor and --path: they are for providers of kind ingress");
  }
  if (vendor !== undefined && !/^[\p{L}\p{N}][\p{L}\p{N} .&+-]*$/u.test(vendor)) {
    throw new TypeError(`Cannot use --vendor "${vendor}": expected a name`);
  }
  if (path !== undefined && !/^(?:\/[\w.~-]+)+$/.test(path)) {
    throw new TypeError(`Cannot use --path "${path}": expected a path such as /v3/send`);
  }
  return compact({ vendor, path });
}

/** A plugin needs a provider: its first one is `<id>1`. */
async function newPlugin(id: string, kind: Kind): Promise<readonly string[]> {
  const files = pluginFiles(id);
  await writeNew(files);
  const list = "plugins/standard.ts";
  const source = await Deno.readTextFile(list);
  await Deno.writeTextFile(
    list,
    addElement(
      addImport(source, `import { ${id} } from "./${id}/mod.ts";`),
      "STANDARD_PLUGINS: readonly AnyPlugin[] =",
      id,
    ),
  );
  const provider = await newProvider(`${id}1`, { plugin: id, kind });
  return [list, ...files.keys(), ...provider].filter((file, at, all) => all.indexOf(file) === at);
}

async function newProvider(
  id: string,
  { plugin, kind, vendor = {} }: {
    readonly plugin: string;
    readonly kind: Kind;
    readonly vendor?: Partial<Vendor>;
  },
): Promise<readonly string[]> {
  const list = `plugins/${plugin}/mod.ts`;
  const source = await readList(list, plugin);
  const state = readState(source);
  const capture = captureOf(plugin);
  await checkCapture(plugin, capture.name);
  const files = providerFiles({
    id,
    plugin,
    kind,
    vendor: vendor.vendor ?? capitalize(id),
    path: vendor.path ?? `/${id}/send`,
    capture,
    stateType: state.type,
    stateFrom: `../${state.from.replace(/^\.\//, "")}`,
    port: 3100 + [...id].reduce((sum, char) => sum + char.charCodeAt(0), 0) % 800,
  });
  const imported = addImport(source, `import { ${id} } from "./${id}/mod.ts";`);
  const { path = `/${id}/send`, vendor: name } = vendor;
  const edited = new Map([
    [list, addElement(imported, "providers:", id)],
    ...(name === undefined ? [] : await listed({ id, plugin, vendor: name, path })),
  ]);
  await writeNew(files);
  for (const [path, text] of edited) await Deno.writeTextFile(path, text);
  return [...edited.keys(), ...files.keys()];
}

/** Files that list a provider beside the others of its plugin, with their new text; a sample for the demo among them. */
async function listed(about: Listed): Promise<readonly (readonly [path: string, text: string])[]> {
  const edits: readonly (readonly [string, (source: string) => string])[] = [
    ["README.md", (source) => inReadme(source, about)],
    ["CHANGELOG.md", (source) => inChangelog(source, about)],
    [`docs/${about.plugin}.md`, (source) => inPage(source, about)],
    [`plugins/${about.plugin}/demo.ts`, (source) => addSample(source, about)],
  ];
  const changed: (readonly [string, string])[] = [];
  for (const [path, edit] of edits) {
    if (await exists(path)) changed.push([path, edit(await Deno.readTextFile(path))]);
  }
  return changed;
}

async function readList(path: string, plugin: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Error(`Cannot add to plugin "${plugin}": ${path} does not exist`);
  }
}

/** Throws if the plugin lacks a function that captures a message of any provider. */
async function checkCapture(plugin: string, name: string): Promise<void> {
  const path = `plugins/${plugin}/capture.ts`;
  const source = await exists(path) ? await Deno.readTextFile(path) : "";
  if (source.includes(`function ${name}(`)) return;
  throw new Error(
    `Cannot write a provider of plugin "${plugin}": expected ${name}() in ${path}, which records a message`,
  );
}

/** Writes nothing unless every file is new. */
async function writeNew(files: ReadonlyMap<string, string>): Promise<void> {
  for (const path of files.keys()) {
    if (await exists(path)) throw new Error(`Cannot write ${path}: it already exists`);
  }
  for (const [path, text] of files) {
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(path, text);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Lengths of names differ, so the formatter has to break the lines. */
async function format(files: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--quiet", ...files],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

if (import.meta.main) Deno.exit(await main(Deno.args));
