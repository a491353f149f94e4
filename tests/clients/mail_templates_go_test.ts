import { assertEquals, assertStringIncludes } from "@std/assert";
import { encodeMessageId } from "../../plugins/mail/mail3/ids.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { requireGo, runOk } from "../support/clients.ts";
import { capturedBy } from "../support/mail_clients.ts";
import { startService } from "../support/service.ts";

Deno.test("Go packages for SendGrid, Mailjet and Resend store templates, and their mails are rendered", async (t) => {
  const program = await requireGo(t, "mail_templates");
  if (program === undefined) return;
  await using service = await startService({ plugins: [mail] });
  const { stdout } = await runOk(program, [service.ingress.url], { env: { NO_PROXY: "*" } });
  const seen = JSON.parse(stdout);
  const contents = ["mail2", "mail1", "mail3"].map((provider) => {
    const [first, ...others] = capturedBy(service, provider);
    const { from, to, subject, text, html } = first!.payload;
    return [from.email, to?.map(({ email }) => email), subject, html ?? text, others.length];
  });
  const to = ["a@example.com"];
  assertEquals(contents, [
    ["s@example.com", to, "Order 7", "<p>tea;milk;</p>", 0],
    ["pilot@example.com", to, "Order 7", "Dear friend", 0],
    ["s@example.com", to, "Order 7", "<p>Hi friend</p>", 0],
  ]);
  const { sendgrid, mailjet: { refused, ...mailjet }, resend } = seen;
  assertEquals(sendgrid, { template: 201, active: 1, wrong: 400, sent: 202 });
  assertEquals(mailjet, { name: "Order", text: 'Dear {{var:name:"friend"}}', sent: "success" });
  assertStringIncludes(refused, "TemplateID");
  assertEquals(resend, {
    early: "[ERROR]: The template must be published before it can be used.",
    fetched: "Order",
    sent: encodeMessageId(capturedBy(service, "mail3")[0]!.id),
  });
});
