import { assert, assertEquals, assertMatch } from "@std/assert";
import { clientTest, runOk, runProgram } from "../support/clients.ts";
import { attachmentBytes, mails, startSmtp } from "../support/smtp.ts";
import type { TestService } from "../support/service.ts";

function at(service: TestService, provider = "smtp"): readonly string[] {
  const { hostname, port } = service.endpoint(provider);
  return ["--server", hostname, "--port", String(port), "--from", "hello@example.com"];
}

clientTest(
  "swaks sends a message with an attachment to two recipients",
  ["swaks"],
  async ({ swaks }) => {
    await using service = await startSmtp();
    const file = await Deno.makeTempFile({ suffix: ".bin" });
    try {
      await Deno.writeFile(file, Uint8Array.of(0, 1, 2, 255, 13, 10, 46, 13, 10));
      const { stdout } = await runOk(swaks, [
        ...at(service),
        ...["--to", "ada@example.com,bob@example.com"],
        ...["--header", "Subject: Report"],
        ...["--body", "one\n.two\n.\nthree"],
        ...["--attach", `@${file}`],
      ]);
      const [event] = mails(service);
      assert(event !== undefined, "no event");
      assertMatch(stdout, new RegExp(`250 2\\.0\\.0 OK: captured as ${event.id}`));
      assertEquals(event.payload.to, [{ email: "ada@example.com" }, { email: "bob@example.com" }]);
      assertEquals(event.payload.subject, "Report");
      assertEquals(event.payload.text, "one\n.two\n.\nthree");
      assertEquals(event.payload.attachments?.[0]?.filename, file.split("/").at(-1));
      assertEquals(
        await attachmentBytes(service, event, 0),
        Uint8Array.of(0, 1, 2, 255, 13, 10, 46, 13, 10),
      );
      assertEquals(event.meta.envelope, {
        mail_from: "hello@example.com",
        rcpt_to: ["ada@example.com", "bob@example.com"],
      });
      assertEquals(service.rejected.list(), []);
    } finally {
      await Deno.remove(file);
    }
  },
);

clientTest("swaks pipelines", ["swaks"], async ({ swaks }) => {
  await using service = await startSmtp();
  const rcpt = Array.from({ length: 20 }, (_, n) => `r${n}@example.com`).join(",");
  await runOk(swaks, [...at(service), "--pipeline", "--to", rcpt]);
  assertEquals(mails(service)[0]?.payload.to?.length, 20);
});

clientTest("swaks authenticates with PLAIN and LOGIN", ["swaks"], async ({ swaks }) => {
  await using service = await startSmtp({ username: "ada", password: "s3cret" });
  const login = (mechanism: string, password: string) => [
    ...at(service),
    ...["--to", "ada@example.com", "--auth", mechanism],
    ...["--auth-user", "ada", "--auth-password", password],
  ];
  for (const mechanism of ["PLAIN", "LOGIN"]) await runOk(swaks, login(mechanism, "s3cret"));
  assertEquals(mails(service).map(({ meta }) => meta.auth), [
    { mechanism: "PLAIN", username: "ada", password: "s3cret" },
    { mechanism: "LOGIN", username: "ada", password: "s3cret" },
  ]);
  const wrong = await runProgram(swaks, login("PLAIN", "wrong"));
  assert(wrong.code !== 0, "swaks was content with a wrong password");
  assertMatch(wrong.stdout, /535 5\.7\.8/);
  const none = await runProgram(swaks, [...at(service), "--to", "ada@example.com"]);
  assert(none.code !== 0, "swaks was content without a password");
  assertMatch(none.stdout, /530 5\.7\.0/);
  assertEquals(mails(service).length, 2);
});

clientTest("swaks is refused a message over the limit", ["swaks"], async ({ swaks }) => {
  await using service = await startSmtp({ max_message_bytes: 2000 });
  const args = [...at(service), "--to", "ada@example.com", "--body", "x".repeat(5000)];
  const { code, stdout } = await runProgram(swaks, args);
  assert(code !== 0, "swaks was content");
  assertMatch(stdout, /552 5\.3\.4 Message too large/);
  assertEquals(mails(service), []);
});

clientTest("swaks hangs up early, and nothing is recorded", ["swaks"], async ({ swaks }) => {
  await using service = await startSmtp();
  await runOk(swaks, [...at(service), "--to", "ada@example.com", "--quit-after", "RCPT"]);
  assertEquals([mails(service).length, service.rejected.count], [0, 0]);
});
