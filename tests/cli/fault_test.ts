import { assertEquals, assertStringIncludes } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { startService } from "../support/service.ts";
import { runToEnd } from "./console.ts";

Deno.test("fault adds a rule, lists it with its hits, and clears it", async () => {
  await using service = await startService({ plugins: [mail] });
  const fault = (...words: string[]) =>
    runToEnd(["fault", ...words, "--url", service.api.url], { plugins: [mail] });
  assertEquals((await fault("list")).stdout, "No faults\n");
  const added = await fault(
    ...["add", "mail/mail2", "rate_limit,close", "--with", "retry_after=2", "--skip=1"],
    ...["--match", "to[*].email=ada@example.org", "--match", 'subject={"contains":"a=b"}'],
    ...["--name", "busy", "--delay", "5ms", "--ttl", "5m", "--after"],
  );
  assertEquals(added, { code: 0, stdout: 'Added fault f1, "busy"\n', stderr: "" });
  const listed = "f1  busy  SendGrid (mail2): rate_limit, close  (0 hits, api)\n";
  assertEquals((await fault("list")).stdout, listed);
  const { faults } = JSON.parse((await fault("list", "--json")).stdout);
  assertEquals(faults[0].match, {
    "to[*].email": "ada@example.org",
    subject: { contains: "a=b" },
  });
  assertEquals([faults[0].with, faults[0].after], [{ retry_after: 2 }, true]);
  assertEquals((await fault("clear", "f1")).stdout, "Removed f1\n");
  assertEquals((await fault("clear", "f1")).stderr.split(":")[1], ' Cannot find fault "f1"');
  await fault("add", "SendGrid", "--delay=1s");
  assertStringIncludes((await fault("list")).stdout, "delay  SendGrid (mail2): delay");
  assertEquals((await fault("clear")).code, 0);
  assertEquals((await fault("list")).stdout, "No faults\n");
});

Deno.test("fault reports invalid arguments", async () => {
  await using service = await startService({ plugins: [mail] });
  for (
    const [words, error] of [
      [["fault"], "Cannot run standin fault without a verb: expected add, list or clear"],
      [["fault", "ad"], 'Cannot use standin fault "ad": did you mean add?'],
      [["fault", "add"], "Cannot add a fault without a provider"],
      [["fault", "list", "all"], "it takes no further word"],
      [["fault", "add", "mail/mail2", "close", "--with=x"], 'Cannot read --with "x": expected'],
      [["fault", "add", "mail/mail2", "clos"], 'did you mean "close"?'],
      [["fault", "add", "mail/mail2", "close", "--times=two"], 'from 1 to 1000000000, not "two"'],
    ] as const
  ) {
    const said = await runToEnd([...words, "--url", service.api.url]);
    assertEquals(said.code, 1, words.join(" "));
    assertStringIncludes(said.stderr, error);
  }
});
