import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { sms } from "../../plugins/sms/mod.ts";
import { startService } from "../support/service.ts";
import { runToEnd } from "./console.ts";

const PATH = "/2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json";

Deno.test("check prints findings and exits with 1, or with 0 without any", async () => {
  await using service = await startService({ plugins: [sms] });
  const check = (...words: string[]) => runToEnd(["check", ...words, "--url", service.api.url]);
  assertEquals(await check(), { code: 0, stdout: "No findings\n", stderr: "" });
  for (const Body of ["Hi {{name}}", "Summer sale: shop now", "Fine"]) {
    const body = new URLSearchParams({ To: "+447700900123", From: "+447700900999", Body });
    await (await fetch(`${service.ingress.url}${PATH}`, { method: "POST", body })).text();
  }
  const found = await check();
  assertEquals(found.code, 1);
  assertMatch(
    found.stdout,
    /^sms\.message [0-9a-f]{24}: .*\n {2}error +sms\.placeholder: "\{\{name\}\}" looks .* \(body 1:4\)\n$/,
  );
  assertEquals((await check("--level=info")).stdout.split("\n").length, 5);
  assertEquals((await check("search=sale")).code, 0);
  assertEquals((await check("type=sms.message", "search=Hi", "--plugin=sms")).code, 1);
  const [listed] = JSON.parse((await check("--json", "--level=info", "search=sale")).stdout);
  assertEquals(listed.checks[0].id, "sms.opt_out");
});

Deno.test("check reports invalid arguments", async () => {
  await using service = await startService({ plugins: [sms] });
  for (
    const [words, error] of [
      [["--level=eror"], "did you mean error?"],
      [["Invoice"], 'Cannot read "Invoice": expected a filter of the list'],
      [["checks=error"], "use --level"],
      [["limit=1"], "it is not a filter of events"],
      [["typ=sms.message"], 'did you mean "type"?'],
    ] as const
  ) {
    const said = await runToEnd(["check", ...words, "--url", service.api.url]);
    assertEquals(said.code, 1, words.join(" "));
    assertStringIncludes(said.stderr, error);
  }
});
