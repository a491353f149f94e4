import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { findProgram, requireClient, runOk, runProgram } from "./clients.ts";

const deno = Deno.execPath();

Deno.test("an absent program is not found", () => {
  assertEquals(findProgram("no-such-program-4711"), undefined);
});

Deno.test("a program gets its input and environment, and its output is kept", async () => {
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

Deno.test("a program that ends badly is an error that shows what it said", async () => {
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

Deno.test("a program that is there is handed out by its full path", (t) => {
  assertEquals(requireClient(t, "sh")?.endsWith("/sh"), true);
});
