/**
 * The package for Python: a wheel (PyPA "Binary distribution format") and a source distribution.
 * Both are plain archives with defined names, so they are written without Python.
 *
 * @module
 */
import { encodeBase64 } from "@std/encoding/base64";
import { join } from "@std/path/join";
import { parse } from "smol-toml";
import config from "../../deno.json" with { type: "json" };
import { bytesOf, type Entry, readEntries, tarGz, zip } from "./archive.ts";

const SOURCE = new URL("python/", import.meta.url);

/** The part of `pyproject.toml` used for the metadata. */
interface Project {
  readonly name: string;
  readonly description: string;
  readonly "requires-python": string;
  readonly classifiers: readonly string[];
  readonly "entry-points": Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Writes both into the folder `output`. Returns their paths. */
export async function packPython(output: string): Promise<readonly string[]> {
  const text = await Deno.readTextFile(new URL("pyproject.toml", SOURCE));
  const { project } = parse(text) as unknown as { readonly project: Project };
  const readme = await Deno.readTextFile(new URL("README.md", SOURCE));
  const metadata = toMetadata(project, readme);
  const name = project.name.replaceAll("-", "_");
  const stem = `${name}-${config.version}`;
  const licence = { name: "LICENSE", content: await Deno.readTextFile("LICENSE") };

  const info = `${stem}.dist-info`;
  const wheel: Entry[] = [
    ...await readEntries(new URL("src/", SOURCE)),
    { name: `${info}/METADATA`, content: metadata },
    {
      name: `${info}/WHEEL`,
      content: "Wheel-Version: 1.0\nGenerator: standin\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    },
    { name: `${info}/entry_points.txt`, content: toEntryPoints(project["entry-points"]) },
    { name: `${info}/licenses/LICENSE`, content: licence.content },
  ];
  wheel.push({ name: `${info}/RECORD`, content: await toRecord(wheel, `${info}/RECORD`) });

  const stamped = text.replace(/^version = "0"$/m, `version = "${config.version}"`);
  const source: Entry[] = [
    { name: "PKG-INFO", content: metadata },
    { name: "pyproject.toml", content: stamped },
    { name: "README.md", content: readme },
    licence,
    ...await readEntries(new URL("src/", SOURCE), "src/"),
    ...await readEntries(new URL("tests/", SOURCE), "tests/"),
  ].map((entry) => ({ ...entry, name: `${stem}/${entry.name}` }));

  const files = [
    [`${stem}-py3-none-any.whl`, await zip(wheel)],
    [`${stem}.tar.gz`, await tarGz(source)],
  ] as const;
  for (const [file, bytes] of files) await Deno.writeFile(join(output, file), bytes);
  return files.map(([file]) => join(output, file));
}

/** Core metadata, version 2.1. */
function toMetadata(project: Project, readme: string): string {
  return [
    "Metadata-Version: 2.1",
    `Name: ${project.name}`,
    `Version: ${config.version}`,
    `Summary: ${project.description}`,
    `License: ${config.license}`,
    `Requires-Python: ${project["requires-python"]}`,
    ...project.classifiers.map((one) => `Classifier: ${one}`),
    "Description-Content-Type: text/markdown",
    "",
    readme,
  ].join("\n");
}

function toEntryPoints(groups: Project["entry-points"]): string {
  return Object.entries(groups).map(([group, points]) =>
    `[${group}]\n${Object.entries(points).map(([name, at]) => `${name} = ${at}\n`).join("")}`
  ).join("\n");
}

/** Path, hash and size of every file except of itself. */
async function toRecord(entries: readonly Entry[], own: string): Promise<string> {
  const lines: string[] = [];
  for (const entry of entries) {
    const bytes = bytesOf(entry);
    const hash = encodeBase64(await crypto.subtle.digest("SHA-256", bytes))
      .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    lines.push(`${entry.name},sha256=${hash},${bytes.length}\n`);
  }
  return `${lines.join("")}${own},,\n`;
}
