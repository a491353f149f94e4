/**
 * `deno task compile [--all]`: one program for this platform in `dist/`, or one for each platform with a list of
 * checksums. If Deno cannot fetch its base runtime, `DENORT_BIN` names one; its version must be that of the compiler,
 * which `STANDIN_COMPILER` may name. Without either, the program for this platform is made with a Deno of the
 * long-term-support line from a package registry.
 *
 * @module
 */
import { encodeHex } from "@std/encoding/hex";
import manifest from "../deno.json" with { type: "json" };
import { withArguments } from "./arguments.ts";
import { type BaseRuntime, fetchBaseRuntime } from "./base_runtime.ts";
import { bundle, deno, type Outcome } from "./bundle.ts";
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

/** Returns the file name of the program for one of `TARGETS`. */
export function programName(platform: string): string {
  return `standin-${platform}${platform.startsWith("windows") ? ".exe" : ""}`;
}

/** Compiles the bundle in `folder` to `output`. */
export async function compile(
  folder: string,
  output: string,
  { target, base }: { readonly target?: string; readonly base?: BaseRuntime } = {},
): Promise<Outcome> {
  const compiler = base?.compiler ?? Deno.env.get("STANDIN_COMPILER") ?? Deno.execPath();
  // The bundle needs no import map and no package. A code cache would be a file in a world-writable folder.
  const flags = ["--quiet", "--no-check", "--no-config", "--no-lock", "--no-code-cache"];
  flags.push(...manifest.unstable.map((name) => `--unstable-${name}`), ...PROGRAM_PERMISSIONS);
  if (target !== undefined) flags.push("--target", target);
  return await deno(["compile", ...flags, "--output", output, `${folder}/main.js`], {
    program: compiler,
    env: base === undefined ? {} : { DENORT_BIN: base.denort },
  });
}

/** Runs with a bundle in a temporary folder. */
export async function withBundle(run: (folder: string) => Promise<boolean>): Promise<boolean> {
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
      const { outcome } = await compileForHost(bundled, output);
      if (outcome !== "done") return outcome === "impossible";
      const faults = await tryCompiled(output, folder);
      for (const fault of faults) console.log(`     the compiled program: ${fault}`);
      return faults.length === 0;
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

/**
 * Result of a compilation for this platform; `impossible` means that the machine lacks something.
 */
export interface HostBuild {
  readonly outcome: "done" | "failed" | "impossible";
  /** Version of Deno that is compiled in. */
  readonly deno: string;
}

/** Compiles for this platform with any available base runtime. Prints a notice if there is none. */
export async function compileForHost(bundled: string, output: string): Promise<HostBuild> {
  const first = await compile(bundled, output);
  const deno = Deno.version.deno;
  if (first.ok) return { outcome: "done", deno };
  const absent = noBaseRuntime(first);
  console.log(
    absent ? `     no base runtime to compile with: ${reasonOf(first.text)}` : first.text,
  );
  if (!absent) return { outcome: "failed", deno };
  const base = await fetchBaseRuntime();
  if (base === undefined) return { outcome: "impossible", deno };
  console.log("     continuing with that of the long-term support release");
  const { ok, text } = await compile(bundled, output, { base });
  if (!ok) console.log(text);
  return { outcome: ok ? "done" : "failed", deno: base.version };
}

/** Returns whether a compilation failed because Deno could not fetch its base runtime. */
export function noBaseRuntime({ text }: Outcome): boolean {
  return /denort|Failed to fetch|error sending request|download/i.test(text);
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
    const name = programName(platform);
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
    const { outcome } = await compileForHost(bundled, `dist/${name}`);
    console.log(outcome === "done" ? `Wrote dist/${name}` : `Cannot compile dist/${name}`);
    return outcome === "done";
  });
  return done ? 0 : 1;
}

if (import.meta.main) Deno.exit(await withArguments(Deno.args, ["--all"], main));
