import type { AnyPlugin } from "../../core/plugin.ts";
import { vendorOf } from "../../core/provider_names.ts";
import type { ProviderNames } from "./names.ts";
import { addChange, addRow } from "./pages.ts";

/** Returns the pages that list every provider, with a new one beside those of its plugin, by path. */
export async function documentProvider(
  { id, plugin, vendor: { name, path } }: ProviderNames,
): Promise<ReadonlyMap<string, string>> {
  const { title, providers } = await loadPlugin(plugin);
  const others = providers.filter(({ kind }) => kind === "ingress");
  const call = `\`POST ${path}\``;
  const listed = addRow(await Deno.readTextFile("README.md"), {
    head: ["Provider", "Stands in for"],
    cells: [id, `${name} API`, `\`POST http://localhost:8822${path}\``],
    after: others.map((one) => one.id),
  });
  const covered = addRow(listed, {
    head: ["Vendor", "Covered", "Not covered"],
    cells: [name, call, "all other calls"],
    after: others.map(vendorOf),
    before: "any other",
  });
  const change = `${name} (${id}): messages sent with ${call}.`;
  const pages = new Map([
    ["README.md", covered],
    ["CHANGELOG.md", addChange(await Deno.readTextFile("CHANGELOG.md"), title, change)],
  ]);
  const page = `docs/${plugin}.md`;
  const text = await readIfPresent(page);
  if (text === undefined) return pages;
  return pages.set(
    page,
    addRow(text, {
      head: ["Provider", "Covered", "Not covered"],
      cells: [`${id} (${name})`, call, "all other calls"],
    }),
  );
}

async function loadPlugin(id: string): Promise<AnyPlugin> {
  const module = await import(new URL(`../../plugins/${id}/mod.ts`, import.meta.url).href);
  return module[id];
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
