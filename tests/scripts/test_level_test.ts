import { assertEquals, assertMatch } from "@std/assert";

const ROOT = new URL("../../", import.meta.url).pathname;

/** A test that does `first` on its first run, and passes afterwards. */
function onlyAtFirst(mark: string, first: string): string {
  return `Deno.test("a test", async () => {
    const mark = ${JSON.stringify(mark)};
    const again = await Deno.stat(mark).then(() => true, () => false);
    await Deno.writeTextFile(mark, "");
    if (!again) ${first};
  });`;
}

/** Runs a level with one test, and returns its output and outcome. */
async function runTest(source: (folder: string) => string) {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/a_test.ts`, source(folder));
    const level = { name: "level", proves: "it", paths: [`${folder}/a_test.ts`], args: ["-A"] };
    const program = `import { runLevel } from "./scripts/test_level.ts";
      const report = await runLevel(${JSON.stringify(level)}, { stallMs: 5000 });
      console.log("report", report.passed, report.failed);`;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--no-lock", program],
      cwd: ROOT,
      stdout: "piped",
      stderr: "null",
    }).output();
    return new TextDecoder().decode(stdout);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a level in which Deno itself crashes runs once more, with a notice", async () => {
  const printed = await runTest((folder) =>
    onlyAtFirst(`${folder}/mark`, `Deno.kill(Deno.pid, "SIGKILL")`)
  );
  assertMatch(printed, /^AGAIN level: Deno was ended by SIGKILL$/m);
  assertMatch(printed, /^report 1 0$/m);
});

Deno.test("a level that hangs is interrupted, names the test that hung, and fails", async () => {
  const printed = await runTest((folder) =>
    onlyAtFirst(`${folder}/mark`, `await new Promise((end) => setTimeout(end, 60_000))`)
  );
  assertMatch(printed, /^No result for 5 s: /m);
  assertMatch(printed, /^a test => /m);
  assertMatch(printed, /^report 0 1$/m);
});

Deno.test("a level of slow tests may take long while each gives its result", async () => {
  const printed = await runTest(() =>
    [1, 2, 3, 4].map((i) =>
      `Deno.test("slow ${i}", async () => await new Promise((end) => setTimeout(end, 2000)));`
    ).join("\n")
  );
  assertMatch(printed, /^report 4 0$/m);
});

Deno.test("a level that crashes twice fails", async () => {
  const printed = await runTest(() => `Deno.test("a test", () => Deno.kill(Deno.pid, "SIGKILL"));`);
  assertMatch(printed, /^report 0 1$/m);
});

Deno.test("a failed test is not repeated", async () => {
  const printed = await runTest((folder) => onlyAtFirst(`${folder}/mark`, `throw new Error("no")`));
  assertEquals(printed.includes("AGAIN"), false);
  assertMatch(printed, /^report 0 1$/m);
});
