/** Reactions of SMTP clients to faults. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createTransport } from "nodemailer";
import { mail } from "../../plugins/mail/mod.ts";
import { requireClient, skipTest } from "../support/clients.ts";
import { startPostfix } from "../support/postfix.ts";
import { startService } from "../support/service.ts";

const MAIL = { from: "shop@example.com", to: "ada@example.org", subject: "Hi", text: "Hi" };

Deno.test("nodemailer says which command was refused with which code", async () => {
  await using service = await startService();
  const { hostname, port } = service.endpoint("smtp");
  const server = { host: hostname, port, ignoreTLS: true };
  const transport = createTransport(server);
  const login = createTransport({ ...server, auth: { user: "ada", pass: "secret" } });
  const found: unknown[] = [];
  for (
    const [outcome, phase] of [
      ["temporary", "mail"],
      ["greylist", "rcpt"],
      ["no_mailbox", "rcpt"],
      ["mailbox_full", "data"],
      ["spam", "data"],
      ["shutdown", "connect"],
      ["close", "data"],
      ["shutdown", "auth"],
      ["close", "auth"],
    ] as const
  ) {
    using fault = await service.fault({ on: "mail/smtp", outcome: [outcome], phase });
    const by = phase === "auth" ? login : transport;
    const error = await assertRejects(() => by.sendMail(MAIL)) as Error & {
      code?: string;
      responseCode?: number;
    };
    found.push([error.code, error.responseCode, fault.hits]);
  }
  assertEquals(found, [
    ["EENVELOPE", 451, 1],
    ["EENVELOPE", 451, 1],
    ["EENVELOPE", 550, 1],
    ["EMESSAGE", 452, 1],
    ["EMESSAGE", 554, 1],
    ["EPROTOCOL", 421, 1],
    ["ECONNECTION", undefined, 1],
    ["EAUTH", 421, 1],
    ["ECONNECTION", undefined, 1],
  ]);
  assertEquals(service.events.count("mail"), 0);
  assertEquals((await transport.sendMail(MAIL)).rejected, []);
  assertEquals((await login.sendMail(MAIL)).rejected, []);
  for (const one of [transport, login]) one.close();
});

Deno.test("a queueing Postfix delivers once greylisting is over", async (t) => {
  if (requireClient(t, "postfix") === undefined) return;
  if (Deno.uid() !== 0) return skipTest(t, "postfix", "starts for root alone");
  await using service = await startService({ plugins: [mail] });
  const { port } = service.endpoint("smtp");
  await using postfix = await startPostfix(port);
  using fault = await service.fault({ on: "mail/smtp", outcome: "greylist", with: { wait: 2 } });
  await postfix.queue({ from: MAIL.from, to: MAIL.to, text: "Hi" });
  const { meta } = await service.waitFor("mail.message", { timeoutMs: 30_000 });
  assertEquals(meta.envelope, { mail_from: MAIL.from, rcpt_to: [MAIL.to] });
  assertEquals([fault.hits > 0, meta.fault], [true, undefined]);
  const log = await postfix.log();
  assertMatch(log, /status=deferred \(host 127\.0\.0\.1.* said: 451 4\.7\.1 Greylisted/);
});
