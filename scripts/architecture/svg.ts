/** The architecture picture: `docs/images/architecture.svg`, light or dark as the reader's system is. */
import { readGraph } from "./graph.ts";
import { BOX_HEIGHT, layOut, type Point } from "./layout.ts";
import { type Arrow, type Structure, structureOf, type Unit } from "./units.ts";

/** Everything the program is made of is reached from these. */
const ENTRIES: readonly string[] = [
  "main.ts",
  "mod.ts",
  "core/plugin.ts",
  "plugins/client.ts",
];

/** The text of the picture. */
export async function architecturePicture(root: URL): Promise<string> {
  return toSvg(structureOf(await readGraph(root, ENTRIES)));
}

/** Width of a character of the labels, in pixels. */
const CHARACTER = 7.3;
const NOTE_LINE = 18;

const STYLE = `
.paper{fill:#fff}.band{fill:#f3f5f8}.box{fill:#fff;stroke-width:1.5}.way{fill:none;stroke:#7a8594;stroke-width:1.2}
.tip{fill:#7a8594}text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#1c2430}
.name{text-anchor:middle}.note{font:12px system-ui,sans-serif;fill:#566070}
.edge{stroke:#8a5a00}.wiring{stroke:#0b62a8}.plugin{stroke:#7a3fb0}.browser{stroke:#a8325e}
.world{stroke:#b3411d}.values{stroke:#1d7a4c}.pure{stroke:#566070}
@media (prefers-color-scheme:dark){.paper{fill:#12161c}.band{fill:#1a2029}.box{fill:#12161c}
.way{stroke:#8693a5}.tip{fill:#8693a5}text{fill:#e4e9f0}.note{fill:#a4afbd}
.edge{stroke:#d9a441}.wiring{stroke:#5aaef0}.plugin{stroke:#bf8cf0}.browser{stroke:#f07fa8}
.world{stroke:#f08a64}.values{stroke:#55c48c}.pure{stroke:#a4afbd}}
`.trim();

/** Draws the structure. */
export function toSvg(structure: Structure): string {
  const label = ({ name }: Unit): string =>
    name === "plugins/*" ? `plugins/{${structure.plugins.join(", ")}}` : name;
  const layout = layOut(structure, (unit) => Math.ceil(label(unit).length * CHARACTER) + 24);
  const notes = [
    "An arrow: the upper imports the lower to run it. One that a longer way of arrows implies is left out.",
    ...wrap(
      `Not drawn, as all may import them or only their types are used: ${
        structure.unlinked.join(", ")
      }`,
      140,
    ),
  ];
  const height = layout.height + notes.length * NOTE_LINE + 8;
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${layout.width} ${height}" role="img">`,
    "<title>Which part of the program imports which</title>",
    `<desc>${escape(inWords(structure.arrows))}</desc>`,
    `<style>${STYLE}</style>`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">' +
    '<path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>',
    `<rect class="paper" width="${layout.width}" height="${height}"/>`,
    ...layout.bands.flatMap(({ layers, top, bottom }) => [
      `<rect class="band" x="8" y="${top}" width="${layout.width - 16}" height="${
        bottom - top
      }" rx="6"/>`,
      `<text class="note" x="16" y="${top + 16}">${layers.join(" · ")}</text>`,
    ]),
    ...layout.ways.map((way) => `<path class="way" d="${curve(way)}" marker-end="url(#tip)"/>`),
    ...layout.boxes.flatMap(({ unit, x, y, width }) => [
      `<rect class="box ${unit.layer}" x="${
        x - width / 2
      }" y="${y}" width="${width}" height="${BOX_HEIGHT}" rx="5"/>`,
      `<text class="name" x="${x}" y="${y + 19}">${escape(label(unit))}</text>`,
    ]),
    ...notes.map((text, index) =>
      `<text class="note" x="16" y="${layout.height + 8 + index * NOTE_LINE}">${
        escape(text)
      }</text>`
    ),
    "</svg>",
  ];
  return lines.join("\n") + "\n";
}

/** Straight past a row, in a bend from row to row. */
function curve(way: readonly Point[]): string {
  return way.map(({ x, y }, index) => {
    const before = way[index - 1];
    if (before === undefined) return `M${x} ${y}`;
    if (before.x === x) return `V${y}`;
    const half = (before.y + y) / 2;
    return `C${before.x} ${half} ${x} ${half} ${x} ${y}`;
  }).join("");
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** For those who cannot see the picture. */
function inWords(arrows: readonly Arrow[]): string {
  const targets = new Map<string, string[]>();
  for (const { from, to } of arrows) targets.set(from, [...(targets.get(from) ?? []), to]);
  return [...targets].map(([from, to]) => `${from} imports ${to.join(", ")}`).join("; ");
}
