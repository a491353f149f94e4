import { assertEquals, assertStringIncludes } from "@std/assert";
import { runToEnd } from "../../../../core/bytes/steps.ts";
import {
  newKey,
  RFC8463_KEYS,
  RFC8463_MESSAGE,
  signedMessage,
  type SigningKey,
} from "../../../../tests/support/dkim.ts";
import { canonicalBody, canonicalField } from "./canonical.ts";
import { parseKey } from "./key.ts";
import { fieldsOf, verifySignature } from "./verify.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Results of all signatures of a message, each with its reason. */
function verified(
  message: string,
  records: Readonly<Record<string, string>>,
  now = "2018-06-10T14:00:00Z",
): readonly string[] {
  const [header = "", ...rest] = message.split("\r\n\r\n");
  const fields = fieldsOf(header);
  const body = encoder.encode(rest.join("\r\n\r\n"));
  const keyOf = (name: string) => {
    const record = records[name];
    const key = record === undefined ? undefined : parseKey(record);
    return key?.ok ? key.value : undefined;
  };
  return fields.filter((field) => field.startsWith("DKIM-Signature:")).map((field) => {
    const verdict = runToEnd(
      verifySignature({ fields, body }, field, { keyOf, nowMs: Date.parse(now) }),
    );
    return verdict.result === "fail" ? `fail: ${verdict.reason}` : verdict.result;
  });
}

Deno.test("the signed message of RFC 8463 verifies with its two keys", () => {
  assertEquals(verified(RFC8463_MESSAGE, RFC8463_KEYS), ["pass", "pass"]);
  assertEquals(verified(RFC8463_MESSAGE, {}), ["unknown", "unknown"]);
});

for (
  const [what, from, to, says] of [
    ["body", "hungry yet", "hungry now", "the body was changed"],
    ["a field", "dinner", "supper", "header fields were changed"],
    ["a tag", "t=1528637909", "t=1528637908", "header fields were changed"],
    // From and Subject are signed twice: a second one cannot be added.
    ["the number of a field", "From: Joe", "Subject: x\r\nFrom: Joe", "header fields were changed"],
  ] as const
) {
  Deno.test(`a signature does not verify after a change of ${what}`, () => {
    const changed = RFC8463_MESSAGE.replaceAll(from, to);
    for (const one of verified(changed, RFC8463_KEYS)) assertStringIncludes(one, `fail: ${says}`);
  });
}

Deno.test("white space and unsigned fields may change in the relaxed form", () => {
  const changed = RFC8463_MESSAGE
    .replaceAll("Subject: Is dinner", "SUBJECT  :  Is\r\n\t  dinner")
    .replaceAll("the game.  Are", "the game. \t Are")
    .replaceAll("Joe.\r\n", "Joe. \r\n\r\n\r\n") + "\r\n";
  assertEquals(verified(`Received: from b\r\n${changed}`, RFC8463_KEYS), ["pass", "pass"]);
});

const RSA = newKey();
const ED25519 = newKey("ed25519");
const recordOf = ({ record }: SigningKey) => ({ "s1._domainkey.example.org": record });

Deno.test("the simple form verifies with both kinds of keys, and with part of the body", () => {
  for (const key of [RSA, ED25519]) {
    assertEquals(verified(signedMessage(key), recordOf(key)), ["pass"]);
    const part = { tags: { l: "7" }, body: "Hello\r\nand more\r\n", signedBody: "Hello\r\n" };
    assertEquals(verified(signedMessage(key, part), recordOf(key)), ["pass"]);
  }
});

for (
  const [tags, says] of [
    [{ v: "2" }, "v is not 1"],
    [{ a: "rsa-sha1" }, "a=rsa-sha1 is neither"],
    [{ a: "ed25519-sha256" }, "a=ed25519-sha256, but the key is rsa"],
    [{ c: "strict" }, "c=strict does not exist"],
    [{ h: "subject" }, "h does not contain From"],
    [{ i: "@example.net" }, "i=@example.net is not in d=example.org"],
    [{ l: "8" }, "l=8 is more than the length of the body"],
    [{ l: "-1" }, "l is not a number"],
    [{ t: "5", x: "5" }, "x is not after t"],
    [{ x: "5" }, "it expired 1970-01-01T00:00:05.000Z"],
    [{ d: "" }, "d is missing"],
  ] as const
) {
  Deno.test(`a signature with ${JSON.stringify(tags)} is refused`, () => {
    const [one = ""] = verified(signedMessage(RSA, { tags }), recordOf(RSA));
    assertStringIncludes(one, `fail: ${says}`);
  });
}

Deno.test("a key of another pair, a short one and one for one domain only do not verify", () => {
  assertStringIncludes(
    verified(signedMessage(RSA), recordOf(newKey()))[0]!,
    "or the key is another one",
  );
  const short = newKey("rsa", 768);
  assertStringIncludes(verified(signedMessage(short), recordOf(short))[0]!, "768 bits: RFC 8301");
  const strict = { "s1._domainkey.example.org": RSA.record.replace("k=rsa", "t=y:s") };
  const tags = { i: "ada@mail.example.org" };
  assertEquals(verified(signedMessage(RSA, { tags }), recordOf(RSA)), ["pass"]);
  assertStringIncludes(verified(signedMessage(RSA, { tags }), strict)[0]!, "the key has t=s");
});

Deno.test("a record that verifies nothing is refused with the reason", () => {
  for (
    const [record, says] of [
      ["k=rsa; v=DKIM1; p=AA", "v is not DKIM1, or not the first tag"],
      ["v=DKIM1; p=", "the key is revoked"],
      ["v=DKIM1; k=rsa", "p is missing"],
      ["v=DKIM1; k=dsa; p=AA", "k=dsa is neither"],
      ["v=DKIM1; h=sha1; p=AA", "h does not contain sha256"],
      ["v=DKIM1; s=tlsrpt; p=AA", "s is not for mail"],
      ["v=DKIM1; p=AAAA", "p is not a Base64 rsa key"],
      ["v=DKIM1; k=ed25519; p=AAAA", "p is not a Base64 ed25519 key"],
      ["v=DKIM1; p=AA; p=AA", "it is not a list of tags"],
      ["something", "it is not a list of tags"],
    ] as const
  ) {
    const key = parseKey(record);
    assertEquals(key.ok, false, record);
    if (!key.ok) assertStringIncludes(key.refusal, says);
  }
});

Deno.test("canonical forms are those of RFC 6376, section 3.4.5", () => {
  const body = encoder.encode(" C \r\nD \t E\r\n\r\n\r\n");
  const form = (how: "simple" | "relaxed", bytes: Uint8Array = body) =>
    decoder.decode(runToEnd(canonicalBody(bytes, how)));
  assertEquals(form("relaxed"), " C\r\nD E\r\n");
  assertEquals(form("simple"), " C \r\nD \t E\r\n");
  assertEquals([form("relaxed", new Uint8Array()), form("simple", new Uint8Array())], ["", "\r\n"]);
  assertEquals(form("relaxed", encoder.encode("no end")), "no end\r\n");
  assertEquals(canonicalField("A: X", "relaxed"), "a:X");
  assertEquals(canonicalField("B : Y\t\r\n\tZ  ", "relaxed"), "b:Y Z");
  assertEquals(canonicalField("B : Y\t\r\n\tZ  ", "simple"), "B : Y\t\r\n\tZ  ");
});
