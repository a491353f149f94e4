/**
 * `deno task compile [--all]`: one program for this platform in `dist/`, or one for each platform with a list of
 * checksums. If Deno cannot fetch its base runtime, `DENORT_BIN` names one; its version must be that of the compiler,
 * which `STANDIN_COMPILER` may name.
 *
 * @module
 */
import { encodeHex } from "@std/encoding/hex";
import manifest from "../deno.json" with { type: "json" };
import { type BaseRuntime, fetchBaseRuntime } from "./base_runtime.ts";
import { PROGRAM_PERMISSIONS } from "./permissions.ts";
import { tryCompiled } from "./try_compiled.ts";

/** Deno's target triples by the platform in the file name. */
export const TARGETS: Readonly<Record<string, string>> = {
  "linux-x64": "x86_64-unknown-linux-gnu",
  "linux-arm64": "aarch64-unknown-linux-gnu",
  "macos-x64": "x86_64-apple-darwin",
  "macos-arm64": "aarch64-apple-darwin",
  "windows-x64": "x86_64-pc-windows-msvc",
};

/** Output of a step, and whether it succeeded. */
interface Outcome {
  readonly ok: boolean;
  readonly text: string;
}

/** Optional native parts of packages, which run without them. */
const NOT_BUNDLED = ["*.node", "cpu-features"];

/**
 * Bundles everything that the program loads into a few files in `folder`. A program compiled from its sources carries
 * every file of every package and reads each module by itself: a quarter larger, and three times as slow to start.
 * Decision 0020.
 */
async function bundle(folder: string): Promise<Outcome> {
  const flags = ["--quiet", "--no-check", "--platform=deno", "--code-splitting"];
  for (const name of NOT_BUNDLED) flags.push("--external", name);
  const args = ["bundle", ...flags, "--outdir", folder, "main.ts"];
  const outcome = await deno(Deno.execPath(), args);
  if (outcome.ok) await likeNode(folder);
  return outcome;
}

/** Globals that packages expect from Node: timers that are objects, and the name of their folder. */
const NODE_GLOBALS =
  'import { clearImmediate, clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from "node:timers";\n' +
  "const __dirname = import.meta.dirname;\n" +
  "const __absent = (name) => { throw new Error(`${name} is not part of this program`); };\n";

const LOOKS_FOR_THEM = /__commonJS\(|\.(?:refresh|unref)\(\)/;
/** Requires a module that is neither in the bundle nor in the platform. */
const REQUIRED_ELSEWHERE = /__require\((?="(?!node:))/g;

/**
 * Gives modules of packages the globals of Node. Modules outside the bundle are never looked up on the machine, where
 * anyone might have put something of that name.
 */
async function likeNode(folder: string): Promise<void> {
  for await (const { name } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    const text = await Deno.readTextFile(path);
    if (!LOOKS_FOR_THEM.test(text)) continue;
    const closed = text.replaceAll(REQUIRED_ELSEWHERE, "__absent(");
    await Deno.writeTextFile(path, NODE_GLOBALS + closed);
  }
}

/** Compiles the bundle in `folder` to `output`. */
async function compile(
  folder: string,
  output: string,
  { target, base }: { readonly target?: string; readonly base?: BaseRuntime } = {},
): Promise<Outcome> {
  const compiler = base?.compiler ?? Deno.env.get("STANDIN_COMPILER") ?? Deno.execPath();
  // The bundle needs no import map and no package. A code cache would be a file in a world-writable folder.
  const flags = ["--quiet", "--no-check", "--no-config", "--no-lock", "--no-code-cache"];
  flags.push(...manifest.unstable.map((name) => `--unstable-${name}`), ...PROGRAM_PERMISSIONS);
  if (target !== undefined) flags.push("--target", target);
  return await deno(compiler, ["compile", ...flags, "--output", output, `${folder}/main.js`], {
    ...(base === undefined ? {} : { DENORT_BIN: base.denort }),
  });
}

async function deno(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const result = await new Deno.Command(program, {
    args: [...args],
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return {
    ok: result.success,
    text: decoder.decode(result.stdout) + decoder.decode(result.stderr),
  };
}

/** Bundles into a temporary folder. */
async function withBundle(run: (folder: string) => Promise<boolean>): Promise<boolean> {
  const folder = await Deno.makeTempDir();
  try {
    const { ok, text } = await bundle(folder);
    if (!ok) console.log(`Bundled: failed\n${text}`);
    return ok && await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * Step of the gate: compiles, and runs the program in an empty folder, where it must show its pages and capture. Passes
 * with a notice if no base runtime is available.
 */
export async function compileCheck(): Promise<boolean> {
  return await withBundle(async (bundled) => {
    const folder = await Deno.makeTempDir();
    try {
      const output = `${folder}/standin`;
      const compiled = await compileHere(bundled, output);
      if (compiled !== "done") return compiled === "impossible";
      const faults = await tryCompiled(output, folder);
      for (const fault of faults) console.log(`     the compiled program: ${fault}`);
      return faults.length === 0;
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

/** Compiles with any available base runtime. Prints a notice if there is none. */
async function compileHere(
  bundled: string,
  output: string,
): Promise<"done" | "failed" | "impossible"> {
  const first = await compile(bundled, output);
  if (first.ok) return "done";
  // Without a base runtime the result says nothing about our code.
  const absent = /denort|Failed to fetch|error sending request|download/i.test(first.text);
  console.log(
    absent ? `     no base runtime to compile with: ${reasonOf(first.text)}` : first.text,
  );
  if (!absent) return "failed";
  const base = await fetchBaseRuntime();
  if (base === undefined) return "impossible";
  console.log("     going on with that of the long-term-support line");
  const { ok, text } = await compile(bundled, output, { base });
  if (!ok) console.log(text);
  return ok ? "done" : "failed";
}

/** Returns the line with the reason: the first one about a request, else the first. */
function reasonOf(text: string): string {
  const lines = text.trim().split("\n");
  return (lines.find((line) => /request|denort/.test(line)) ?? lines[0] ?? "").trim();
}

/** Compiles for every platform, and writes the SHA-256 of the files in the format of `sha256sum --check`. */
async function compileAll(bundled: string): Promise<boolean> {
  const sums: string[] = [];
  for (const [platform, target] of Object.entries(TARGETS)) {
    const name = `standin-${platform}${platform.startsWith("windows") ? ".exe" : ""}`;
    const { ok, text } = await compile(bundled, `dist/${name}`, { target });
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
  const done = await withBundle(async (bundled) => {
    if (args.includes("--all")) return await compileAll(bundled);
    const name = Deno.build.os === "windows" ? "standin.exe" : "standin";
    const { ok, text } = await compile(bundled, `dist/${name}`);
    console.log(ok ? `Wrote dist/${name}` : text);
    return ok;
  });
  return done ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
