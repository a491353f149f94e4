/** The sources of a checkout as a tarball. */
import config from "../../deno.json" with { type: "json" };
import { type Entry, tarGz } from "../packages/archive.ts";
import { exists } from "./machine.ts";

/** Leftovers of tools, for checkouts without version control. */
const NOT_SOURCE: ReadonlySet<string> = new Set([".git", "coverage", "dist", "node_modules"]);

/**
 * Returns the paths of the sources below `root`, sorted: files that version control does not
 * ignore, or every file without version control.
 */
export async function sourcePaths(root: string): Promise<readonly string[]> {
  const listed = await new Deno.Command("git", {
    args: ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    cwd: root,
    stdin: "null",
    stderr: "null",
  }).output().catch(() => undefined);
  const paths = listed?.success === true && await exists(`${root}/.git`)
    ? new TextDecoder().decode(listed.stdout).split("\0").filter((path) => path !== "")
    : await Array.fromAsync(walk(root, ""));
  // A tracked file may have been deleted.
  const there = await Promise.all(paths.map((path) => exists(`${root}/${path}`)));
  return paths.filter((_, i) => there[i]).toSorted();
}

async function* walk(root: string, folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(`${root}/${folder}`)) {
    if (folder === "" && NOT_SOURCE.has(name)) continue;
    if (isDirectory) yield* walk(root, `${folder}${name}/`);
    else yield folder + name;
  }
}

/** Returns the sources below `root` as a tarball with one folder. */
export async function packSource(root: string): Promise<Uint8Array<ArrayBuffer>> {
  const entries: Entry[] = [];
  for (const path of await sourcePaths(root)) {
    const { mode } = await Deno.stat(`${root}/${path}`);
    entries.push({
      name: `standin-${config.version}/${path}`,
      content: await Deno.readFile(`${root}/${path}`),
      executable: ((mode ?? 0) & 0o100) !== 0,
    });
  }
  return await tarGz(entries);
}

/** Copies the sources below `root` to another folder. */
export async function copySource(root: string, to: string): Promise<void> {
  for (const path of await sourcePaths(root)) {
    await Deno.mkdir(`${to}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.copyFile(`${root}/${path}`, `${to}/${path}`);
  }
}
