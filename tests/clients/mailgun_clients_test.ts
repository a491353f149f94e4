import { assertEquals, assertMatch } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { requireMaven, requirePython, runOk } from "../support/clients.ts";
import { javaCalls } from "../support/java.ts";
import { capturedBy, withAnymail, withSymfony } from "../support/mail_clients.ts";
import { startService } from "../support/service.ts";

const BAD_TO = "to parameter is not a valid address. please check documentation";

Deno.test("django-anymail sends to mail5 one by one, in a batch and with a template", async (t) => {
  await withAnymail(t, "mailgun", {
    templateId: "welcome",
    async before({ ingress }) {
      const body = new URLSearchParams({
        name: "welcome",
        template: "{{name}} of {{site}}",
        headers: '{"Subject":"Hi {{name}}"}',
      });
      const response = await fetch(`${ingress.url}/v3/mg.example.com/templates`, {
        method: "POST",
        body,
      });
      assertEquals((await response.json()).message, "template has been stored");
    },
    check(seen, service) {
      const [one, first, second, ...templated] = capturedBy(service, "mail5");
      const { attachments, ...message } = one!.payload;
      assertEquals(message, {
        from: { email: "s@example.com", name: "Sender, Inc" },
        to: [{ email: "a@example.com", name: "Ann" }, { email: "b@example.com" }],
        cc: [{ email: "c@example.com" }],
        bcc: [{ email: "d@example.com" }],
        reply_to: [{ email: "r@example.com" }],
        subject: "Grüße",
        text: "text",
        html: "<b>html</b>",
        headers: { "X-Test": ["1"] },
      });
      assertEquals(attachments?.map(({ filename, size }) => [filename, size]), [["a.txt", 5]]);
      assertEquals([one!.meta.tags, one!.meta.variables], [["tag"], { order: "7" }]);
      for (const answer of Object.values(seen.one)) {
        assertEquals(answer, ["queued", one!.meta.message_id as string]);
      }
      assertEquals([first!.payload.to, second!.meta.variables], [
        [{ email: "a@example.com", name: "Ann" }],
        { id: "B" },
      ]);
      assertEquals(templated.map(({ payload: { subject, html } }) => [subject, html]), [
        ["Hi Ann", "Ann of example"],
        ["Hi Bob", "Bob of example"],
      ]);
      assertEquals(seen.refused, ["AnymailRequestsAPIError", 400]);
    },
  });
});

for (const vendor of ["mailgun", "mailgun+mime"]) {
  Deno.test(`Symfony's bridge sends to mail5 as ${vendor}, and reads refusals`, async (t) => {
    await withSymfony(t, vendor, {
      bridge: "Mailgun",
      provider: "mail5",
      check({ id, refusal }, events) {
        assertEquals([id, events.length], [events[0]!.meta.message_id as string, 1]);
        assertEquals(refusal, `Unable to send an email: ${BAD_TO} (code 400).`);
      },
    });
  });
}

Deno.test("mailgun for Python sends, stores a template and reads events", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [mail] });
  const script = new URL("python/mailgun_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, service.ingress.url], { env: { NO_PROXY: "*" } });
  const [first, composed, templated] = capturedBy(service, "mail5");
  assertEquals(JSON.parse(stdout), {
    sent: [200, { id: first!.meta.message_id, message: "Queued. Thank you." }],
    mime: [200, "Queued. Thank you."],
    template: "template has been stored",
    templated: 200,
    events: ["Grüße", "Grüße"],
    refused: [400, { message: BAD_TO }],
  });
  assertEquals(first!.payload.attachments?.map(({ filename }) => filename), ["ä.txt"]);
  assertEquals([first!.meta.tags, first!.meta.variables], [["one", "two"], { order: "7" }]);
  assertEquals([composed!.payload.subject, templated!.payload.html], ["Composed", "Hi Ada"]);
});

Deno.test("mailgun-java sends with a file and with a template", async (t) => {
  const project = await requireMaven(t, "mailgun");
  if (project === undefined) return;
  await using service = await startService({ plugins: [mail] });
  const folder = await Deno.makeTempDir();
  try {
    const seen = await javaCalls<Record<string, unknown>>(project, [service.ingress.url, folder]);
    const [first, templated] = capturedBy(service, "mail5");
    assertEquals(seen, {
      sent: [first!.meta.message_id, "Queued. Thank you."],
      template: "template has been stored",
      refused: [400, `{"message":"${BAD_TO}"}`],
    });
    assertEquals(first!.payload.to?.length, 2);
    assertEquals([first!.payload.subject, templated!.payload.html], ["Grüße & €", "Hi Ada"]);
    assertMatch(first!.payload.attachments![0]!.filename!, /a\.txt$/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
