import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Step } from "../support/dialogue.ts";
import { attachmentBytes, connectSmtp, GREETED, mails, READY, startSmtp } from "../support/smtp.ts";

const encoder = new TextEncoder();

Deno.test("a message is an event before the reply goes out, and the reply names the event", async () => {
  await using service = await startSmtp();
  await using client = await connectSmtp(service);
  await client.play([...READY, [">", "DATA"], ["<", /^354 /]]);
  await client.send(
    "From: Ada <ada@example.com>\r\nTo: b@example.com\r\nSubject: Hi\r\n\r\nHello\r\n.\r\n",
  );
  const reply = await client.line();
  const [event] = mails(service);
  assertEquals(reply, `250 2.0.0 OK: captured as ${event?.id}`);
  assertEquals(event?.summary, "ada@example.com -> b@example.com: Hi");
  assertEquals(event?.provider, "smtp");
  assertEquals(event?.payload.from, { email: "ada@example.com", name: "Ada" });
  assertEquals(event?.payload.text, "Hello");
  assertEquals(event?.meta, {
    envelope: { mail_from: "a@example.com", rcpt_to: ["b@example.com"] },
    helo: "client.example",
  });
  assertEquals(event?.raw.transport, "smtp");
  assertEquals(event?.raw.text, true);
  assertMatch(event?.raw.peer_addr ?? "", /^127\.0\.0\.1:\d+$/);
  assertEquals(event?.raw.headers, [
    ["From", "Ada <ada@example.com>"],
    ["To", "b@example.com"],
    ["Subject", "Hi"],
  ]);
});

Deno.test("raw is the message without dot-stuffing, octet for octet", async () => {
  await using service = await startSmtp();
  await using client = await connectSmtp(service);
  const body = "Subject: =?utf-8?q?=C3=BC?=\r\n\r\n.dot\r\n..two\r\n\x00\xff\ttab\r\n";
  const stuffed = Uint8Array.from(
    `${body.replace(/(^|\r\n)\./g, "$1..")}.\r\n`,
    (char) => char.charCodeAt(0),
  );
  await client.play([...READY, [">", "DATA"], ["<", /^354 /], [">>", stuffed], ["<", /^250 /]]);
  const [event] = mails(service);
  assertEquals(event?.raw.body, Uint8Array.from(body, (char) => char.charCodeAt(0)));
  assertEquals(event?.raw.text, false);
  assertEquals(event?.raw.headers, [["Subject", "=?utf-8?q?=C3=BC?="]]);
  assertEquals(event?.payload.headers?.Subject, ["ü"]);
});

Deno.test("a conversation may arrive byte by byte", async () => {
  await using service = await startSmtp();
  await using client = await connectSmtp(service);
  const wire = encoder.encode(
    "EHLO c\r\nMAIL FROM:<a@example.com>\r\nRCPT TO:<b@example.com>\r\nDATA\r\n" +
      "Subject: x\r\n\r\n..\r\n.\r\nQUIT\r\n",
  );
  for (const byte of wire) await client.send(Uint8Array.of(byte));
  await client.play([
    ["<", /^220 /],
    ...Array<Step>(7).fill(["<", /^250-/]),
    ["<", /^250 /],
    ["<", /^250 2\.1\.0/],
    ["<", /^250 2\.1\.5/],
    ["<", /^354 /],
    ["<", /^250 2\.0\.0 OK/],
    ["<", /^221 /],
    ["<end"],
  ]);
  assertEquals(mails(service)[0]?.payload.text, ".");
});

Deno.test("a hundred messages sent in one burst are a hundred events", async () => {
  await using service = await startSmtp();
  await using client = await connectSmtp(service);
  const one = (n: number) =>
    `MAIL FROM:<a@example.com>\r\nRCPT TO:<b@example.com>\r\nDATA\r\nSubject: ${n}\r\n\r\nx\r\n.\r\n`;
  const burst = Array.from({ length: 100 }, (_, n) => one(n)).join("");
  await client.play([
    ...GREETED,
    [">>", burst + "QUIT\r\n"],
    ...Array.from({ length: 100 }, (): Step[] => [
      ["<", /^250 2\.1\.0/],
      ["<", /^250 2\.1\.5/],
      ["<", /^354 /],
      ["<", /^250 2\.0\.0 OK/],
    ]).flat(),
    ["<", /^221 /],
    ["<end"],
  ]);
  assertEquals(
    mails(service).map(({ payload }) => payload.subject),
    Array.from({ length: 100 }, (_, n) => String(n)),
  );
});

Deno.test("a message that its sender abandons is recorded, but is no event", async () => {
  await using service = await startSmtp();
  const client = await connectSmtp(service);
  await client.play([...READY, [">", "DATA"], ["<", /^354 /], [">>", "Subject: half\r\n\r\nx"]]);
  client.hangUp();
  while (service.rejected.count === 0) {
    await new Promise<void>((resolve) => {
      const stop = service.rejected.onChange(() => {
        stop();
        resolve();
      });
    });
  }
  const [record] = service.rejected.list();
  assertEquals(record?.provider, "smtp");
  assertMatch(record?.reason ?? "", /disconnected after \d+ octets|Cannot read/);
  assert(new TextDecoder().decode(record?.raw).endsWith("Subject: half\r\n\r\nx"));
  assertEquals(mails(service), []);
});

Deno.test("a 20 MB attachment arrives whole", async () => {
  await using service = await startSmtp({ max_message_bytes: "40MB" });
  await using client = await connectSmtp(service);
  const bytes = new Uint8Array(20_000_000);
  for (let at = 0; at < bytes.length; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  }
  const base64 = bytes.toBase64().replace(/.{76}/g, "$&\r\n");
  await client.play([...READY, [">", "DATA"], ["<", /^354 /]]);
  await client.send(
    "Content-Type: application/octet-stream; name=big.bin\r\n" +
      `Content-Transfer-Encoding: base64\r\n\r\n${base64}\r\n.\r\n`,
  );
  assertMatch(await client.line() ?? "", /^250 /);
  const [event] = mails(service);
  assert(event !== undefined, "no event");
  assertEquals(event.payload.attachments?.[0]?.size, bytes.length);
  const stored = await attachmentBytes(service, event, 0);
  assertEquals(stored.length, bytes.length);
  // Comparing element by element would take seconds.
  assert(stored.every((byte, index) => byte === bytes[index]), "the bytes differ");
});

Deno.test("a message over the limit is refused while it streams, or beforehand by SIZE", async () => {
  await using service = await startSmtp({ max_message_bytes: 100_000 });
  await using client = await connectSmtp(service);
  await client.play([
    ...READY,
    [">", "DATA"],
    ["<", /^354 /],
    [">>", `${"x".repeat(998)}\r\n`.repeat(2000) + ".\r\n"],
    ["<", "552 5.3.4 Message too large: at most 100000 octets are accepted"],
    [">", "MAIL FROM:<a@example.com> SIZE=100001"],
    ["<", /^552 5\.3\.4 /],
    [">", "MAIL FROM:<a@example.com> SIZE=100000"],
    ["<", /^250 /],
    [">", "QUIT"],
    ["<", /^221 /],
  ]);
  assertEquals(mails(service), []);
  assertEquals(service.rejected.list().map(({ status }) => status), [552, 552]);
});

Deno.test("the first 100 of 1000 recipients are accepted", async () => {
  await using service = await startSmtp();
  await using client = await connectSmtp(service);
  const rcpts = Array.from({ length: 1000 }, (_, n) => `RCPT TO:<r${n}@example.com>\r\n`);
  await client.play([
    ...GREETED,
    [">>", `MAIL FROM:<a@example.com>\r\n${rcpts.join("")}`],
    ["<", /^250 /],
    ...Array<Step>(100).fill(["<", /^250 2\.1\.5/]),
    ...Array<Step>(900).fill(["<", /^452 4\.5\.3 /]),
    [">", "DATA"],
    ["<", /^354 /],
    [">", "To: r0@example.com\r\n\r\n."],
    ["<", /^250 /],
  ]);
  const [event] = mails(service);
  assertEquals(event?.payload.bcc?.length, 99);
  assertEquals(event?.meta.parse_warnings, [
    "900 recipients were refused: at most 100 are allowed",
  ]);
});

Deno.test("addresses and headers in UTF-8 are kept", async () => {
  await using service = await startSmtp();
  await using client = await connectSmtp(service);
  await client.play([
    ...GREETED,
    [">", "MAIL FROM:<jürgen@bücher.example> BODY=8BITMIME SMTPUTF8"],
    ["<", /^250 /],
    [">", "RCPT TO:<δοκιμή@παράδειγμα.ελ>"],
    ["<", /^250 /],
    [">", "DATA"],
    ["<", /^354 /],
    [">", "From: Jürgen <jürgen@bücher.example>\r\nSubject: Grüße ☺\r\n\r\nтекст\r\n."],
    ["<", /^250 /],
  ]);
  const [event] = mails(service);
  assertEquals(event?.payload.from, { email: "jürgen@bücher.example", name: "Jürgen" });
  assertEquals(event?.payload.bcc, [{ email: "δοκιμή@παράδειγμα.ελ" }]);
  assertEquals([event?.payload.subject, event?.payload.text], ["Grüße ☺", "текст"]);
  assertEquals([event?.meta.body, event?.meta.smtputf8], ["8BITMIME", true]);
});

Deno.test("the envelope sender replaces a missing From field", async () => {
  await using service = await startSmtp();
  await using client = await connectSmtp(service);
  await client.play([...READY, [">", "DATA"], ["<", /^354 /], [">", "no header\r\n."], [
    "<",
    /^250 /,
  ]]);
  const [event] = mails(service);
  assertEquals(event?.payload.from, { email: "a@example.com" });
  assertEquals(event?.payload.bcc, [{ email: "b@example.com" }]);
  assertEquals(event?.payload.text, "no header");
  assertEquals(event?.meta.parse_warnings, ["No empty line between header and body"]);
});

Deno.test("a command line over the limit is discarded whole", async () => {
  await using service = await startSmtp({ max_line_length: 1000 });
  await using client = await connectSmtp(service);
  await client.play([
    ...GREETED,
    [">>", `NOOP ${"x".repeat(200_000)}\r\nNOOP\r\n`],
    ["<", /^500 5\.5\.2 Line too long/],
    ["<", "250 2.0.0 OK"],
  ]);
  assertEquals(service.rejected.list()[0]?.status, 500);
});

Deno.test.each([
  "\n.\n",
  "\n.\r\n",
  "\r\n.\n",
  "\r.\r",
  "\r.\r\n",
  "\r\n\0.\r\n",
  "\r\n.\r",
])("nothing is smuggled behind %j", async (end) => {
  await using service = await startSmtp();
  await using client = await connectSmtp(service);
  const smuggled = "MAIL FROM:<evil@example.com>\r\nRCPT TO:<x@example.com>\r\nDATA\r\n" +
    "Subject: smuggled\r\n\r\nx";
  await client.play([
    ...READY,
    [">", "DATA"],
    ["<", /^354 /],
    [">>", `Subject: honest\r\n\r\nx${end}${smuggled}\r\n.\r\n`],
    ["<", /^250 2\.0\.0 OK/],
    [">", "NOOP"],
    ["<", /^250 /],
  ]);
  assertEquals(mails(service).map(({ payload }) => payload.subject), ["honest"]);
});

Deno.test("a client that stalls inside its message gets 421 and is recorded", async () => {
  await using service = await startSmtp({ read_timeout: 1 });
  await using client = await connectSmtp(service);
  await client.play([
    ...READY,
    [">", "DATA"],
    ["<", /^354 /],
    [">>", "Subject: slow"],
    ["<", /^421 4\.4\.2 /],
    ["<end"],
  ]);
  assertEquals(mails(service), []);
  assertEquals(service.rejected.list()[0]?.status, 421);
});

Deno.test("fifty concurrent clients are all served", async () => {
  await using service = await startSmtp();
  await Promise.all(Array.from({ length: 50 }, async (_, n) => {
    await using client = await connectSmtp(service);
    for (let i = 0; i < 4; i++) {
      await client.play([
        ...(i === 0 ? GREETED : []),
        [">", `MAIL FROM:<c${n}@example.com>`],
        ["<", /^250 /],
        [">", "RCPT TO:<b@example.com>"],
        ["<", /^250 /],
        [">", "DATA"],
        ["<", /^354 /],
        [">", `Subject: ${n}/${i}\r\n\r\nx\r\n.`],
        ["<", /^250 /],
      ]);
    }
    await client.play([[">", "QUIT"], ["<", /^221 /], ["<end"]]);
  }));
  const subjects = new Set(mails(service).map(({ payload }) => payload.subject));
  assertEquals(subjects.size, 200);
});

Deno.test("a connection over the cap gets 421, and a slot is free once another ends", async () => {
  await using service = await startSmtp({ max_connections: 2 });
  await using first = await connectSmtp(service);
  await using second = await connectSmtp(service);
  await first.play(GREETED);
  await second.play(GREETED);
  await using third = await connectSmtp(service);
  await third.play([["<", /^421 4\.7\.0 /], ["<end"]]);
  await first.play([[">", "QUIT"], ["<", /^221 /], ["<end"]]);
  await first[Symbol.asyncDispose]();
  // The slot is free once the server closes its end, which it does after the client.
  for (;;) {
    await using next = await connectSmtp(service);
    const line = await next.line();
    if (line?.startsWith("220 ")) break;
    assertMatch(line ?? "", /^421 /);
  }
});

Deno.test("pinned credentials are required, and the ones presented are recorded", async () => {
  await using service = await startSmtp({ username: "ada", password: "s3cret" });
  await using client = await connectSmtp(service);
  await client.play([
    ...GREETED,
    [">", "MAIL FROM:<a@example.com>"],
    ["<", "530 5.7.0 Authentication required"],
    [">", "AUTH PLAIN AGFkYQB3cm9uZw=="],
    ["<", "535 5.7.8 Authentication credentials invalid"],
    [">", "AUTH PLAIN AGFkYQBzM2NyZXQ="],
    ["<", /^235 2\.7\.0 /],
    [">", "MAIL FROM:<a@example.com>"],
    ["<", /^250 /],
    [">", "RCPT TO:<b@example.com>"],
    ["<", /^250 /],
    [">", "DATA"],
    ["<", /^354 /],
    [">", "."],
    ["<", /^250 /],
  ]);
  assertEquals(mails(service)[0]?.meta.auth, {
    mechanism: "PLAIN",
    username: "ada",
    password: "s3cret",
  });
  assertEquals(service.rejected.list().map(({ status }) => status), [535, 530]);
});

Deno.test("any credentials are accepted and recorded while none are pinned", async () => {
  await using service = await startSmtp();
  await using client = await connectSmtp(service);
  await client.play([
    ...GREETED,
    [">", "AUTH LOGIN"],
    ["<", "334 VXNlcm5hbWU6"],
    [">", "YW55"],
    ["<", "334 UGFzc3dvcmQ6"],
    [">", ""],
    ["<", /^235 /],
    [">>", "MAIL FROM:<>\r\nRCPT TO:<b@example.com>\r\nDATA\r\n.\r\n"],
    ["<", /^250 /],
    ["<", /^250 /],
    ["<", /^354 /],
    ["<", /^250 /],
  ]);
  assertEquals(mails(service)[0]?.meta.auth, { mechanism: "LOGIN", username: "any", password: "" });
});

Deno.test("a message is kept without its attachment when the blob store is full", async () => {
  await using service = await startSmtp({}, { storage: { blob_limit: 1000 } });
  await using client = await connectSmtp(service);
  await client.play([
    ...READY,
    [">", "DATA"],
    ["<", /^354 /],
    [">", `Content-Type: application/x-a; name=a.bin\r\n\r\n${"x".repeat(2000)}\r\n.`],
    ["<", /^250 /],
  ]);
  const [event] = mails(service);
  assertEquals(event?.payload.attachments, undefined);
  assertMatch(String(event?.meta.parse_warnings), /a\.bin was not stored/);
});

Deno.test("the service stops at once even while clients wait", async () => {
  const service = await startSmtp();
  const client = await connectSmtp(service);
  await client.play(GREETED);
  const startMs = performance.now();
  await service.stop();
  assert(performance.now() - startMs < 2000, "the stop took as long as the grace period");
  await client.play([["<", /^421 4\.3\.2 /], ["<end"]]);
  client.hangUp();
});
