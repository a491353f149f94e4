import { assert, assertEquals } from "@std/assert";
import { SmtpError } from "./conversation.ts";
import { ADDRESSED, HELLO, playSmtp, QUIT, textOf } from "../../../tests/support/smtp_session.ts";

Deno.test("recipients over the limit are refused, and the others get the message", async () => {
  const { messages } = await playSmtp([
    ...ADDRESSED,
    [">>", "RCPT TO:<c@d.example>\r\nRCPT TO:<e@f.example>\r\n"],
    ["<", /^250 /],
    ["<", /^250 /],
    [">>", "RCPT TO:<g@h.example>\r\nRCPT TO:<i@j.example>\r\n"],
    ["<", /^452 4\.5\.3 /],
    ["<", /^452 4\.5\.3 /],
    [">", "DATA"],
    ["<", /^354 /],
    [">", "."],
    ["<", /^250 /],
    ...QUIT,
  ]);
  assertEquals(messages[0]?.rcptTo.length, 3);
  assertEquals(messages[0]?.warnings, ["2 recipients were refused: at most 3 are allowed"]);
});

Deno.test("a message over the limit is read to its end, refused and forgotten", async () => {
  const { messages, refused } = await playSmtp([
    ...ADDRESSED,
    [">", "DATA"],
    ["<", /^354 /],
    [">>", `${"x".repeat(998)}\r\n`],
    [">>", `${"y".repeat(998)}\r\n.\r\n`],
    ["<", "552 5.3.4 Message too large: at most 1000 octets are accepted"],
    [">", "MAIL FROM:<a@example.com>"],
    ["<", /^250 /],
    ...QUIT,
  ]);
  assertEquals(messages, []);
  assertEquals(refused.map(({ status, method }) => [status, method]), [[552, "DATA"]]);
});

Deno.test("a message of exactly the limit is accepted", async () => {
  const { messages } = await playSmtp([
    ...ADDRESSED,
    [">", "DATA"],
    ["<", /^354 /],
    [">>", `${"x".repeat(998)}\r\n.\r\n`],
    ["<", /^250 /],
    ...QUIT,
  ]);
  assertEquals(messages[0]?.bytes.length, 1000);
});

Deno.test("odd line ends, long lines and undeclared letters are warnings", async () => {
  const { messages } = await playSmtp([
    ...HELLO,
    [">", "MAIL FROM:<ä@example.com>"],
    ["<", /^250 /],
    [">", "RCPT TO:<b@example.com>"],
    ["<", /^250 /],
    [">", "DATA"],
    ["<", /^354 /],
    [">>", `a\nb\r\n${"x".repeat(999)}\r\n.\r\n`],
    ["<", /^250 /],
    ...QUIT,
  ], { limits: { maxMessageBytes: 10_000 } });
  assertEquals(messages[0]?.warnings.map((warning) => warning.slice(0, 20)), [
    'Address "ä@example.c',
    "Line ends other than",
    "A line of 999 octets",
  ]);
});

Deno.test("BDAT accepts chunks as sent, and delivers after the last", async () => {
  const { messages, refused } = await playSmtp([
    ...ADDRESSED,
    [">>", "BDAT 8\r\n.\r\nab\r\n."],
    ["<", "250 2.0.0 8 octets received"],
    [">>", "BDAT 4\r\nwxyz"],
    ["<", "250 2.0.0 4 octets received"],
    [">", "NOOP"],
    ["<", /^250 /],
    [">", "RCPT TO:<c@example.com>"],
    ["<", /^503 5\.5\.1 RCPT is not allowed/],
    [">", "DATA"],
    ["<", /^503 5\.5\.1 DATA cannot/],
    [">>", "BDAT 0 LAST\r\n"],
    ["<", "250 2.0.0 OK: captured as id1"],
    ...QUIT,
  ]);
  assertEquals(textOf(messages[0]), ".\r\nab\r\n.wxyz");
  assertEquals(refused.length, 2);
});

Deno.test("BDAT chunks and their commands may come at once", async () => {
  const { messages } = await playSmtp([
    ...HELLO,
    [
      ">>",
      "MAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nBDAT 3\r\none" +
      "BDAT 5 LAST\r\n two\nQUIT\r\n",
    ],
    ["<", /^250 2\.1\.0/],
    ["<", /^250 2\.1\.5/],
    ["<", /^250 2\.0\.0 3 /],
    ["<", /^250 2\.0\.0 OK/],
    ["<", /^221 /],
    ["<end"],
  ]);
  assertEquals(textOf(messages[0]), "one two\n");
});

Deno.test("a chunk over the limit is discarded, and the transaction has failed", async () => {
  const { messages } = await playSmtp([
    ...ADDRESSED,
    [">>", `BDAT 600\r\n${"x".repeat(600)}`],
    ["<", /^250 /],
    [">>", `BDAT 600 LAST\r\n${"QUIT\r\n".repeat(100)}`],
    ["<", /^552 5\.3\.4 /],
    [">>", "BDAT 1 LAST\r\ny"],
    ["<", /^503 5\.5\.1 An earlier chunk/],
    [">", "DATA"],
    ["<", /^503 5\.5\.1 An earlier chunk/],
    [">", "RSET"],
    ["<", /^250 /],
    ...QUIT,
  ]);
  assertEquals(messages, []);
});

Deno.test("BDAT without a valid size is a syntax error", async () => {
  await playSmtp([...ADDRESSED, [">", "BDAT x"], ["<", /^501 5\.5\.2 /], ...QUIT]);
});

Deno.test("smuggled commands stay in the message", async () => {
  const { messages } = await playSmtp([
    ...ADDRESSED,
    [">", "DATA"],
    ["<", /^354 /],
    [
      ">>",
      "one\n.\r\nMAIL FROM:<evil@example.com>\r\nRCPT TO:<x@y.example>\r\nDATA\r\ntwo\r\n.\r\n",
    ],
    ["<", "250 2.0.0 OK: captured as id1"],
    ...QUIT,
  ]);
  assertEquals(messages.length, 1);
  assert(textOf(messages[0]).includes("evil@example.com"));
});

Deno.test("a fault while storing a message is a 451, and the conversation continues", async () => {
  const { refused } = await playSmtp([
    ...ADDRESSED,
    [">", "DATA"],
    ["<", /^354 /],
    [">", "."],
    ["<", "451 4.3.0 Broken"],
    ...QUIT,
  ], { handler: { deliver: () => Promise.reject(new SmtpError(451, "4.3.0", "Broken")) } });
  assertEquals(refused.map(({ status }) => status), [451]);
});

Deno.test("a client that leaves in its message is noted, with the bytes it sent", async () => {
  for (const begin of [["DATA", "<", /^354 /], ["BDAT 100"]] as const) {
    const { messages, refused } = await playSmtp([
      ...ADDRESSED,
      [">", begin[0]],
      ...(begin.length === 3 ? [["<", begin[2]] as const] : []),
      [">>", "half a mess"],
    ]);
    assertEquals(messages, []);
    assertEquals(refused.length, 1);
    assert(refused[0]!.reason.includes("disconnected after 11 octets"), refused[0]!.reason);
    assert(new TextDecoder().decode(refused[0]!.raw).endsWith("half a mess"));
  }
});
