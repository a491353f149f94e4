import { assertEquals } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { type Extract, extractTexts } from "./extract.ts";

const plain = (text: string): Extract => extractTexts([{ kind: "plain", text }]);
const html = (text: string): Extract => extractTexts([{ kind: "html", text }]);

Deno.test("one-time codes are found in the forms of real messages", () => {
  const messages: readonly (readonly [string, ...string[]])[] = [
    ["Your code is 123456", "123456"],
    ["Your verification code: 123456. It expires in 10 minutes.", "123456"],
    ["123456 is your Example verification code.", "123456"],
    ["G-482913 is your Google verification code.", "482913"],
    ["Use 123 456 to confirm. Your one-time passcode.", "123456"],
    ["PIN: 0042", "0042"],
    ["<#> Your ExampleApp code is: 7391\nFA+9qCX9VSu", "7391"],
    ["747723 is your code.\n\n@example.com #747723", "747723"],
    ["Hello Ada,\n\nYour verification code\n\n  908172  \n\nThanks", "908172"],
    ["Your login code: X7K2-Q9LM", "X7K2-Q9LM"],
    ["Your sign-in code is F3K9Q2", "F3K9Q2"],
    ["Ihr Einmalpasswort lautet 55 19 00 - nein: 551900", "551900"],
    ["Tu código es 4821.", "4821"],
    ["您的验证码是 384756，请勿泄露", "384756"],
    ["Order 123456: your pickup code is 9021", "9021"],
    ["code 1111\nnew code 2222", "1111", "2222"],
    ["Your code is 2024", "2024"],
    [" 551234 \n", "551234"],
    ["Code: 1 2 3 4 5 6", "123456"],
    ["Your temporary confirmation code: ABC-DEF", "ABC-DEF"],
    ["您的验证码是123456。", "123456"],
    ["認証コード123456です", "123456"],
    ["code=998877", "998877"],
    ["2FA code for acct 99887766: 112233", "112233"],
  ];
  for (const [text, ...codes] of messages) assertEquals(plain(text).codes, codes, text);
});

Deno.test("other numbers and words are not codes", () => {
  const messages = [
    "Your order 123456 has shipped",
    "Invoice #884213 over 1200 EUR is due on 2026-02-01",
    "Call +1 555 010 9999 or 0800 123456",
    "The code review is on 12.03.2026",
    "© 2026 Example Ltd, verification department",
    "Your card ending in 4242 was charged. Never share your password.",
    "HELLO WORLD",
    "Use code SAVE20 at checkout",
    "The error code was handled. SEE-ALSO the manual",
    "Login attempt from 192.168.10.25 with an old password",
    "Confirm here: https://example.org/confirm/123456?code=654321",
    "Your code expires in 5000 minutes",
  ];
  for (const text of messages) assertEquals(plain(text).codes, [], text);
});

Deno.test("links are found in text and in HTML, without surrounding punctuation", () => {
  const { links } = plain(
    "See https://example.org/a?b=c&d=e, (http://example.org/x_(y)) or <https://example.org/z|here>; " +
      "https://example.org/a?b=c&d=e. myapp://reset/1! mailto:ada@example.org example.org",
  );
  assertEquals(links, [
    "https://example.org/a?b=c&d=e",
    "http://example.org/x_(y)",
    "https://example.org/z",
    "myapp://reset/1",
  ]);
  const page = html(
    `<style>a{background:url(https://no.example/)}</style><a href="https://example.org/?a=1&amp;b=2">go</a>` +
      `<a href='javascript://alert(1)'>x</a><!-- https://comment.example --> https://example.org/text`,
  );
  assertEquals(page.links, [
    "https://example.org/text",
    "https://example.org/?a=1&b=2",
  ]);
});

Deno.test("tokens are found in links and in text", () => {
  const uuid = "0b6f2c1e-8f4d-4c55-9d8e-0a4b6f9b7e11";
  const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
  const { tokens } = plain(
    `Reset: https://example.org/reset?token=abc&lang=en or https://example.org/u/${uuid}/ok\n` +
      `https://example.org/#/cb?access_token=zzz https://example.org/i/9fK3mQ81xZ27bLw0Tt55\n` +
      `API key: ${jwt} and sk_live_4eC39HqLyjWDarjtT1zdp7dc; a-quite-long-but-readable-name-2026`,
  );
  assertEquals(tokens, [
    "abc",
    uuid,
    "zzz",
    "9fK3mQ81xZ27bLw0Tt55",
    jwt,
    "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
  ]);
});

Deno.test("HTML is searched as people see it", () => {
  const { text, codes } = html(
    `<html><head><title>Code 9999</title></head><body><h1>Hi &amp; welcome</h1>
     <p>Your code is<br><b>12</b><b>3456</b></p><script>code = 777777</script>
     <table><tr><td>a</td><td>b</td></tr></table>`,
  );
  assertEquals(text, "Hi & welcome\nYour code is\n123456\na b");
  assertEquals(codes, ["123456"]);
});

Deno.test("hostile texts of full length are searched in bounded time", () => {
  const size = 262_144;
  const patterns = [
    "a.",
    "a",
    "<",
    "<a ",
    "<b>",
    "1",
    "1 ",
    "123-",
    "code ",
    "code 1234 ",
    "eyJ-",
    "@a.",
    "A1-",
    "a://",
    "a@",
    "@example.com #",
    "(",
    "https://a(",
    "é",
    "\n",
  ];
  for (const pattern of patterns) {
    const text = pattern.repeat(size / pattern.length);
    assertEquals(plain(text).codes.length <= 20, true, pattern);
    assertEquals(html(text).links.length <= 200, true, pattern);
  }
});

Deno.test("any text gives lists of bounded length", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 500 }), fc.boolean(), (text, isHtml) => {
      const { codes, links, tokens } = isHtml ? html(text) : plain(text);
      assertEquals([codes.length <= 20, links.length <= 200, tokens.length <= 100], [
        true,
        true,
        true,
      ]);
    }),
    fuzzed(),
  );
});

Deno.test("many texts are searched up to a total length", () => {
  const texts = ["one", "two", "three"].map((word) => ({
    kind: "plain" as const,
    text: `Your code is 482913 ${word}\n${"x".repeat(262_144 - 24 - word.length)}`,
  }));
  const { text } = extractTexts(texts);
  assertEquals([text.includes("one"), text.includes("two"), text.includes("three")], [
    true,
    true,
    false,
  ]);
});
