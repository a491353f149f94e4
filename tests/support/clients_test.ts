import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { findIn, findProgram, isAtLeast, requireClient, runOk, runProgram } from "./clients.ts";

const deno = Deno.execPath();

Deno.test("an absent program is not found", () => {
  assertEquals(findProgram("no-such-program-4711"), undefined);
});

Deno.test("a program gets its input and environment, and its output is returned", async () => {
  const code = `
    console.log(Deno.env.get("COLOUR"), await new Response(Deno.stdin.readable).text());
    console.error("warned");
    Deno.exit(3);`;
  const finished = await runProgram(deno, ["eval", code], {
    stdin: "hello",
    env: { COLOUR: "green" },
  });
  assertEquals(finished, { code: 3, stdout: "green hello\n", stderr: "warned\n" });
});

Deno.test("a failing program is an error that shows its output", async () => {
  const error = await assertRejects(
    () => runOk(deno, ["eval", "console.error('no luck'); Deno.exit(4)"]),
    Error,
  );
  assertStringIncludes(error.message, "status 4");
  assertStringIncludes(error.message, "no luck");
});

Deno.test("a program that does not end is killed", async () => {
  await assertRejects(
    () => runProgram(deno, ["eval", "setInterval(() => {}, 1000)"], { timeoutMs: 300 }),
    Error,
    "still running after 300 ms",
  );
});

Deno.test("an installed program is found by its full path", (t) => {
  assertEquals(requireClient(t, "sh")?.endsWith("/sh"), true);
});

Deno.test("an outdated program is skipped for a newer one later on the path", async () => {
  const root = await Deno.makeTempDir();
  try {
    for (const [folder, version] of [["old", "1.45.11"], ["new", "2.9.19"]]) {
      await Deno.mkdir(`${root}/${folder}`);
      await Deno.writeTextFile(`${root}/${folder}/aws`, `#!/bin/sh\necho aws-cli/${version}\n`);
      await Deno.chmod(`${root}/${folder}/aws`, 0o755);
    }
    assertEquals(findIn(`${root}/old:${root}/new`, "aws"), `${root}/new/aws`);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("versions are compared number by number", () => {
  const table: [string, string, boolean][] = [
    ["2", "2", true],
    ["2.9.19", "2", true],
    ["1.45.11", "2", false],
    ["1.26.8", "1.26", true],
    ["1.19", "1.26", false],
    ["3.9.18", "3.10", false],
    ["0", "3", false],
  ];
  for (const [version, oldest, expected] of table) {
    assertEquals(isAtLeast(version, oldest), expected, `${version} for ${oldest}`);
  }
});
