/**
 * `deno task pack [node|python|java|go ...]`: writes the client packages for tests to `dist/`; all
 * of them unless some are named.
 *
 * @module
 */
import { withArguments } from "../arguments.ts";
import { packGo } from "./go.ts";
import { packJava } from "./java.ts";
import { packClient } from "./node.ts";
import { packPython } from "./python.ts";

/** Packs for one language into a folder, and returns the paths of the files. */
type Pack = (output: string) => Promise<readonly string[]>;

const PACKS: Readonly<Record<string, Pack>> = {
  node: async (output) => [await packClient(output)],
  python: packPython,
  java: (output) => packJava(output),
  go: async (output) => [await packGo(output)],
};

async function main(names: readonly string[]): Promise<number> {
  await Deno.mkdir("dist", { recursive: true });
  const output = await Deno.realPath("dist");
  for (const name of names.length === 0 ? Object.keys(PACKS) : names) {
    for (const path of await PACKS[name]!(output)) console.log(`Wrote ${path}`);
  }
  return 0;
}

if (import.meta.main) Deno.exit(await withArguments(Deno.args, Object.keys(PACKS), main));
