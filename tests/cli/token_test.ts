/** Commands that query a running instance get its token from a flag, variable or file. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { startService } from "../support/service.ts";
import { runToEnd } from "./console.ts";

const TOKEN = "sesame-42";

Deno.test("a command works with the token, and without one says how to pass it", async () => {
  await using service = await startService({ plugins: [mail], config: { api: { token: TOKEN } } });
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runToEnd([...args, "--url", service.api.url], { plugins: [mail], env });
  assertEquals((await run(["snapshot", `--api-token=${TOKEN}`])).stdout, "[]\n");
  assertEquals((await run(["snapshot"], { SERVICE_API_TOKEN: TOKEN })).stdout, "[]\n");
  assertEquals((await run(["demo", `--api-token=${TOKEN}`])).code, 0);
  assertEquals((await run(["ready"])).code, 0);
  for (const command of ["snapshot", "demo"]) {
    const { code, stderr } = await run([command]);
    assertEquals(code === 0, false);
    assertStringIncludes(stderr, "--api-token");
  }
  const wrong = await run(["snapshot", "--api-token=hunter2"]);
  assertStringIncludes(wrong.stderr, "--api-token");
  assertEquals(wrong.stderr.includes("hunter2"), false);
});
