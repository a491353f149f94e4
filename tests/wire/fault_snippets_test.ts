/** Runs the code that the Faults page offers in a shell. */
import { assertEquals } from "@std/assert";
import { faultSnippets } from "../../ui/static/lib/fault_code.js";

const RULE = { on: "mail/mail2", outcome: ["rate_limit", "reset"], chance: 0.3, after: true };

Deno.test("curl and TypeScript keep hostile words as text", async () => {
  const rule = {
    ...RULE,
    name: "'; touch x; `$(y)`\u202e",
    match: JSON.parse('{"__proto__":"a","b-c":null}'),
  };
  const [, curl, script] = faultSnippets(rule, "http://localhost:8811");
  const echoed = await new Deno.Command("sh", {
    args: ["-c", `curl() { for last; do :; done; printf %s "$last"; }\n${curl?.code}`],
  }).output();
  assertEquals(JSON.parse(new TextDecoder().decode(echoed.stdout)), rule);
  const object = /standin\.fault\(([^]*)\);\n\/\//.exec(script?.code ?? "")?.[1];
  assertEquals(JSON.stringify(Function(`return ${object}`)()), JSON.stringify(rule));
});
