import { assertEquals, assertThrows } from "@std/assert";
import type { NewEvent, RawRecord } from "./event.ts";
import { parseNamespaceRule } from "../options/namespace_rule.ts";
import { createNamespaces } from "./namespace.ts";

Deno.test("rules give a fixed name, or the part of the text in its place", () => {
  const cases: readonly (readonly [rule: string, text: string, name: string | undefined])[] = [
    ["team-a=SG.key", "SG.key", "team-a"],
    ["team-a=SG.key", "sg.KEY", "team-a"],
    ["team-a=SG.key", "SG.key2", undefined],
    ["team-a=SG.*", "SG.key2", "team-a"],
    ["team-a=*", "", "team-a"],
    ["*+{namespace}@example.org", "ada+run-7@example.org", "run-7"],
    ["*+{namespace}@example.org", "ada@example.org", undefined],
    ["*@{namespace}.test", "Ada <ada@blue.test>", undefined],
    ["*@{namespace}.test*", "Ada <ada@blue.test>", "blue"],
    ["key-{namespace}-*", "key-a-b-c", "a"],
    ["a.b={namespace}", "a.b=x", "x"],
    ["a=b=c", "b=c", "a"],
    ["x=a.c", "abc", undefined],
    ["{namespace}", "x".repeat(65), undefined],
    ["{namespace}", "with blank", undefined],
  ];
  for (const [rule, text, name] of cases) {
    assertEquals(parseNamespaceRule(rule)(text), name, `${rule} on ${text}`);
  }
});

Deno.test("a rule that names no namespace, or could take long, is refused", () => {
  for (const rule of ["", "plain", "=x", "a b=c", "a=*x*y*", "{namespace}{namespace}", "a="]) {
    assertThrows(() => parseNamespaceRule(rule), RangeError, "expected name=pattern", rule);
  }
  const hostile = "a".repeat(100_000);
  assertEquals(parseNamespaceRule("x=*a*b")(hostile), undefined);
  assertEquals(parseNamespaceRule("*{namespace}*!")(hostile), undefined);
});

function event(raw: Partial<RawRecord>, more: Partial<NewEvent> = {}): NewEvent {
  return {
    type: "toy.message",
    summary: "",
    payload: {},
    raw: { transport: "http", text: true, body: new Uint8Array(), ...raw },
    ...more,
  };
}

Deno.test("the header takes precedence over the credential, and that over recipients", () => {
  const namespaceOf = createNamespaces({
    header: "X-Team",
    credentials: ["cred=secret", "aws-{namespace}", "hook=/services/T1/*"].map(parseNamespaceRule),
    recipients: ["rcpt=*@example.org"].map(parseNamespaceRule),
  });
  const to = { summary_parts: { to: ["bob@example.com", "ada@example.org"] } };
  const basic = (text: string) => ({
    headers: [["Authorization", `Basic ${btoa(text)}`]] as const,
  });
  const cases: readonly (readonly [NewEvent, string | undefined])[] = [
    [event({ headers: [["x-team", " blue "], ["authorization", "Bearer secret"]] }, to), "blue"],
    [event({ headers: [["x-team", "not, one"], ["authorization", "Bearer secret"]] }), "cred"],
    [event(basic("user:secret"), to), "cred"],
    [event(basic("secret:other"), to), "cred"],
    [event({ headers: [["authorization", "Basic !!!"]] }, to), "rcpt"],
    [event({ headers: [["X-API-Key", "secret"]] }), "cred"],
    [event({ headers: [["X-Postmark-Server-Token", "secret"]] }), "cred"],
    [
      event({
        headers: [[
          "authorization",
          "AWS4-HMAC-SHA256 Credential=aws-red/20260131/us-east-1/s3/aws4_request, Signature=0",
        ]],
      }),
      "red",
    ],
    [event({}, { meta: { auth: { mechanism: "PLAIN", user: "x", password: "secret" } } }), "cred"],
    [event({}, { meta: { community: "secret" } }), "cred"],
    [event({ path: "/services/T1/B2/x" }), "hook"],
    [event({}, to), "rcpt"],
    [event({}), undefined],
  ];
  for (const [given, name] of cases) assertEquals(namespaceOf(given), name, JSON.stringify(given));
});
