import { assert, assertEquals, assertMatch } from "@std/assert";
import { clientTest, runOk, runProgram } from "../support/clients.ts";
import { attachmentBytes, mails, startSmtp } from "../support/smtp.ts";

const MESSAGE = "From: Ada <ada@example.com>\r\nTo: bob@example.com\r\nSubject: From curl\r\n\r\n" +
  ".dot first\r\nlast\r\n";

/** `--upload-file -` takes the message from standard input. */
function send(url: string): readonly string[] {
  return [
    "--silent",
    "--show-error",
    "--verbose",
    ...["--noproxy", "*", "--mail-from", "ada@example.com", "--mail-rcpt", "bob@example.com"],
    ...["--upload-file", "-", url],
  ];
}

clientTest("curl sends a message over smtp", ["curl"], async ({ curl }) => {
  await using service = await startSmtp();
  // The path is the name that curl sends in EHLO.
  const url = `${service.endpoint("smtp").url}/client.example`;
  const { stderr } = await runOk(curl, send(url), { stdin: MESSAGE });
  const [event] = mails(service);
  assertMatch(stderr, new RegExp(`< 250 2\\.0\\.0 OK: captured as ${event?.id}`));
  assertEquals(event?.payload.subject, "From curl");
  assertEquals(event?.payload.text, ".dot first\nlast");
  assertEquals(new TextDecoder().decode(event?.raw.body), MESSAGE);
  assertEquals(event?.meta.helo, "client.example");
});

clientTest("curl composes a message of several parts", ["curl"], async ({ curl }) => {
  await using service = await startSmtp();
  const file = await Deno.makeTempFile({ suffix: ".dat" });
  try {
    await Deno.writeFile(file, Uint8Array.from({ length: 300 }, (_, n) => n % 256));
    await runOk(curl, [
      ...["--silent", "--noproxy", "*", "--url", service.endpoint("smtp").url],
      ...["--mail-from", "ada@example.com", "--mail-rcpt", "bob@example.com"],
      ...["--header", "Subject: Parts", "--header", "To: bob@example.com"],
      ...["--form", "=(;type=multipart/alternative"],
      ...["--form", "=plain grüße = 100%;type=text/plain;charset=utf-8;encoder=quoted-printable"],
      ...["--form", "=Some <b>html</b>;type=text/html;encoder=7bit"],
      ...["--form", "=)"],
      ...["--form", `=@${file};filename="bü ro.dat";encoder=base64`],
    ]);
    const [event] = mails(service);
    assert(event !== undefined, "no event");
    assertEquals(event.payload.text, "plain grüße = 100%");
    assertEquals(event.payload.html, "Some <b>html</b>");
    assertEquals(event.payload.attachments?.map(({ filename, size }) => [filename, size]), [
      ["bü ro.dat", 300],
    ]);
    const stored = await attachmentBytes(service, event, 0);
    assertEquals([...stored], Array.from({ length: 300 }, (_, n) => n % 256));
  } finally {
    await Deno.remove(file);
  }
});

clientTest("curl authenticates, and reports a failed login", ["curl"], async ({ curl }) => {
  await using service = await startSmtp({ username: "ada", password: "s3cret" });
  const { url } = service.endpoint("smtp");
  await runOk(curl, [...send(url), "--user", "ada:s3cret"], { stdin: MESSAGE });
  assertEquals(mails(service)[0]?.meta.auth, {
    mechanism: "PLAIN",
    username: "ada",
    password: "s3cret",
  });
  const wrong = await runProgram(curl, [...send(url), "--user", "ada:no"], { stdin: MESSAGE });
  // CURLE_LOGIN_DENIED
  assertEquals(wrong.code, 67);
  assertMatch(wrong.stderr, /535 5\.7\.8/);
});

clientTest(
  "curl upgrades with STARTTLS, and speaks TLS from the first byte",
  ["curl"],
  async ({ curl }) => {
    await using service = await startSmtp({ starttls: true, tls_port: 0 });
    const upgraded = [...send(service.endpoint("smtp").url), "--ssl-reqd", "--insecure"];
    await runOk(curl, upgraded, { stdin: MESSAGE });
    const secure = service.endpoint("mail/smtp/tls");
    assert(secure.url.startsWith("smtps://"), secure.url);
    await runOk(curl, [...send(secure.url), "--insecure"], { stdin: MESSAGE });
    assertEquals(mails(service).map(({ meta }) => meta.tls), [true, true]);
  },
);

clientTest("curl reports that TLS is not offered", ["curl"], async ({ curl }) => {
  await using service = await startSmtp();
  const args = [...send(service.endpoint("smtp").url), "--ssl-reqd", "--insecure"];
  // CURLE_USE_SSL_FAILED
  assertEquals((await runProgram(curl, args, { stdin: MESSAGE })).code, 64);
  assertEquals(mails(service), []);
});

clientTest("curl asks VRFY, EXPN and HELP", ["curl"], async ({ curl }) => {
  await using service = await startSmtp();
  const { url } = service.endpoint("smtp");
  const ask = (...args: string[]) => runProgram(curl, ["--silent", "--noproxy", "*", ...args, url]);
  assertMatch((await ask("--mail-rcpt", "ada@example.com")).stdout, /^252 2\.1\.5 /);
  assertMatch((await ask("--request", "HELP")).stdout, /^214 2\.0\.0 /);
  assertEquals((await ask("--request", "EXPN", "--mail-rcpt", "all")).code !== 0, true);
});
