/**
 * `deno task compile`: one program for this platform in `dist/`. Where Deno cannot fetch its base runtime, `DENORT_BIN`
 * names one; it has to be of the version that compiles, which `STANDIN_COMPILER` names where it is another one.
 *
 * @module
 */
import { startProgram } from "../tests/support/program.ts";
import { PROGRAM_PERMISSIONS } from "./permissions.ts";

/** Compiles `main.ts` to `output`. Returns what the compiler said, and whether it was content. */
async function compile(output: string): Promise<{ readonly ok: boolean; readonly text: string }> {
  const compiler = Deno.env.get("STANDIN_COMPILER") ?? Deno.execPath();
  const flags = ["--quiet", "--no-check", ...PROGRAM_PERMISSIONS];
  const result = await new Deno.Command(compiler, {
    args: ["compile", ...flags, "--output", output, "main.ts"],
    env: { NO_COLOR: "1" },
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
    const { ok, text } = await compile(`${folder}/standin`);
    if (!ok) {
      // Without a base runtime there is nothing to say about our own code.
      const absent = /denort|Failed to fetch|error sending request|download/i.test(text);
      console.log(absent ? `     no base runtime to compile with: ${reasonOf(text)}` : text);
      return absent;
    }
    return await tryOut(`${folder}/standin`, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function tryOut(compiled: string, cwd: string): Promise<boolean> {
  await using program = await startProgram({ compiled, cwd });
  const { ui, ingress } = program.urls;
  const statuses: number[] = [];
  const ask = async (url: string, init: RequestInit = {}): Promise<void> => {
    const response = await fetch(url, init);
    await response.body?.cancel();
    statuses.push(response.status);
  };
  await ask(`${ui}/ui/`);
  await ask(`${ui}/ui/assets/app.js`);
  await ask(`${ingress}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer re_any", "content-type": "application/json" },
    body: JSON.stringify({ from: "a@example.com", to: "b@example.com", subject: "x", text: "x" }),
  });
  const events = await (await fetch(`${ui}/api/v1/events`)).json() as unknown[];
  const works = statuses.every((status) => status === 200) && events.length === 1;
  if (!works) {
    console.log(`     the compiled program answered ${statuses}, ${events.length} events`);
  }
  return works;
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
