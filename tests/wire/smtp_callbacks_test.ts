/** Notifications about mails, delivered to an SMTP server and to a webhook. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { createTransport } from "nodemailer";
import { mail } from "../../plugins/mail/mod.ts";
import type { MailMessage } from "../../plugins/mail/model.ts";
import { startReceiver } from "../support/receiver.ts";
import { startService, type TestService } from "../support/service.ts";

/** A service that sends its notifications to an address. */
const start = (smtp: string): Promise<TestService> =>
  startService({
    plugins: [mail],
    config: {
      callbacks: {
        enabled: true,
        allow: ["smtp://127.0.0.1:*", "http://127.0.0.1:*"],
        webhooks: { smtp },
      },
    },
  });

async function send(service: TestService, from: string) {
  const { port } = service.endpoint("smtp");
  const transport = createTransport({ host: "127.0.0.1", port, secure: false });
  await transport.sendMail({
    envelope: { from, to: ["ada@example.org", "bob@example.org"] },
    from: "Shop <shop@example.com>",
    to: "ada@example.org, bob@example.org",
    subject: "Your order",
    text: "Hello",
  });
  transport.close();
  return await service.waitFor<MailMessage>("mail.message");
}

Deno.test("a bounce goes to the return path by SMTP, in RFC 3464 format", async () => {
  await using application = await startService({ plugins: [mail] });
  await using service = await start(`smtp://127.0.0.1:${application.endpoint("smtp").port}`);
  const event = await send(service, "bounces@example.com");
  const params = { recipient: "bob@example.org", reason: "550 5.7.1 .Blocked" };
  const [call] = await service.callback(event, "bounced", params);
  assertEquals([call?.state, call?.attempts[0]?.status], ["done", 250]);
  const bounce = await application.waitFor<MailMessage>("mail.message");
  assertEquals(bounce.meta.envelope, { mail_from: "", rcpt_to: ["bounces@example.com"] });
  assertEquals(bounce.payload.subject, "Delivery Status Notification (Failure)");
  const text = new TextDecoder().decode(bounce.raw.body);
  assertStringIncludes(text, "multipart/report; report-type=delivery-status");
  assertStringIncludes(
    text,
    "Final-Recipient: rfc822; bob@example.org\r\nAction: failed\r\nStatus: 5.7.1\r\n" +
      "Diagnostic-Code: smtp; 550 5.7.1 .Blocked\r\n",
  );
  assertStringIncludes(text, "Subject: Your order");
  assertEquals(text.includes("ada@example.org>: "), false);
});

Deno.test("a notification goes to a webhook, and never about a message without a return path", async () => {
  await using app = startReceiver();
  await using service = await start(`${app.url}/bounces`);
  const event = await send(service, "shop@example.com");
  await service.callback(event, "delayed");
  const [{ headers, body }] = app.received as [typeof app.received[number]];
  assertEquals(headers.get("content-type"), "message/rfc822");
  assertStringIncludes(body, "Action: delayed\r\nStatus: 4.4.1\r\n");
  await service.reset();
  const bounce = await send(service, "");
  const error = await assertRejects(() => service.callback(bounce, "bounced"), RangeError);
  assertStringIncludes(error.message, "the message has an empty return path");
});
