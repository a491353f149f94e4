/** Access of the release scripts to the machine. */
import { encodeHex } from "@std/encoding/hex";

/** The platform of this machine, as in `TARGETS`. */
export function thisPlatform(): string {
  const os = Deno.build.os === "darwin" ? "macos" : Deno.build.os;
  return `${os}-${Deno.build.arch === "aarch64" ? "arm64" : "x64"}`;
}

/** Returns whether a program can be started. */
export async function isInstalled(program: string): Promise<boolean> {
  try {
    await new Deno.Command(program, { args: ["--version"], stdin: "null" }).output();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Options for running a program. */
export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program and returns its output. Rejects with the output if it fails. */
export async function output(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: RunOptions,
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  const text = decoder.decode(stdout) + decoder.decode(stderr);
  if (!success) throw new Error(`${program} ${args[0] ?? ""} failed:\n${text.trim()}`);
  return text;
}

/** Returns whether a file or folder exists. */
export async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/** Returns the SHA-256 of a file in hexadecimal. */
export async function sha256(path: string): Promise<string> {
  const bytes = await Deno.readFile(path);
  return encodeHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
