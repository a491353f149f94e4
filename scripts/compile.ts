/**
 * `deno task compile [--all]`: one program for this platform in `dist/`, or one for each platform with a list of
 * checksums. Where Deno cannot fetch its base runtime, `DENORT_BIN` names one; it has to be of the version that
 * compiles, which `STANDIN_COMPILER` names where it is another one.
 *
 * @module
 */
import { encodeHex } from "@std/encoding/hex";
import { type BaseRuntime, fetchBaseRuntime } from "./base_runtime.ts";
import { PROGRAM_PERMISSIONS } from "./permissions.ts";
import { tryCompiled } from "./try_compiled.ts";

/** Platforms by the name in the file's name, with the compiler's word for each. */
export const TARGETS: Readonly<Record<string, string>> = {
  "linux-x64": "x86_64-unknown-linux-gnu",
  "linux-arm64": "aarch64-unknown-linux-gnu",
  "macos-x64": "x86_64-apple-darwin",
  "macos-arm64": "aarch64-apple-darwin",
  "windows-x64": "x86_64-pc-windows-msvc",
};

/** Compiles `main.ts` to `output`. Returns what the compiler said, and whether it was content. */
async function compile(
  output: string,
  { target, base }: { readonly target?: string; readonly base?: BaseRuntime } = {},
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const compiler = base?.compiler ?? Deno.env.get("STANDIN_COMPILER") ?? Deno.execPath();
  const flags = ["--quiet", "--no-check", ...PROGRAM_PERMISSIONS];
  if (target !== undefined) flags.push("--target", target);
  const result = await new Deno.Command(compiler, {
    args: ["compile", ...flags, "--output", output, "main.ts"],
    env: { NO_COLOR: "1", ...(base === undefined ? {} : { DENORT_BIN: base.denort }) },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return {
    ok: result.success,
    text: decoder.decode(result.stdout) + decoder.decode(result.stderr),
  };
}

/**
 * The step of the gate: compiles, and runs the program in an empty folder: it has to show its pages and capture.
 * Passes, aloud, where no base runtime can be had.
 */
export async function compileCheck(): Promise<boolean> {
  const folder = await Deno.makeTempDir();
  try {
    const output = `${folder}/standin`;
    let { ok, text } = await compile(output);
    if (!ok) {
      // Without a base runtime there is nothing to say about our own code.
      const absent = /denort|Failed to fetch|error sending request|download/i.test(text);
      console.log(absent ? `     no base runtime to compile with: ${reasonOf(text)}` : text);
      if (!absent) return false;
      const base = await fetchBaseRuntime();
      if (base === undefined) return true;
      console.log("     going on with that of the long-term-support line");
      ({ ok, text } = await compile(output, { base }));
      if (!ok) console.log(text);
      if (!ok) return false;
    }
    const faults = await tryCompiled(`${folder}/standin`, folder);
    for (const fault of faults) console.log(`     the compiled program: ${fault}`);
    return faults.length === 0;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The line that says why: the first one that tells of a request, else the first. */
function reasonOf(text: string): string {
  const lines = text.trim().split("\n");
  return (lines.find((line) => /request|denort/.test(line)) ?? lines[0] ?? "").trim();
}

/** Compiles for every platform, and lists the files with their SHA-256 as `sha256sum --check` reads it. */
async function compileAll(): Promise<boolean> {
  const sums: string[] = [];
  for (const [platform, target] of Object.entries(TARGETS)) {
    const name = `standin-${platform}${platform.startsWith("windows") ? ".exe" : ""}`;
    const { ok, text } = await compile(`dist/${name}`, { target });
    if (!ok) {
      console.log(`Compiled for ${platform}: failed\n${text}`);
      return false;
    }
    const bytes = await Deno.readFile(`dist/${name}`);
    sums.push(
      `${encodeHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)))}  ${name}`,
    );
    console.log(`Wrote dist/${name} (${(bytes.length / 1e6).toFixed(0)} MB)`);
  }
  await Deno.writeTextFile("dist/SHA256SUMS", `${sums.join("\n")}\n`);
  console.log("Wrote dist/SHA256SUMS");
  return true;
}

async function main(args: readonly string[]): Promise<number> {
  await Deno.mkdir("dist", { recursive: true });
  if (args.includes("--all")) return await compileAll() ? 0 : 1;
  const name = Deno.build.os === "windows" ? "standin.exe" : "standin";
  const { ok, text } = await compile(`dist/${name}`);
  console.log(ok ? `Wrote dist/${name}` : text);
  return ok ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
