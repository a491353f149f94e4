/**
 * `deno run -A scripts/release/smoke.ts FILE`: tests a compiled program in an empty folder, as after a download. Prints
 * the faults and exits with 1 if there are any.
 *
 * @module
 */
import { join } from "@std/path/join";
import { tryCompiled } from "../try_compiled.ts";

async function main([file]: readonly string[]): Promise<number> {
  if (file === undefined) {
    console.error("Cannot try a program: expected the path of a compiled one");
    return 1;
  }
  const folder = await Deno.makeTempDir();
  try {
    const program = join(folder, Deno.build.os === "windows" ? "standin.exe" : "standin");
    await Deno.copyFile(file, program);
    if (Deno.build.os !== "windows") await Deno.chmod(program, 0o755);
    const faults = await tryCompiled(program, folder);
    for (const fault of faults) console.error(`${file} ${fault}`);
    if (faults.length === 0) console.log(`${file} works`);
    return faults.length === 0 ? 0 : 1;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
