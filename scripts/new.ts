/**
 * `deno task new plugin ID [--kind K]` and `deno task new provider ID --plugin P [--kind K]`: files and tests with the
 * right names, which compile and pass at once. With `--vendor`, the pages that list every provider list a new one, too.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { captureOf } from "./scaffold/capture.ts";
import { addElement, addImport, readState } from "./scaffold/edit.ts";
import { type Kind, KINDS } from "./scaffold/kinds.ts";
import { capitalize, checkId, type ProviderNames } from "./scaffold/names.ts";
import { documentProvider } from "./scaffold/document.ts";
import { pluginFiles } from "./scaffold/plugin.ts";
import { providerFiles } from "./scaffold/provider.ts";
import { readVendor, type Vendor, VENDOR_FLAGS } from "./scaffold/vendor.ts";

const USAGE = `Usage: deno task new plugin ID [--kind ${KINDS.join("|")}]
       deno task new provider ID --plugin P [--kind ${KINDS.join("|")}]

For a provider of kind ingress, the default, these flags describe the vendor's API:
  --vendor NAME   its name, such as Plivo; the README and other pages list the provider with it
  --docs ADDRESS  the page that describes the call
  --path PATH     path of the call, such as /v1/Account/{auth_id}/Message/
  --host HOST     the host built into its clients, such as api.plivo.com
  --auth AUTH     how clients send their key: bearer (by default), basic, or the name of a header field
  --keys NAMES    what the vendor calls the key; for basic the user and the password: auth_id,auth_token`;

async function main(args: readonly string[]): Promise<number> {
  const unknown: string[] = [];
  const flags = parseArgs(args, {
    string: ["plugin", "kind", ...VENDOR_FLAGS],
    unknown: (arg, key) => key === undefined || unknown.push(arg) === 0,
  });
  const [what, id] = flags._.map(String);
  if (id === undefined || (what !== "plugin" && what !== "provider")) {
    console.error(USAGE);
    return 1;
  }
  try {
    if (what === "plugin" && flags.plugin !== undefined) unknown.push("--plugin with a new plugin");
    if (unknown.length > 0) throw new TypeError(`Cannot use ${unknown[0]}\n${USAGE}`);
    const kind = readKind(flags.kind);
    const provider = what === "plugin" ? `${checkId(id)}1` : checkId(id);
    const vendor = readVendor(flags, {
      kind,
      name: capitalize(provider),
      path: `/${provider}/send`,
    });
    const files = what === "plugin"
      ? await newPlugin(id, { kind, vendor })
      : await newProvider(provider, { plugin: readPlugin(flags.plugin), kind, vendor });
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

/** A plugin needs a provider: its first one is `<id>1`. */
async function newPlugin(
  id: string,
  about: { readonly kind: Kind; readonly vendor: Vendor },
): Promise<readonly string[]> {
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
  const provider = await newProvider(`${id}1`, { plugin: id, ...about });
  return [list, ...files.keys(), ...provider].filter((file, at, all) => all.indexOf(file) === at);
}

async function newProvider(
  id: string,
  { plugin, kind, vendor }: {
    readonly plugin: string;
    readonly kind: Kind;
    readonly vendor: Vendor;
  },
): Promise<readonly string[]> {
  const list = `plugins/${plugin}/mod.ts`;
  const source = await readList(list, plugin);
  const state = readState(source);
  const capture = captureOf(plugin);
  await checkCapture(plugin, capture.name);
  const names: ProviderNames = {
    id,
    plugin,
    kind,
    vendor,
    capture,
    stateType: state.type,
    stateFrom: `../${state.from.replace(/^\.\//, "")}`,
    port: 3100 + [...id].reduce((sum, char) => sum + char.charCodeAt(0), 0) % 800,
  };
  const files = providerFiles(names);
  const pages = vendor.isNamed ? await documentProvider(names) : new Map<string, string>();
  await writeNew(files);
  for (const [path, text] of pages) await Deno.writeTextFile(path, text);
  const imported = addImport(source, `import { ${id} } from "./${id}/mod.ts";`);
  await Deno.writeTextFile(list, addElement(imported, "providers:", id));
  return [list, ...files.keys(), ...pages.keys()];
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
