/**
 * `deno task docs [--check]`: writes `docs/reference` from the declarations, or only says what is stale.
 *
 * @module
 */
import { STANDARD_PLUGINS } from "../plugins/standard.ts";
import { eventsReference } from "./reference/events.ts";
import { providersReference } from "./reference/providers.ts";
import { routesReference } from "./reference/routes.ts";
import { settingsReference, settingsSample, settingsSchemaFile } from "./reference/settings.ts";

const FOLDER = new URL("../docs/reference/", import.meta.url);

/** Every file of `docs/reference`, by name. */
export function referenceFiles(): ReadonlyMap<string, string> {
  return new Map([
    ["events.md", eventsReference(STANDARD_PLUGINS)],
    ["providers.md", providersReference(STANDARD_PLUGINS)],
    ["routes.md", routesReference(STANDARD_PLUGINS)],
    ["settings.md", settingsReference(STANDARD_PLUGINS)],
    ["standin.schema.json", settingsSchemaFile(STANDARD_PLUGINS)],
    ["standin.toml", settingsSample(STANDARD_PLUGINS)],
  ]);
}

/** Names of the files that are missing, differ, or are not made any more. */
export async function staleFiles(): Promise<readonly string[]> {
  const wanted = referenceFiles();
  const stale = new Set(wanted.keys());
  for await (const { name } of Deno.readDir(FOLDER)) {
    const fresh = wanted.get(name) === await Deno.readTextFile(new URL(name, FOLDER));
    if (fresh) stale.delete(name);
    else stale.add(name);
  }
  return [...stale].toSorted();
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--check")) {
    const stale = await staleFiles();
    if (stale.length === 0) return 0;
    console.error(`Stale in docs/reference: ${stale.join(", ")}. Run \`deno task docs\``);
    return 1;
  }
  for (const [name, text] of referenceFiles()) {
    await Deno.writeTextFile(new URL(name, FOLDER), text);
    console.log(`docs/reference/${name}`);
  }
  return 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
