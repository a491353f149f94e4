/** `standin snapshot` and `standin diff`: two runs of the same tests compared. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { startService, type TestService } from "../support/service.ts";
import { runToEnd, type Said } from "./console.ts";

function run(service: TestService, ...args: readonly string[]): Promise<Said> {
  return runToEnd([...args, "--url", service.api.url], { plugins: [mail] });
}

async function send(service: TestService, subject: string): Promise<void> {
  const response = await fetch(`${service.ingress.url}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer re_any", "content-type": "application/json" },
    body: JSON.stringify({ from: "a@example.com", to: "b@example.org", subject, text: "x" }),
  });
  await response.body?.cancel();
}

Deno.test("two equal runs give the same snapshot, and a difference is shown line by line", async () => {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/golden.json`;
  try {
    {
      await using first = await startService({ plugins: [mail] });
      await send(first, "one");
      await send(first, "two");
      const said = await run(first, "snapshot", file);
      assertEquals([said.code, said.stdout], [0, `Wrote 2 events to ${file}\n`]);
      assertEquals((await run(first, "snapshot")).stdout, await Deno.readTextFile(file));
    }
    await using second = await startService({ plugins: [mail] });
    await send(second, "one");
    await send(second, "two");
    assertEquals((await run(second, "diff", file)).code, 0);
    await send(second, "three");
    const { code, stdout, stderr } = await run(second, "diff", file);
    assertEquals(code, 1);
    assertStringIncludes(stdout, '+      "subject": "three"');
    assertStringIncludes(stderr, `standin snapshot ${file}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a missing or unnamed snapshot is reported", async () => {
  await using service = await startService({ plugins: [mail] });
  const missing = await run(service, "diff", "/nowhere/golden.json");
  assertStringIncludes(missing.stderr, 'Cannot read "/nowhere/golden.json"');
  assertStringIncludes((await run(service, "diff")).stderr, "expected its file");
  assertStringIncludes((await run(service, "snapshot", "/nowhere/x")).stderr, "Cannot write");
});
