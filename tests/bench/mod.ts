/**
 * `deno task bench [NAME...]`: runs every `*_bench.ts` of this folder in sequence, each in a
 * separate process. Absolute figures depend on the machine; the ratios describe the program.
 *
 * @module
 */
import { didYouMean } from "../../core/options/suggest.ts";

/** The one with packages that only tests and benchmarks need. */
const LOCK = new URL("../deno.lock", import.meta.url).pathname;
const FOLDER = new URL("./", import.meta.url);

async function main(names: readonly string[]): Promise<number> {
  const files: string[] = [];
  for await (const { name } of Deno.readDir(FOLDER)) {
    if (name.endsWith("_bench.ts")) files.push(name);
  }
  const unknown = names.find((name) => !files.some((file) => file.startsWith(`${name}_`)));
  if (unknown !== undefined) {
    const known = files.toSorted().map((file) => file.replace("_bench.ts", ""));
    console.error(`Cannot measure "${unknown}": ${didYouMean(unknown, known, { what: "names" })}`);
    return 2;
  }
  const chosen = files.toSorted()
    .filter((file) => names.length === 0 || names.some((name) => file.startsWith(`${name}_`)));
  let code = 0;
  for (const file of chosen) {
    console.log(`\n== ${file.replace("_bench.ts", "")}`);
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--allow-all", `--lock=${LOCK}`, new URL(file, FOLDER).pathname],
    }).spawn();
    if (!(await child.status).success) code = 1;
  }
  return code;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
