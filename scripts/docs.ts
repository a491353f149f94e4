/**
 * `deno task docs [--check]`: writes `docs/reference`, `docs/plugins` and the architecture picture from the
 * declarations and the module graph, or only says what is stale, and which
 * test of the specification is missing.
 *
 * @module
 */
import { STANDARD_PLUGINS } from "../plugins/standard.ts";
import { architecturePicture } from "./architecture/svg.ts";
import { eventsReference } from "./reference/events.ts";
import { pluginPages } from "./reference/plugins.ts";
import { providersReference } from "./reference/providers.ts";
import { routesReference } from "./reference/routes.ts";
import { missingProofs, specificationReference } from "./reference/specification.ts";
import { settingsReference, settingsSample, settingsSchemaFile } from "./reference/settings.ts";

const ROOT = new URL("../", import.meta.url);
const DOCS = new URL("docs/", ROOT);
/** Every file in them is written here. */
const FOLDERS = ["reference", "plugins"] as const;

/** Every file that is written here, by its path below `docs`. */
async function writtenFiles(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ["images/architecture.svg", await architecturePicture(ROOT)],
    ["reference/events.md", eventsReference(STANDARD_PLUGINS)],
    ["reference/providers.md", providersReference(STANDARD_PLUGINS)],
    ["reference/routes.md", routesReference(STANDARD_PLUGINS)],
    ["reference/settings.md", settingsReference(STANDARD_PLUGINS)],
    ["reference/specification.md", specificationReference()],
    ["reference/standin.schema.json", settingsSchemaFile(STANDARD_PLUGINS)],
    ["reference/standin.toml", settingsSample(STANDARD_PLUGINS)],
    ...[...pluginPages(STANDARD_PLUGINS)].map(([name, text]) => [`plugins/${name}`, text] as const),
  ]);
}

/** Names of the files that are missing, differ, or are not made any more. */
export async function staleFiles(): Promise<readonly string[]> {
  const wanted = await writtenFiles();
  const stale: string[] = [];
  for (const [path, text] of wanted) {
    if (text !== await Deno.readTextFile(new URL(path, DOCS)).catch(ifMissing)) stale.push(path);
  }
  for (const folder of FOLDERS) {
    for await (const { name } of Deno.readDir(new URL(folder, DOCS))) {
      const path = `${folder}/${name}`;
      if (!wanted.has(path)) stale.push(path);
    }
  }
  return stale.toSorted();
}

function ifMissing(error: unknown): undefined {
  if (error instanceof Deno.errors.NotFound) return undefined;
  throw error;
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--check")) {
    const stale = await staleFiles();
    if (stale.length > 0) {
      console.error(`Stale in docs: ${stale.join(", ")}. Run \`deno task docs\``);
    }
    const missing = await missingProofs();
    if (missing.length > 0) {
      console.error(
        `Named in tests/specification/rows and not there:\n  ${missing.join("\n  ")}\n` +
          "Name the tests that show these rows now",
      );
    }
    return stale.length + missing.length === 0 ? 0 : 1;
  }
  for (const [name, text] of await writtenFiles()) {
    await Deno.writeTextFile(new URL(name, DOCS), text);
    console.log(`docs/${name}`);
  }
  return 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
