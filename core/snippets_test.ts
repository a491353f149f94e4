import { assertEquals } from "@std/assert";
import { writeBasic } from "./http/auth.ts";
import { defineOptions, optionalText } from "./options/spec.ts";
import { type ExampleCall, ingressProvider, type PluginState } from "./plugin.ts";
import { curlSnippet, snippetsOf } from "./snippets.ts";

const AT = { hostname: "localhost", port: 8822, url: "http://localhost:8822" };

Deno.test("a call becomes a command, quoted where a shell would read more than a word", () => {
  const call: ExampleCall = {
    path: "/v1/send?a=1",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: "Ada's" }),
  };
  assertEquals(
    curlSnippet(AT, call).code,
    "curl -sS 'http://localhost:8822/v1/send?a=1' \\\n" +
      "  -H 'content-type: application/json' \\\n" +
      `  --data-raw '{"text":"Ada'\\''s"}'`,
  );
});

Deno.test("a method other than POST is named", () => {
  const { code } = curlSnippet(AT, { path: "/v1/send", method: "PUT", headers: {}, body: "Hello" });
  assertEquals(code, "curl -sS http://localhost:8822/v1/send \\\n  -X PUT \\\n  --data-raw Hello");
});

const OPTIONS = defineOptions({
  user: optionalText("User"),
  key: optionalText("Key", { secret: true }),
});
const provider = ingressProvider<PluginState, typeof OPTIONS>({
  id: "sms99",
  title: "Acme",
  about: "Messages",
  options: OPTIONS,
  routes: [],
  example: ({ user = "any", key = "any" }) => ({
    path: `/${user}`,
    headers: { authorization: writeBasic(user, key) },
    body: "Hello",
  }),
  snippets: (_at, { key }) => [{ title: "Node", lang: "js", code: `send("${key}")` }],
});

Deno.test("the example of a provider comes before its own snippets", () => {
  const found = snippetsOf(provider, AT, { user: undefined, key: undefined });
  assertEquals(found.map(({ lang }) => lang), ["sh", "js"]);
  const { example: _, ...without } = provider;
  assertEquals(snippetsOf(without, AT, {}).map(({ lang }) => lang), ["js"]);
});

Deno.test("the command shows a login that can be read, and hides secrets that are set", () => {
  const login = (values: { user?: string; key?: string }) =>
    /-u (\S+)/.exec(
      snippetsOf(provider, AT, { user: undefined, key: undefined, ...values })[0]!.code,
    )?.[1];
  assertEquals(login({}), "any:any");
  assertEquals(login({ user: "ada", key: "1815" }), "'ada:<key>'");
  assertEquals(login({ user: "Ω" }), "'Ω:any'");
});
