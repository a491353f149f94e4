/**
 * Collects the licences of everything in a compiled program in one text, because most require that
 * every copy includes them.
 *
 * @module
 */
import type { Inventory, LockedPackage } from "./inventory.ts";

/** Name of the file in a release, in packages and in the image. */
export const NOTICES = "THIRD-PARTY-LICENCES.txt";

const RULE = "=".repeat(80);
const LICENCE_FILE = /^(?:un)?licen[cs]e(?:\.(?:md|txt))?$|^copying|^notice/i;

/** Metadata of a package. */
interface Manifest {
  readonly author?: string | { readonly name?: string };
}

/** Returns the text, with the licence files of the packages in the cache of this Deno. */
export async function toNotices({ packages, data }: Inventory): Promise<string> {
  const folders = await packageFolders();
  const terms = (await Deno.readTextFile("LICENSE")).replace(/^[^]*?(?=Permission is)/, "").trim();
  const parts = [
    "Parts of standin written by others, with their licences.",
    // The licences of Deno's own parts are listed by Deno.
    section("deno", "MIT", `Copyright 2018-2026 the Deno authors\n\n${terms}`),
    ...data.map(({ path, name, copyright, licence }) =>
      section(`${name}, from which ${path} is made`, licence, `${copyright}\n\n${terms}`)
    ),
  ];
  for (const one of packages) {
    const text = await licenceText(one, folders, terms);
    parts.push(section(`${one.name} ${one.version}`, one.licence, text));
  }
  return `${parts.join("\n\n")}\n`;
}

function section(title: string, licence: string, text: string): string {
  return `${RULE}\n${title} (${licence})\n${RULE}\n\n${text.replaceAll("\r\n", "\n").trim()}`;
}

/** Returns the licence files of a package or, without any, its author and stated terms. */
async function licenceText(
  { name, version, licence }: LockedPackage,
  folders: readonly string[],
  terms: string,
): Promise<string> {
  for (const folder of folders.map((at) => `${at}/${name}/${version}`)) {
    const files = await filesIn(folder);
    if (files.length === 0) continue;
    const texts = files.filter((file) => LICENCE_FILE.test(file)).toSorted()
      .map((file) => Deno.readTextFile(`${folder}/${file}`));
    if (texts.length > 0) return (await Promise.all(texts)).join("\n\n");
    if (licence !== "MIT") break;
    const { author } = JSON.parse(await Deno.readTextFile(`${folder}/package.json`)) as Manifest;
    const owner = typeof author === "string" ? author : author?.name ?? `the authors of ${name}`;
    return `Copyright (c) ${owner}\n\n${terms}`;
  }
  throw new Error(`Cannot find the licence of ${name} ${version}: run \`deno install\` first`);
}

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Folders of fetched packages, one for each registry. */
async function packageFolders(): Promise<readonly string[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { npmCache } = JSON.parse(new TextDecoder().decode(stdout)) as { npmCache: string };
  const entries = await Array.fromAsync(Deno.readDir(npmCache));
  return entries.filter(({ isDirectory }) => isDirectory).map(({ name }) => `${npmCache}/${name}`);
}
