import { assertEquals, assertThrows } from "@std/assert";
import { parseNamespaceRule } from "../options/namespace_rule.ts";
import { addressIn, checkNamespace, credentialIn, NAMESPACE_RULES } from "./namespace.ts";

const NAMES = ["t1", "gw0-17", "a_b.c:d", "A", "x".repeat(64)];

Deno.test("namespace rules accept what the client builds", () => {
  const [recipient, credential] = [NAMESPACE_RULES.recipients, NAMESPACE_RULES.credentials]
    .map(parseNamespaceRule);
  for (const name of NAMES) {
    assertEquals(checkNamespace(name), name);
    for (const address of ["ada@example.org", "Ada <ada@example.org>", "ada+tag@example.org"]) {
      assertEquals(recipient?.(addressIn(name, address)), name, address);
    }
    for (const key of ["re_any", "SG.a-b--c", "xoxb-", "any-"]) {
      assertEquals(credential?.(credentialIn(name, key)), name, key);
    }
  }
  assertEquals(addressIn("t1", "ada@example.org"), "ada+t1@example.org");
});

Deno.test("an ambiguous name and an invalid address are refused", () => {
  for (const name of ["", "-a", "a-", "a--b", "a b", "a+b", "a@b", "x".repeat(65)]) {
    assertThrows(() => checkNamespace(name), RangeError, "Cannot use namespace", name);
  }
  assertThrows(() => addressIn("t1", "+15550100"), RangeError, "expected an email address");
});
