import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { MemoryBudget } from "../../../core/memory/budget.ts";
import { UPGRADED_BYTES } from "../../../core/memory/upgrade.ts";
import { transportPair } from "../../../core/net/pair.ts";
import type { Transport } from "../../../core/net/transport.ts";
import { Dialogue, type Step } from "../../../tests/support/dialogue.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import {
  ADDRESSED,
  HELLO,
  playSmtp,
  QUIT,
  SMTP_LIMITS,
  textOf,
} from "../../../tests/support/smtp_session.ts";
import { serveSmtp } from "./session.ts";

Deno.test("a message is delivered with its envelope, and its id is named", async () => {
  const { messages, refused } = await playSmtp([
    ...HELLO,
    [">", "MAIL FROM:<a@example.com> SIZE=100 BODY=8BITMIME SMTPUTF8"],
    ["<", /^250 /],
    [">", "RCPT TO:<b@example.com>"],
    ["<", /^250 /],
    [">", "RCPT TO:<ç@example.com>"],
    ["<", /^250 /],
    [">", "DATA"],
    ["<", /^354 /],
    [">", "Subject: x\r\n\r\n..dot\r\n."],
    ["<", "250 2.0.0 OK: captured as id1"],
    ...QUIT,
  ]);
  const [message] = messages;
  assertEquals(textOf(message), "Subject: x\r\n\r\n.dot\r\n");
  assertEquals({ ...message, bytes: undefined }, {
    mailFrom: "a@example.com",
    rcptTo: ["b@example.com", "ç@example.com"],
    bytes: undefined,
    helo: "client.example",
    tls: false,
    body: "8BITMIME",
    smtputf8: true,
    warnings: [],
  });
  assertEquals(refused, []);
});

Deno.test("one connection carries several separate messages", async () => {
  const one = (address: string): readonly Step[] => [
    [">", `MAIL FROM:<${address}>`],
    ["<", /^250 /],
    [">", "RCPT TO:<b@example.com>"],
    ["<", /^250 /],
    [">", "DATA"],
    ["<", /^354 /],
    [">", "."],
    ["<", /^250 2\.0\.0 OK/],
  ];
  const { messages } = await playSmtp([
    ...HELLO,
    ...one("a@a.example"),
    ...one("b@b.example"),
    ...QUIT,
  ]);
  assertEquals(messages.map(({ mailFrom, rcptTo }) => [mailFrom, rcptTo.length]), [
    ["a@a.example", 1],
    ["b@b.example", 1],
  ]);
});

Deno.test("commands sent at once are answered in order (RFC 2920)", async () => {
  const { messages } = await playSmtp([
    ["<", /^220 /],
    [
      ">>",
      "EHLO c\r\nMAIL FROM:<a@example.com>\r\nRCPT TO:<bad>\r\nRCPT TO:<b@example.com>\r\nDATA\r\n" +
      "one\r\n.\r\nMAIL FROM:<>\r\nRCPT TO:<c@example.com>\r\nDATA\r\ntwo\r\n.\r\nQUIT\r\n",
    ],
    ...Array<Step>(7).fill(["<", /^250-/]),
    ["<", /^250 AUTH/],
    ["<", /^250 2\.1\.0/],
    ["<", /^501 5\.1\.3/],
    ["<", /^250 2\.1\.5/],
    ["<", /^354 /],
    ["<", /captured as id1$/],
    ["<", /^250 2\.1\.0/],
    ["<", /^250 2\.1\.5/],
    ["<", /^354 /],
    ["<", /captured as id2$/],
    ["<", /^221 /],
    ["<end"],
  ]);
  assertEquals(messages.map(textOf), ["one\r\n", "two\r\n"]);
  assertEquals(messages.map(({ mailFrom }) => mailFrom), ["a@example.com", ""]);
});

Deno.test("HELO and bare LF are enough", async () => {
  const { messages } = await playSmtp([
    ["<", /^220 /],
    [">>", "helo old\nmail from:<a@example.com>\nrcpt to:<b@example.com>\ndata\n"],
    ["<", "250 mail.example"],
    ["<", /^250 /],
    ["<", /^250 /],
    ["<", /^354 /],
    [">>", "x\r\n.\r\n"],
    ["<", /^250 /],
    ...QUIT,
  ]);
  assertEquals(messages[0]?.helo, "old");
});

Deno.test.each<[string, readonly Step[]]>([
  ["MAIL before EHLO", [["<", /^220 /], [">", "MAIL FROM:<a@b.example>"], ["<", /^503 5\.5\.1 /]]],
  ["EHLO without a name", [["<", /^220 /], [">", "EHLO"], ["<", /^501 5\.5\.4 /]]],
  ["HELO without a name", [["<", /^220 /], [">", "HELO "], ["<", /^501 5\.5\.4 /]]],
  ["RCPT before MAIL", [...HELLO, [">", "RCPT TO:<a@b.example>"], ["<", /^503 5\.5\.1 /]]],
  ["DATA before MAIL", [...HELLO, [">", "DATA"], ["<", /^503 5\.5\.1 MAIL/]]],
  ["BDAT before EHLO", [["<", /^220 /], [">>", "BDAT 6 LAST\r\nQUIT\r\n"], ["<", /^503 /]]],
  ["BDAT before MAIL", [...HELLO, [">>", "BDAT 3 LAST\r\nabc"], ["<", /^503 5\.5\.1 MAIL/]]],
  ["DATA with arguments", [...ADDRESSED, [">", "DATA now"], ["<", /^501 5\.5\.4 /]]],
  ["a second MAIL", [...ADDRESSED, [">", "MAIL FROM:<c@d.example>"], ["<", /^503 5\.5\.1 /]]],
  ["a bad sender", [...HELLO, [">", "MAIL FROM:<a"], ["<", /^501 5\.1\.7 /]]],
  ["a bad recipient", [...ADDRESSED, [">", "RCPT TO:<>"], ["<", /^501 5\.1\.3 /]]],
  ["MAIL TO", [...HELLO, [">", "MAIL TO:<a@b.example>"], ["<", /^501 5\.5\.2 /]]],
  ["an unknown MAIL parameter", [
    ...HELLO,
    [">", "MAIL FROM:<a@b.example> RET=FULL"],
    ["<", /^555 5\.5\.4 MAIL parameter RET /],
  ]],
  ["an unknown RCPT parameter", [
    ...ADDRESSED,
    [">", "RCPT TO:<a@b.example> NOTIFY=NEVER"],
    ["<", /^555 5\.5\.4 RCPT parameter NOTIFY /],
  ]],
  ["a BODY that is not offered", [
    ...HELLO,
    [">", "MAIL FROM:<a@b.example> BODY=BINARYMIME"],
    ["<", /^501 5\.5\.4 /],
  ]],
  ["a SIZE that is no number", [...HELLO, [">", "MAIL FROM:<a@b.example> SIZE=x"], ["<", /^501 /]]],
  ["a SIZE over the limit", [
    ...HELLO,
    [">", "MAIL FROM:<a@b.example> SIZE=1001"],
    ["<", /^552 5\.3\.4 /],
  ]],
  ["SMTPUTF8 with a value", [
    ...HELLO,
    [">", "MAIL FROM:<a@b.example> SMTPUTF8=1"],
    ["<", /^501 5\.5\.4 /],
  ]],
  ["RSET with arguments", [...HELLO, [">", "RSET x"], ["<", /^501 5\.5\.4 /]]],
  ["QUIT with arguments", [...HELLO, [">", "QUIT x"], ["<", /^501 5\.5\.4 /]]],
  ["VRFY without a name", [...HELLO, [">", "VRFY"], ["<", /^501 5\.5\.4 /]]],
  ["EXPN", [...HELLO, [">", "EXPN list"], ["<", /^502 5\.5\.1 /]]],
  ["STARTTLS that is not offered", [...HELLO, [">", "STARTTLS"], ["<", /^502 5\.5\.1 /]]],
  ["a command nobody knows", [...HELLO, [">", "XYZZY"], ["<", /^500 5\.5\.1 /]]],
  ["an empty line", [...HELLO, [">", ""], ["<", /^500 5\.5\.1 /]]],
  ["control characters", [...HELLO, [">", "NOOP \x07"], ["<", /^500 5\.5\.2 /]]],
  ["a line that is too long", [
    ...HELLO,
    [">", `NOOP ${"x".repeat(5000)}`],
    ["<", /^500 5\.5\.2 Line too long/],
  ]],
])("refused, noted and survived: %s", async (_name, steps) => {
  const { messages, refused } = await playSmtp([...steps, [">", "NOOP"], ["<", /^250 /], ...QUIT]);
  assertEquals(messages, []);
  assertEquals(refused.length, 1);
  assert((refused[0]?.status ?? 0) >= 500, "the note has no status");
});

Deno.test("NOOP, HELP, VRFY and RSET are answered, also before EHLO", async () => {
  const { refused } = await playSmtp([
    ["<", /^220 /],
    [">", "NOOP with words"],
    ["<", "250 2.0.0 OK"],
    [">", "HELP"],
    ["<", /^214 2\.0\.0 /],
    [">", "VRFY ada"],
    ["<", /^252 2\.1\.5 /],
    [">", "RSET"],
    ["<", "250 2.0.0 OK"],
    ...QUIT,
  ]);
  assertEquals(refused, []);
});

Deno.test("RSET and EHLO end a transaction", async () => {
  for (const command of ["RSET", "HELO again"]) {
    await playSmtp([
      ...ADDRESSED,
      [">", command],
      ["<", /^250 /],
      [">", "DATA"],
      ["<", /^503 5\.5\.1 MAIL first/],
      [">", "MAIL FROM:<c@example.com>"],
      ["<", /^250 /],
      [">", "DATA"],
      ["<", /^503 5\.5\.1 RCPT first/],
      ...QUIT,
    ]);
  }
});

Deno.test("a client that leaves within a command or a transaction is noted, and otherwise not", async () => {
  assertEquals((await playSmtp([["<", /^220 /]])).refused, []);
  assertEquals((await playSmtp([...HELLO])).refused, []);
  assertEquals((await playSmtp([...HELLO, [">>", "NOO"]])).refused.length, 1);
  assertEquals((await playSmtp([...ADDRESSED])).refused.length, 1);
  assertEquals((await playSmtp([...ADDRESSED, ...QUIT])).refused, []);
});

Deno.test("a client that is silent for too long gets a reply that says so", async () => {
  const limits = { readIdleMs: 20 };
  const silent = await playSmtp([["<", /^220 /], ["<", /^421 4\.4\.2 /], ["<end"]], { limits });
  assertEquals(silent.refused.map(({ status }) => status), [421]);
  const half = await playSmtp([
    ...ADDRESSED,
    [">", "DATA"],
    ["<", /^354 /],
    [">>", "half"],
    ["<", /^421 4\.4\.2 /],
    ["<end"],
  ], { limits });
  assertEquals(half.refused.length, 1);
});

Deno.test("a client that only keeps its connection for later is not noted", async () => {
  const { refused } = await playSmtp([
    ...ADDRESSED,
    [">", "DATA"],
    ["<", /^354 /],
    [">", "."],
    ["<", /^250 /],
    ["<", /^421 4\.4\.2 /],
    ["<end"],
  ], { limits: { readIdleMs: 20 } });
  assertEquals(refused, []);
});

Deno.test("consecutive errors end the conversation, and a success resets their count", async () => {
  const bad: readonly Step[] = [[">", "WHAT"], ["<", /^500 /]];
  const twenty = Array(20).fill(bad).flat() as Step[];
  await playSmtp([...HELLO, ...twenty, [">", "NOOP"], ["<", /^250 /], ...twenty, ...QUIT]);
  await playSmtp([...HELLO, ...twenty, ...bad, ["<", /^421 4\.7\.0 Too many errors/], ["<end"]]);
});

Deno.test("too many commands without a message end the conversation", async () => {
  const { refused } = await playSmtp([
    ["<", /^220 /],
    [">>", "NOOP\r\n".repeat(10_001)],
    ...Array<Step>(10_001).fill(["<", /^250 /]),
    ["<", /^421 4\.7\.0 Too many commands/],
    ["<end"],
  ]);
  assertEquals(refused.length, 1);
});

Deno.test("a browser and a TLS client are turned away", async () => {
  const http = await playSmtp([
    ["<", /^220 /],
    [">>", "POST / HTTP/1.1\r\nHost: x\r\n\r\nMAIL FROM:<a@b.example>\r\n"],
    ["<", /^421 4\.7\.0 This is SMTP, not HTTP/],
    ["<end"],
  ]);
  assertEquals(http.refused[0]?.method, "POST");
  const hello = Uint8Array.of(0x16, 3, 1, 2, 0);
  const tls = await playSmtp([["<", /^220 /], [">>", hello], ["<end"]]);
  assert(tls.refused[0]?.reason.includes("tls_port"));
  assertEquals(tls.refused[0]?.raw, hello);
});

Deno.test("a connection counts in memory from STARTTLS to its end, and is refused without room", async () => {
  const memory = new MemoryBudget({ limitBytes: 1.5 * UPGRADED_BYTES, waitMs: 1 });
  const counted: number[] = [];
  const upgraded = {
    limits: { starttls: true },
    handler: {
      startTls: (wire: Transport) => {
        counted.push(memory.lentBytes);
        return Promise.resolve(wire);
      },
    },
    memory,
  };
  const asked: Step[] = [["<", /^220 /], [">", "HELO c"], ["<", /^250 /], [">", "STARTTLS"]];
  const accepted = await playSmtp([...asked, ["<", /^220 2\.0\.0 /], ...QUIT], upgraded);
  assertEquals(accepted.refused, []);
  assertEquals([counted, memory.lentBytes], [[UPGRADED_BYTES], 0]);
  using other = memory.lease();
  await other.cover(UPGRADED_BYTES);
  const { refused } = await playSmtp([
    ...asked,
    ["<", /^454 4\.7\.0 TLS not available due to temporary reason: .*memory_limit/],
    ...QUIT,
  ], upgraded);
  assertEquals(refused.map(({ status, method }) => [status, method]), [[454, "STARTTLS"]]);
  assertEquals([counted.length, memory.lentBytes], [1, UPGRADED_BYTES]);
});

Deno.test("a connection over TLS from its start counts in memory, and gets 421 without room", async () => {
  const memory = new MemoryBudget({ limitBytes: 1.5 * UPGRADED_BYTES, waitMs: 1 });
  const secure = { tls: true, memory };
  await playSmtp([["<", /^220 /], ...QUIT], secure);
  assertEquals([memory.lentBytes, memory.movedBytes], [0, 2 * UPGRADED_BYTES]);
  using other = memory.lease();
  await other.cover(UPGRADED_BYTES);
  const { refused } = await playSmtp([["<", /^421 4\.3\.2 .*memory_limit/], ["<end"]], secure);
  assertEquals(refused.map(({ status }) => status), [421]);
});

Deno.test("a stop ends the connections of waiting clients", async () => {
  const stop = new AbortController();
  const [client, server] = transportPair();
  const serving = serveSmtp(server, {
    limits: SMTP_LIMITS,
    tls: false,
    signal: stop.signal,
    handler: {
      authenticate: () => true,
      deliver: () => Promise.resolve("id"),
      refuse: (note) => {
        throw new Error(note.reason);
      },
      startTls: () => Promise.reject(new Error("No TLS here")),
    },
  });
  const dialogue = new Dialogue(client);
  await dialogue.play([...HELLO, [">", "NOOP"], ["<", /^250 /]]);
  stop.abort();
  await dialogue.play([["<", /^421 4\.3\.2 /], ["<end"]]);
  await serving;
});

const messageLine = fc.constantFrom(".", "..", "a", "", "\n.\n", "\r", "ü", "QUIT");

Deno.test("a conversation has the same result however its bytes are split", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(messageLine, { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 20 }),
      async (lines, sizes) => {
        const body = lines.join("\r\n").replace(/(^|\r\n)\./g, "$1..");
        const wire = new TextEncoder().encode(
          "EHLO c\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\n" +
            `DATA\r\n${body}\r\n.\r\nQUIT\r\n`,
        );
        const steps: Step[] = [];
        let at = 0;
        for (const size of sizes) steps.push([">>", wire.slice(at, at += size)]);
        const { messages, refused } = await playSmtp([
          ...steps,
          [">>", wire.slice(at)],
          ...Array<Step>(14).fill(["<", /^[23]/]),
          ["<end"],
        ]);
        assertEquals(messages.map(textOf), [`${lines.join("\r\n")}\r\n`]);
        assertEquals(refused, []);
      },
    ),
    fuzzed(50),
  );
});

Deno.test("any octets are answered, and the session ends with the client", async () => {
  const word = fc.constantFrom(
    "EHLO x\r\n",
    "MAIL FROM:<a@b.example>\r\n",
    "RCPT TO:<c@d.example>\r\n",
    "DATA\r\n",
    ".\r\n",
    "BDAT 3 LAST\r\n",
    "AUTH PLAIN\r\n",
    "AUTH LOGIN\r\n",
    "*\r\n",
    "RSET\r\n",
    "\r\n",
    "\0\xff",
    "QUIT\r\n",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 15 }), async (words) => {
      const { messages } = await playSmtp([[">>", words.join("")]]);
      assert(messages.length <= words.length);
    }),
    fuzzed(100),
  );
});
