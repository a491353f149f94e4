/**
 * `deno task docs [--check]`: writes `docs/reference`, `docs/plugins` and the `model.ts` of plugins from the declarations
 * and the module graph. With `--check`, reports stale files and missing tests of the specification instead.
 *
 * @module
 */
import { STANDARD_PLUGINS } from "../plugins/standard.ts";
import { withArguments } from "./arguments.ts";
import { architecturePage } from "./architecture/diagram.ts";
import { checksReference } from "./reference/checks.ts";
import { callbacksReference } from "./reference/callbacks.ts";
import { eventsReference } from "./reference/events.ts";
import { faultsReference } from "./reference/faults.ts";
import { modelFiles } from "./reference/models.ts";
import { pluginPages } from "./reference/plugins.ts";
import { providersReference } from "./reference/providers.ts";
import { routesReference } from "./reference/routes.ts";
import { missingTests, specificationReference } from "./reference/specification.ts";
import { settingsReference, settingsSample, settingsSchemaFile } from "./reference/settings.ts";

const ROOT = new URL("../", import.meta.url);
/** Folders that contain only generated files. */
const FOLDERS = ["docs/reference", "docs/plugins"] as const;

/** Returns every generated file, by its path from the root. */
async function writtenFiles(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ["docs/reference/architecture.md", await architecturePage(ROOT)],
    ["docs/reference/checks.md", await checksReference(STANDARD_PLUGINS)],
    ["docs/reference/callbacks.md", await callbacksReference(STANDARD_PLUGINS)],
    ["docs/reference/events.md", eventsReference(STANDARD_PLUGINS)],
    ["docs/reference/faults.md", faultsReference(STANDARD_PLUGINS)],
    ["docs/reference/providers.md", providersReference(STANDARD_PLUGINS)],
    ["docs/reference/routes.md", routesReference(STANDARD_PLUGINS)],
    ["docs/reference/settings.md", settingsReference(STANDARD_PLUGINS)],
    ["docs/reference/specification.md", await specificationReference()],
    ["docs/reference/standin.schema.json", settingsSchemaFile(STANDARD_PLUGINS)],
    ["docs/reference/standin.toml", settingsSample(STANDARD_PLUGINS)],
    ...[...pluginPages(STANDARD_PLUGINS)].map(([name, text]) =>
      [`docs/plugins/${name}`, text] as const
    ),
    ...await modelFiles(ROOT),
  ]);
}

/** Returns the names of files that are missing, stale or obsolete. */
export async function staleFiles(): Promise<readonly string[]> {
  const wanted = await writtenFiles();
  const stale: string[] = [];
  for (const [path, text] of wanted) {
    if (text !== await Deno.readTextFile(new URL(path, ROOT)).catch(ifMissing)) stale.push(path);
  }
  for (const folder of FOLDERS) {
    for await (const { name } of Deno.readDir(new URL(folder, ROOT))) {
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
      console.error(`Stale: ${stale.join(", ")}. Run \`deno task docs\``);
    }
    const missing = await missingTests();
    if (missing.length > 0) {
      console.error(
        `docs/reference/specification.md names tests that do not exist:\n  ${missing.join("\n  ")}`,
      );
    }
    return stale.length + missing.length === 0 ? 0 : 1;
  }
  for (const [name, text] of await writtenFiles()) {
    await Deno.writeTextFile(new URL(name, ROOT), text);
    console.log(name);
  }
  return 0;
}

if (import.meta.main) Deno.exit(await withArguments(Deno.args, ["--check"], main));
