/**
 * Extracts a base runtime for `deno compile` on machines that reach only a package registry: every
 * compiled program contains one, and such a program is available as a package. Only for testing the
 * compiled program; releases are compiled where Deno can fetch its own.
 *
 * @module
 */
import { encodeHex } from "@std/encoding/hex";
import { join } from "@std/path/join";

/** A compiler, and the base runtime of the same version. */
export interface BaseRuntime {
  readonly compiler: string;
  readonly denort: string;
  readonly version: string;
}

/** The long-term-support line, so that the program is tested with it, too. */
const VERSION = "2.5.7";
const COMPILER_PACKAGE = `@deno/linux-x64-glibc@${VERSION}`;
/** A program compiled with that version. */
const COMPILED_PACKAGE = "@dgellow/pls-linux-x64@0.7.3";
const COMPILED_FILE = "package/bin/pls";
/** SHA-256 of its base runtime: no other part of the package is executed. */
const DIGEST = "2c06411a4a2404b8d8a6cd4147da407a533db921b5c1c87fd1073367a0d7b69b";

/** Fetches both into the user's cache, once. Prints the reason and returns `undefined` if that fails. */
export async function fetchBaseRuntime(): Promise<BaseRuntime | undefined> {
  if (Deno.build.os !== "linux" || Deno.build.arch !== "x86_64") return undefined;
  const home = Deno.env.get("XDG_CACHE_HOME") ?? join(Deno.env.get("HOME") ?? "/tmp", ".cache");
  const folder = join(home, "standin-ci", `base-${DIGEST.slice(0, 12)}`);
  const runtime = {
    compiler: join(folder, "node_modules", "@deno", "linux-x64-glibc", "deno"),
    denort: join(folder, "denort"),
    version: VERSION,
  };
  if (await exists(runtime.compiler) && await exists(runtime.denort)) return runtime;
  try {
    await Deno.mkdir(folder, { recursive: true });
    await run(folder, "npm", "install", "--silent", "--ignore-scripts", COMPILER_PACKAGE);
    await run(folder, "npm", "pack", "--silent", COMPILED_PACKAGE);
    for await (const { name } of Deno.readDir(folder)) {
      if (name.endsWith(".tgz")) await run(folder, "tar", "xzf", name, COMPILED_FILE);
    }
    const base = withoutAppendix(await Deno.readFile(join(folder, COMPILED_FILE)));
    const digest = encodeHex(new Uint8Array(await crypto.subtle.digest("SHA-256", base)));
    if (digest !== DIGEST) throw new Error(`Cannot use the base runtime: its SHA-256 is ${digest}`);
    await Deno.writeFile(runtime.denort, base, { mode: 0o755 });
    await Deno.chmod(runtime.compiler, 0o755);
    return runtime;
  } catch (error) {
    console.log(`     no base runtime: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

/** An ELF file ends with its section table; appended data follows it (System V gABI, chapter 4). */
function withoutAppendix(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const header = new DataView(bytes.buffer, bytes.byteOffset, 64);
  const tableStart = Number(header.getBigUint64(40, true));
  const tableBytes = header.getUint16(58, true) * header.getUint16(60, true);
  return bytes.subarray(0, tableStart + tableBytes);
}

async function run(cwd: string, program: string, ...args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd,
    stdin: "null",
  }).output();
  if (!success) throw new Error(`Ran ${program}: ${new TextDecoder().decode(stderr).trim()}`);
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
