/** `smtplib` and `email` of Python's standard library. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { clientTest, runOk } from "../support/clients.ts";
import type { TestService } from "../support/service.ts";
import { attachmentBytes, mails, startSmtp } from "../support/smtp.ts";

/** Runs one function of the script, and returns its result. */
async function call(
  python: string,
  service: TestService,
  [name, provider = "smtp"]: readonly [name: string, provider?: string],
): Promise<unknown> {
  const script = new URL("python/smtplib_calls.py", import.meta.url).pathname;
  const { hostname, port } = service.endpoint(provider);
  const { stdout } = await runOk(python, [script, name, hostname, String(port)]);
  return JSON.parse(stdout);
}

clientTest("smtplib sends every kind of part", ["python3"], async ({ python3 }) => {
  await using service = await startSmtp();
  assertEquals(await call(python3, service, ["rich"]), {});
  const [event] = mails(service);
  assert(event !== undefined, "no event");
  const { payload } = event;
  assertEquals(payload.from, { email: "ada@example.com", name: "Ada Lovelace" });
  assertEquals(payload.subject, "Grüße");
  // Inside a multipart the line end of the last line is the text's own.
  assertEquals(payload.text, "Hällo\n.dot\n");
  assertEquals(payload.html, '<p>Hällo <img src="cid:pic"></p>\n');
  assertEquals(payload.bcc, [{ email: "hidden@example.com" }]);
  assertEquals(
    payload.attachments?.map(({ content_type, filename, content_id }) => [
      content_type,
      filename,
      content_id,
    ]),
    [
      ["image/png", undefined, "pic"],
      ["application/octet-stream", "dätä.bin", undefined],
      ["message/rfc822", undefined, undefined],
    ],
  );
  assertEquals(await attachmentBytes(service, event, 1), Uint8Array.of(0, 1, 2));
  const enclosed = new TextDecoder().decode(await attachmentBytes(service, event, 2));
  assertMatch(enclosed, /^From: Ada Lovelace <ada@example\.com>\r\n/);
  assertEquals(event.meta.helo, "py.example");
  assertEquals(event.meta.parse_warnings, undefined);
});

clientTest(
  "smtplib sends UTF-8 in addresses and header fields",
  ["python3"],
  async ({ python3 }) => {
    await using service = await startSmtp();
    assertEquals(await call(python3, service, ["utf8"]), {});
    const [event] = mails(service);
    assertEquals(event?.payload.subject, "Grüße");
    assertEquals(event?.raw.headers?.find(([name]) => name === "Subject")?.[1], "Grüße");
    assertEquals(event?.payload.bcc, [{ email: "δ@example.com" }]);
    assertEquals([event?.meta.smtputf8, event?.meta.body], [true, "8BITMIME"]);
    assertEquals(event?.payload.text, "Hällo\n.dot");
  },
);

clientTest(
  "smtplib reads the extensions and gets the codes of the RFC",
  ["python3"],
  async ({ python3 }) => {
    await using service = await startSmtp();
    assertEquals(await call(python3, service, ["features"]), [
      250,
      ["8bitmime", "auth", "chunking", "enhancedstatuscodes", "pipelining", "size", "smtputf8"],
      "26214400",
    ]);
    assertEquals(await call(python3, service, ["verbs"]), [250, 250, 252, 502, 500, 250, 503]);
  },
);

clientTest("smtplib authenticates", ["python3"], async ({ python3 }) => {
  await using service = await startSmtp({ username: "ada", password: "s3cret" });
  assertEquals(await call(python3, service, ["login"]), [
    535,
    "5.7.8 Authentication credentials invalid",
  ]);
  assertEquals(mails(service).map(({ meta }) => meta.auth), [
    { mechanism: "PLAIN", username: "ada", password: "s3cret" },
    { mechanism: "LOGIN", username: "ada", password: "s3cret" },
  ]);
});

clientTest("smtplib learns which recipients were refused", ["python3"], async ({ python3 }) => {
  await using service = await startSmtp();
  assertEquals(await call(python3, service, ["recipients"]), {
    "r100@example.com": 452,
    "r101@example.com": 452,
    "r102@example.com": 452,
  });
});

clientTest(
  "smtplib upgrades with STARTTLS, and speaks TLS from the first byte",
  ["python3"],
  async ({ python3 }) => {
    await using service = await startSmtp({ starttls: true, tls_port: 0 });
    assertEquals(await call(python3, service, ["starttls"]), false);
    assertEquals(await call(python3, service, ["implicit", "mail/smtp/tls"]), {});
    assertEquals(mails(service).map(({ meta }) => meta.tls), [true, true]);
  },
);

clientTest(
  "commands sent before the TLS handshake are discarded",
  ["python3"],
  async ({ python3 }) => {
    await using service = await startSmtp({ starttls: true });
    assertEquals(await call(python3, service, ["injected"]), [
      "503",
      "220",
      "503 5.5.1 EHLO or HELO first",
    ]);
    const notes = service.rejected.list().map(({ method, reason }) => `${method} ${reason}`);
    assert(notes.some((note) => /^STARTTLS \d+ octets followed/.test(note)), notes.join("\n"));
    assertEquals(mails(service), []);
  },
);
