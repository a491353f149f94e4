import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { requireMaven, requirePython, runProgram } from "../support/clients.ts";
import { javaCalls } from "../support/java.ts";
import { capturedBy, withAnymail, withSymfony } from "../support/mail_clients.ts";
import { startService } from "../support/service.ts";

Deno.test("django-anymail sends to mail6 as a whole, and with a template in bulk", async (t) => {
  await withAnymail(t, "amazon_ses", {
    templateId: "welcome",
    async before({ ingress }) {
      const response = await fetch(`${ingress.url}/v2/email/templates`, {
        method: "POST",
        // Templates belong to the signer.
        headers: { authorization: "AWS4-HMAC-SHA256 Credential=any/1/eu-west-1/ses/aws4_request" },
        body: JSON.stringify({
          TemplateName: "welcome",
          TemplateContent: { Subject: "Hi {{name}}", Text: "{{name}} of {{site}}" },
        }),
      });
      assertEquals([response.status, await response.json()], [200, {}]);
    },
    check(seen, service) {
      // The last one was to localhost, which the vendor accepts as a domain.
      const [one, , ...templated] = capturedBy(service, "mail6").slice(0, -1);
      const { attachments, from, to, cc, bcc, subject, text, html } = one!.payload;
      assertEquals({ from, to, cc, bcc, subject, text, html }, {
        from: { email: "s@example.com", name: "Sender, Inc" },
        to: [{ email: "a@example.com", name: "Ann" }, { email: "b@example.com" }],
        cc: [{ email: "c@example.com" }],
        bcc: [{ email: "d@example.com" }],
        subject: "Grüße",
        text: "text",
        html: "<b>html</b>",
      });
      assertEquals(attachments?.map(({ filename, size }) => [filename, size]), [["a.txt", 5]]);
      for (const answer of Object.values(seen.one)) {
        assertEquals(answer, ["queued", one!.meta.message_id as string]);
      }
      assertEquals(templated.map(({ payload: { subject, text } }) => [subject, text]), [
        ["Hi Ann", "Ann of example"],
        ["Hi Bob", "Bob of example"],
      ]);
      assertEquals(seen.templated["b@example.com"], [
        "queued",
        templated[1]!.meta.message_id as string,
      ]);
    },
  });
});

Deno.test("Symfony's bridge sends to mail6 over version 1, signed the old way", async (t) => {
  await withSymfony(t, "ses+raw", {
    bridge: "Amazon",
    provider: "mail6",
    check({ id }, events) {
      assertEquals(id, events[0]!.meta.message_id as string);
      assertEquals(events[0]!.meta.access_key, "any");
    },
  });
});

Deno.test("the aws CLI sends over both versions, and prints refusals", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [mail] });
  const aws = (...args: string[]) =>
    runProgram(python, ["-m", "awscli", ...args, "--endpoint-url", service.ingress.url], {
      env: {
        AWS_ACCESS_KEY_ID: "AKIACLI",
        AWS_SECRET_ACCESS_KEY: "secret",
        AWS_DEFAULT_REGION: "eu-west-1",
        AWS_PAGER: "",
        NO_PROXY: "*",
      },
    });
  const two = await aws(
    ...["sesv2", "send-email", "--from-email-address", "a@example.com"],
    ...["--destination", "ToAddresses=b@example.com"],
    ...["--content", "Simple={Subject={Data=Hi},Body={Text={Data=Hello}}}"],
  );
  const one = await aws(
    ...["ses", "send-email", "--from", "a@example.com", "--to", "b@example.com", "c@example.com"],
    ...["--subject", "Grüße", "--text", "Hello & bye"],
  );
  const [first, second] = capturedBy(service, "mail6");
  assertEquals(JSON.parse(two.stdout).MessageId, first!.meta.message_id);
  assertEquals(JSON.parse(one.stdout).MessageId, second!.meta.message_id);
  assertEquals([second!.payload.subject, second!.payload.text, second!.payload.to?.length], [
    "Grüße",
    "Hello & bye",
    2,
  ]);
  assertEquals(second!.meta.access_key, "AKIACLI");
  const refused = await aws("ses", "get-template", "--template-name", "none");
  assertStringIncludes(refused.stderr, "(TemplateDoesNotExist)");
  assertStringIncludes(refused.stderr, "Template none does not exist.");
  const quota = await aws("ses", "get-send-quota");
  assertEquals(JSON.parse(quota.stdout), {
    Max24HourSend: 50000,
    MaxSendRate: 14,
    SentLast24Hours: 2,
  });
});

Deno.test("the AWS SDK for Java sends over both versions, with a template", async (t) => {
  const project = await requireMaven(t, "ses");
  if (project === undefined) return;
  await using service = await startService({ plugins: [mail] });
  const seen = await javaCalls<Record<string, unknown>>(project, [service.ingress.url]);
  const [simple, templated, old] = capturedBy(service, "mail6");
  assertEquals(seen, {
    simple: simple!.meta.message_id,
    templated: templated!.meta.message_id,
    old: old!.meta.message_id,
    refused: ["BadRequestException", 400, "Missing final '@domain'"],
  });
  assertEquals([simple!.payload.subject, templated!.payload.text, old!.payload.html], [
    "Grüße & €",
    "Dear Ada",
    "<b>Hello</b>",
  ]);
  assertMatch(String(simple!.meta.region), /^eu-west-1$/);
});
