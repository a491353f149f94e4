import { assertEquals } from "@std/assert";
import { encodeMessageId } from "../../plugins/mail/mail4/ids.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { requireMaven, requirePython, runOk } from "../support/clients.ts";
import { javaCalls } from "../support/java.ts";
import { capturedBy, withAnymail, withSymfony } from "../support/mail_clients.ts";
import { startService } from "../support/service.ts";

Deno.test("django-anymail sends to mail4 one by one, in a batch and with a template", async (t) => {
  await withAnymail(t, "postmark", {
    templateId: "welcome",
    async before({ ingress }) {
      const response = await fetch(`${ingress.url}/templates`, {
        method: "POST",
        headers: { "x-postmark-server-token": "any", "content-type": "application/json" },
        body: JSON.stringify({
          Name: "Welcome",
          Alias: "welcome",
          Subject: "Hi {{name}}",
          TextBody: "{{name}} of {{site}}",
        }),
      });
      assertEquals((await response.json()).Alias, "welcome");
    },
    check(seen, service) {
      const [one, first, second, ...templated] = capturedBy(service, "mail4");
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
      assertEquals([one!.meta.tag, one!.meta.metadata], ["tag", { order: "7" }]);
      for (const answer of Object.values(seen.one)) {
        assertEquals(answer, ["sent", encodeMessageId(one!.id)]);
      }
      assertEquals(seen.batch, {
        "a@example.com": ["sent", encodeMessageId(first!.id)],
        "b@example.com": ["sent", encodeMessageId(second!.id)],
      });
      assertEquals(second!.meta.metadata, { id: "B" });
      assertEquals(templated.map(({ payload: { subject, text } }) => [subject, text]), [
        ["Hi Ann", "Ann of example"],
        ["Hi Bob", "Bob of example"],
      ]);
      assertEquals(seen.refused, ["AnymailRecipientsRefused", null]);
    },
  });
});

Deno.test("Symfony's bridge sends to mail4, and reads refusals", async (t) => {
  await withSymfony(t, "postmark", {
    bridge: "Postmark",
    provider: "mail4",
    check({ id, refusal }, events) {
      assertEquals([id, events.length], [encodeMessageId(events[0]!.id), 1]);
      assertEquals(
        refusal,
        "Unable to send an email: Error parsing 'To': Illegal email domain 'localhost' in address " +
          "'nobody@localhost'. (code 300).",
      );
    },
  });
});

Deno.test("postmark-python sends, and reads back what it sent", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [mail] });
  const script = new URL("python/postmark_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, service.ingress.url], { env: { NO_PROXY: "*" } });
  const events = capturedBy(service, "mail4");
  assertEquals(JSON.parse(stdout), {
    sent: [0, "OK", encodeMessageId(events[0]!.id)],
    batch: [0, 0],
    bulk: ["Accepted", "Completed", 2, 100],
    details: ["Grüße", "welcome", { order: "7" }, "Hello"],
    refused: ["ValidationException", 300, 422],
  });
  assertEquals(events.map(({ payload }) => payload.subject), [
    "Grüße",
    "Grüße",
    "Second",
    "Hi Ada",
    "Hi ",
  ]);
});

Deno.test("postmark-java sends one by one, in a batch and with a template", async (t) => {
  const project = await requireMaven(t, "postmark");
  if (project === undefined) return;
  await using service = await startService({ plugins: [mail] });
  const { hostname, port } = service.ingress;
  const seen = await javaCalls(project, [`${hostname}:${port}`]);
  const [first, second, third] = capturedBy(service, "mail4");
  assertEquals(seen, {
    sent: [0, "OK", encodeMessageId(first!.id)],
    batch: [0, 300],
    templated: "OK",
    refused: [300, "Zero recipients specified"],
    server: "Standin",
  });
  assertEquals([first!.payload.subject, first!.payload.html], ["Grüße & €", "<p>Hello</p>"]);
  assertEquals(first!.payload.headers, { "X-A": ["1"] });
  assertEquals(first!.payload.attachments?.map(({ size }) => size), [5]);
  assertEquals([second!.meta.tag, third!.payload.text], ["welcome", "Dear Ada"]);
});
