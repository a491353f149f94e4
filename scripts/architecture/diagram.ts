/** `docs/reference/architecture.md`: the layers of the program and their imports, as a Mermaid diagram. */
import type { Layer } from "../lint/table.ts";
import { readGraph } from "./graph.ts";
import { type Structure, structureOf, type Unit } from "./units.ts";

/** Layers that share a row: neither may import the other. From top to bottom. */
const ROWS: readonly (readonly Layer[])[] = [
  ["edge"],
  ["browser", "plugin", "wiring"],
  ["world"],
  ["values"],
  ["pure"],
];

const ENTRIES = ["main.ts", "mod.ts", "core/plugin.ts", "plugins/client.ts"];

/** Reads the imports of the program below `root`. */
export async function architecturePage(root: URL): Promise<string> {
  return toPage(structureOf(await readGraph(root, ENTRIES)));
}

/** Renders a structure. */
export function toPage({ units, arrows, unlinked, plugins }: Structure): string {
  const idOf = (name: string): string => name.replaceAll(/\W+/g, "_");
  const box = ({ name }: Unit): string => {
    const label = name === "plugins/*" ? `plugins/{${plugins.join(", ")}}` : name;
    return `    ${idOf(name)}["${label}"]`;
  };
  const rows = ROWS.flatMap((layers) => [
    `  subgraph ${layers.join("_")} ["${layers.join(", ")}"]`,
    ...units.filter(({ layer }) => layers.includes(layer)).map(box),
    "  end",
  ]);
  const links = arrows.map(({ from, to }) => `  ${idOf(from)} --> ${idOf(to)}`);
  return [
    "# Architecture\n",
    "Each arrow points from a folder or file to one that it imports at run time. An arrow is omitted if a longer " +
    "way of arrows implies it.\n",
    "```mermaid",
    "flowchart TD",
    ...rows,
    ...links,
    "```\n",
    "Not drawn, because everything may import them or because only their types are used: " +
    `${unlinked.join(", ")}.\n`,
  ].join("\n");
}
