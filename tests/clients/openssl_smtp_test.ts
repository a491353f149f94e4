import { assertEquals, assertMatch } from "@std/assert";
import { clientTest, runProgram } from "../support/clients.ts";
import { mails, startSmtp } from "../support/smtp.ts";

const DIALOGUE = [
  "EHLO inside.example",
  "MAIL FROM:<a@example.com>",
  "RCPT TO:<b@example.com>",
  "DATA",
  "Subject: private",
  "",
  "x",
  ".",
  "STARTTLS",
  "QUIT",
  "",
].join("\r\n");

function client(port: number, ...more: readonly string[]): readonly string[] {
  return ["s_client", "-connect", `127.0.0.1:${port}`, "-quiet", ...more];
}

clientTest("openssl s_client upgrades with STARTTLS", ["openssl"], async ({ openssl }) => {
  await using service = await startSmtp({ starttls: true });
  const args = client(service.endpoint("smtp").port, "-starttls", "smtp");
  const { stdout } = await runProgram(openssl, args, { stdin: DIALOGUE });
  const [event] = mails(service);
  assertEquals([event?.payload.subject, event?.meta.tls], ["private", true]);
  assertEquals(event?.meta.helo, "inside.example");
  assertMatch(stdout, new RegExp(`250 2\\.0\\.0 OK: captured as ${event?.id}`));
  // Inside TLS it is not offered again, and the command is refused.
  assertEquals(/^250[ -]STARTTLS/m.test(stdout.slice(stdout.indexOf("250-standin"))), false);
  assertMatch(stdout, /503 5\.5\.1 TLS is active already/);
  assertMatch(stdout, /221 2\.0\.0/);
});

clientTest("openssl s_client speaks TLS from the first byte", ["openssl"], async ({ openssl }) => {
  await using service = await startSmtp({ tls_port: 0 });
  const args = client(service.endpoint("mail/smtp/tls").port);
  const { stdout } = await runProgram(openssl, args, { stdin: DIALOGUE });
  assertEquals(mails(service)[0]?.meta.tls, true);
  assertMatch(stdout, /^220 standin ESMTP standin/);
});

clientTest(
  "openssl s_client on the port without TLS is recorded with a hint",
  ["openssl"],
  async ({ openssl }) => {
    await using service = await startSmtp();
    await runProgram(openssl, client(service.endpoint("smtp").port), { stdin: DIALOGUE });
    assertEquals(mails(service), []);
    assertMatch(service.rejected.list()[0]?.reason ?? "", /TLS handshake .* tls_port/);
  },
);
