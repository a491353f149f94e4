/** What SMTP clients make of faults. */
import { assertEquals, assertRejects } from "@std/assert";
import { createTransport } from "nodemailer";
import { startService } from "../support/service.ts";

const MAIL = { from: "shop@example.com", to: "ada@example.org", subject: "Hi", text: "Hi" };

Deno.test("nodemailer says which command was refused with which code", async () => {
  await using service = await startService();
  const { hostname, port } = service.endpoint("smtp");
  const transport = createTransport({ host: hostname, port, ignoreTLS: true });
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
    ] as const
  ) {
    using fault = await service.fault({ on: "mail/smtp", outcome: [outcome], phase });
    const error = await assertRejects(() => transport.sendMail(MAIL)) as Error & {
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
  ]);
  assertEquals(service.events.count("mail"), 0);
  assertEquals((await transport.sendMail(MAIL)).rejected, []);
  transport.close();
});
