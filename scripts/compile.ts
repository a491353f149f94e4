/**
 * `deno task compile`: one program for this platform in `dist/`. `DENORT_BIN` names the base runtime where Deno
 * cannot fetch its own.
 *
 * @module
 */

/** What the program may do: everything it is for, and nothing that runs other programs or loads foreign code. */
export const PROGRAM_PERMISSIONS: readonly string[] = [
  "--allow-net",
  "--allow-read",
  "--allow-env=SERVICE_*,HOME,USERPROFILE,APPDATA,XDG_CONFIG_HOME",
  "--no-prompt",
];

/** Compiles `main.ts` to `output`. Returns what the compiler said, and whether it was content. */
async function compile(output: string): Promise<{ readonly ok: boolean; readonly text: string }> {
  const result = await new Deno.Command(Deno.execPath(), {
    args: ["compile", "--quiet", ...PROGRAM_PERMISSIONS, "--output", output, "main.ts"],
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return {
    ok: result.success,
    text: decoder.decode(result.stdout) + decoder.decode(result.stderr),
  };
}

/** The step of the gate: compiles and asks the program its version. Passes, aloud, where no base runtime can be had. */
export async function compileCheck(): Promise<boolean> {
  const folder = await Deno.makeTempDir();
  try {
    const { ok, text } = await compile(`${folder}/standin`);
    if (!ok) {
      // Without a base runtime there is nothing to say about our own code.
      const absent = /denort|Failed to fetch|error sending request|download/i.test(text);
      console.log(absent ? `     no base runtime to compile with: ${reasonOf(text)}` : text);
      return absent;
    }
    const { success } = await new Deno.Command(`${folder}/standin`, { args: ["version"] }).output();
    return success;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The line that says why: the first one that tells of a request, else the first. */
function reasonOf(text: string): string {
  const lines = text.trim().split("\n");
  return (lines.find((line) => /request|denort/.test(line)) ?? lines[0] ?? "").trim();
}

async function main(): Promise<number> {
  const name = Deno.build.os === "windows" ? "standin.exe" : "standin";
  await Deno.mkdir("dist", { recursive: true });
  const { ok, text } = await compile(`dist/${name}`);
  console.log(ok ? `Wrote dist/${name}` : text);
  return ok ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main());
