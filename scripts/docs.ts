/**
 * `deno task docs [--check]`: writes `docs/reference` and `docs/plugins` from the declarations, or only says what is stale.
 *
 * @module
 */
import { STANDARD_PLUGINS } from "../plugins/standard.ts";
import { eventsReference } from "./reference/events.ts";
import { pluginPages } from "./reference/plugins.ts";
import { providersReference } from "./reference/providers.ts";
import { routesReference } from "./reference/routes.ts";
import { settingsReference, settingsSample, settingsSchemaFile } from "./reference/settings.ts";

const DOCS = new URL("../docs/", import.meta.url);
/** Every file in them is written here. */
const FOLDERS = ["reference", "plugins"] as const;

/** Every file of `docs/reference` and `docs/plugins`, by its path below `docs`. */
export function referenceFiles(): ReadonlyMap<string, string> {
  return new Map([
    ["reference/events.md", eventsReference(STANDARD_PLUGINS)],
    ["reference/providers.md", providersReference(STANDARD_PLUGINS)],
    ["reference/routes.md", routesReference(STANDARD_PLUGINS)],
    ["reference/settings.md", settingsReference(STANDARD_PLUGINS)],
    ["reference/standin.schema.json", settingsSchemaFile(STANDARD_PLUGINS)],
    ["reference/standin.toml", settingsSample(STANDARD_PLUGINS)],
    ...[...pluginPages(STANDARD_PLUGINS)].map(([name, text]) => [`plugins/${name}`, text] as const),
  ]);
}

/** Names of the files that are missing, differ, or are not made any more. */
export async function staleFiles(): Promise<readonly string[]> {
  const wanted = referenceFiles();
  const stale = new Set(wanted.keys());
  for (const folder of FOLDERS) {
    for await (const { name } of Deno.readDir(new URL(folder, DOCS))) {
      const path = `${folder}/${name}`;
      const fresh = wanted.get(path) === await Deno.readTextFile(new URL(path, DOCS));
      if (fresh) stale.delete(path);
      else stale.add(path);
    }
  }
  return [...stale].toSorted();
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--check")) {
    const stale = await staleFiles();
    if (stale.length === 0) return 0;
    console.error(`Stale in docs: ${stale.join(", ")}. Run \`deno task docs\``);
    return 1;
  }
  for (const [name, text] of referenceFiles()) {
    await Deno.writeTextFile(new URL(name, DOCS), text);
    console.log(`docs/${name}`);
  }
  return 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
