import { assert, assertEquals, assertRejects } from "@std/assert";
import { BrevoClient, BrevoError } from "npm:@getbrevo/brevo@6.0.3";
import { mail } from "../../plugins/mail/mod.ts";
import { requireMaven, requirePython, runOk } from "../support/clients.ts";
import { javaCalls } from "../support/java.ts";
import { capturedBy, withAnymail, withSymfony } from "../support/mail_clients.ts";
import { startService } from "../support/service.ts";

const MAIL = {
  sender: { email: "a@example.com" },
  to: [{ email: "b@example.com" }],
  subject: "Hi",
  textContent: "Hello",
};

async function start(config: Record<string, unknown> = {}) {
  const service = await startService({
    plugins: [mail],
    config: { plugins: { mail: { providers: { mail7: config } } } },
  });
  const client = (apiKey = "key-1") =>
    new BrevoClient({ apiKey, baseUrl: `${service.ingress.url}/v3`, maxRetries: 0 });
  return { service, client, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** Status, code and message of the error that a promise rejects with. */
async function refusalOf(work: PromiseLike<unknown>): Promise<[number, string, string]> {
  const error = await assertRejects(async () => await work, BrevoError);
  const { code, message } = error.body as { code: string; message: string };
  return [error.statusCode!, code, message];
}

Deno.test("@getbrevo/brevo sends a full email, and the event holds all of it", async () => {
  await using running = await start();
  const { service } = running;
  const { transactionalEmails } = running.client();
  const sent = await transactionalEmails.sendTransacEmail({
    sender: { email: "hello@example.com", name: "Acme, Inc" },
    to: [{ email: "ada@example.org", name: "Ada" }, { email: "b@example.com" }],
    cc: [{ email: "c@example.com" }],
    bcc: [{ email: "d@example.com" }],
    replyTo: { email: "r@example.com" },
    subject: "Grüße {{ params.name }}",
    htmlContent: "<b>{{ params.name | default : 'friend' }}</b>{# note #}",
    textContent: "{% for item in params.items %}{{ item.title }};{% endfor %}",
    params: { name: "Ada", items: [{ title: "One" }, { title: "Two" }] },
    headers: { "X-Order": "7" },
    tags: ["welcome"],
    attachment: [{ name: "a.txt", content: "aGVsbG8=" }, { url: "https://example.com/x.pdf" }],
  });
  const [event] = capturedBy(service, "mail7");
  const { attachments, ...message } = event!.payload;
  assertEquals(message, {
    from: { email: "hello@example.com", name: "Acme, Inc" },
    to: [{ email: "ada@example.org", name: "Ada" }, { email: "b@example.com" }],
    cc: [{ email: "c@example.com" }],
    bcc: [{ email: "d@example.com" }],
    reply_to: [{ email: "r@example.com" }],
    subject: "Grüße Ada",
    text: "One;Two;",
    html: "<b>Ada</b>",
    headers: { "X-Order": ["7"] },
  });
  assertEquals(
    attachments?.map(({ filename, size, content_type }) => [filename, size, content_type]),
    [["a.txt", 5, "text/plain"]],
  );
  assertEquals([event!.meta.tags, event!.meta.remote_attachments, event!.meta.api_key], [
    ["welcome"],
    [{ url: "https://example.com/x.pdf" }],
    "key-1",
  ]);
  const messageId = String(event!.meta.message_id);
  assert(/^<\d{12}\.[0-9a-f]{24}@smtp-relay\.mailin\.fr>$/.test(messageId));
  assertEquals(sent.messageId, messageId);
  const list = await transactionalEmails.getTransacEmailsList({ messageId });
  assertEquals(list.transactionalEmails?.map(({ subject }) => subject), ["Grüße Ada"]);
  const { uuid } = list.transactionalEmails![0]!;
  const content = await transactionalEmails.getTransacEmailContent({ uuid: uuid! });
  assertEquals([content.body, content.attachmentCount], ["<b>Ada</b>", 1]);
  const { events } = await transactionalEmails.getEmailEventReport({ event: "delivered" });
  assertEquals(events?.map(({ email }) => email), [
    "ada@example.org",
    "b@example.com",
    "c@example.com",
    "d@example.com",
  ]);
});

Deno.test("@getbrevo/brevo sends versions of a message, each with its own values", async () => {
  await using running = await start();
  const { service } = running;
  const sent = await running.client().transactionalEmails.sendTransacEmail({
    sender: { email: "a@example.com" },
    subject: "For {{params.name}} in {{params.city}}",
    htmlContent: "<p>all</p>",
    params: { city: "London" },
    headers: { "X-A": "1" },
    messageVersions: [
      { to: [{ email: "b@example.com" }], params: { name: "Ada" } },
      {
        to: [{ email: "c@example.com" }],
        params: { name: "Bob" },
        subject: "Only {{params.name}}",
        htmlContent: "<p>own</p>",
        replyTo: { email: "r@example.com" },
      },
    ],
    scheduledAt: "2999-01-01T00:00:00.000Z",
  });
  const events = capturedBy(service, "mail7");
  assertEquals(events.map(({ payload: { to, subject, html } }) => [to![0]!.email, subject, html]), [
    ["b@example.com", "For Ada in London", "<p>all</p>"],
    ["c@example.com", "Only Bob", "<p>own</p>"],
  ]);
  assertEquals(sent.messageIds, events.map(({ meta }) => String(meta.message_id)));
  assertEquals([events[1]!.payload.reply_to, events[1]!.meta.scheduled_at], [
    [{ email: "r@example.com" }],
    "2999-01-01T00:00:00.000Z",
  ]);
});

Deno.test("@getbrevo/brevo reports every refusal in the vendor's words, and nothing is captured", async () => {
  await using running = await start({ api_key: "key-1", templates: "known" });
  const { service } = running;
  const { transactionalEmails } = running.client();
  const send = (change: object) =>
    refusalOf(transactionalEmails.sendTransacEmail({ ...MAIL, ...change }));
  assertEquals(await send({ sender: undefined }), [400, "missing_parameter", "sender is missing"]);
  assertEquals(await send({ sender: { email: "x" } }), [
    400,
    "invalid_parameter",
    "valid sender email required",
  ]);
  assertEquals(await send({ to: undefined }), [400, "missing_parameter", "to is missing"]);
  assertEquals(await send({ cc: [] }), [400, "missing_parameter", "cc is missing"]);
  assertEquals(await send({ bcc: [] }), [400, "missing_parameter", "bcc is missing"]);
  assertEquals(await send({ messageVersions: [{ subject: "Own" }] }), [
    400,
    "missing_parameter",
    "to is missing",
  ]);
  assertEquals(await send({ to: [{ email: "nobody" }] }), [
    400,
    "invalid_parameter",
    "email is not valid in to",
  ]);
  assertEquals(await send({ to: [{ email: "" }] }), [
    400,
    "missing_parameter",
    "email is missing in to",
  ]);
  assertEquals(await send({ subject: undefined }), [
    400,
    "missing_parameter",
    "subject is missing",
  ]);
  assertEquals((await send({ textContent: undefined }))[2], "htmlContent is missing");
  assertEquals(
    (await send({ attachment: [{ name: "a.exe", content: "AA==" }] }))[1],
    "invalid_parameter",
  );
  assertEquals((await send({ templateId: 7 }))[1], "document_not_found");
  assertEquals((await send({ to: Array(100).fill({ email: "b@example.com" }) }))[0], 400);
  const wrong = running.client("wrong").account.getAccount();
  assertEquals(await refusalOf(wrong), [401, "unauthorized", "Key not found"]);
  assertEquals((await running.client().account.getAccount()).companyName, "Standin");
  using _ = await service.fault({ on: "mail/mail7", outcome: "not_enough_credits" });
  assertEquals((await send({})).slice(0, 2), [402, "not_enough_credits"]);
  assertEquals(capturedBy(service, "mail7"), []);
});

Deno.test("@getbrevo/brevo stores templates, and messages that use them are rendered", async () => {
  await using running = await start();
  const { service } = running;
  const { transactionalEmails } = running.client();
  const { id } = await transactionalEmails.createSmtpTemplate({
    templateName: "Welcome",
    subject: "Welcome {{params.name}}",
    htmlContent: "<p>Dear {{params.name}}{% if params.vip %} (VIP){% endif %}</p>",
    sender: { email: "shop@example.com", name: "Shop" },
    isActive: true,
  });
  await transactionalEmails.sendTransacEmail({
    templateId: id,
    to: [{ email: "b@example.com" }],
    params: { name: "Ada", vip: true, age: 36 },
  });
  await transactionalEmails.sendTransacEmail({ templateId: 99, to: [{ email: "b@example.com" }] });
  const [first, second] = capturedBy(service, "mail7");
  assertEquals([first!.payload.subject, first!.payload.html, first!.payload.from], [
    "Welcome Ada",
    "<p>Dear Ada (VIP)</p>",
    { email: "shop@example.com", name: "Shop" },
  ]);
  assertEquals([first!.meta.template_missing, first!.meta.template_unused], [undefined, ["age"]]);
  assertEquals([second!.payload.html, second!.meta.template_id], [undefined, 99]);
  assertEquals(
    await refusalOf(transactionalEmails.deleteSmtpTemplate({ templateId: id })),
    [400, "not_acceptable", "You cannot delete an active template"],
  );
  await transactionalEmails.updateSmtpTemplate({ templateId: id, subject: "Hi", isActive: false });
  const template = await transactionalEmails.getSmtpTemplate({ templateId: id });
  assertEquals([template.subject, template.isActive, template.sender.email], [
    "Hi",
    false,
    "shop@example.com",
  ]);
  const { count, templates } = await transactionalEmails.getSmtpTemplates({});
  assertEquals([count, templates?.map(({ name }) => name)], [1, ["Welcome"]]);
  await transactionalEmails.deleteSmtpTemplate({ templateId: id });
  assertEquals(
    (await refusalOf(transactionalEmails.getSmtpTemplate({ templateId: id })))[1],
    "document_not_found",
  );
});

Deno.test("a version of a message has its own template, if the call has one", async () => {
  await using running = await start();
  const { service } = running;
  const { transactionalEmails } = running.client();
  const create = async (name: string) =>
    (await transactionalEmails.createSmtpTemplate({
      templateName: name,
      subject: name,
      htmlContent: `<p>${name} for {{params.who}}</p>`,
      sender: { email: "shop@example.com" },
      isActive: true,
    })).id;
  const [common, own] = [await create("Common"), await create("Own")];
  const version = (who: string) => ({ to: [{ email: `${who}@example.com` }], params: { who } });
  await transactionalEmails.sendTransacEmail({
    templateId: common,
    // The types of the SDK lack the member that its description names.
    messageVersions: [version("ada"), { ...version("bob"), ...{ templateId: own } }],
  });
  const events = capturedBy(service, "mail7");
  assertEquals(
    events.map(({ payload, meta }) => [payload.subject, payload.html, meta.template_id]),
    [
      ["Common", "<p>Common for ada</p>", common],
      ["Own", "<p>Own for bob</p>", own],
    ],
  );
});

Deno.test("django-anymail sends to mail7 one by one, in versions and with a template", async (t) => {
  await withAnymail(t, "brevo", {
    templateId: "1",
    async before({ ingress }) {
      const response = await fetch(`${ingress.url}/v3/smtp/templates`, {
        method: "POST",
        headers: { "api-key": "any" },
        body: JSON.stringify({
          templateName: "Welcome",
          subject: "Hi {{params.name}}",
          htmlContent: "{{params.name}} of {{params.site}}",
          sender: { email: "shop@example.com" },
          isActive: true,
        }),
      });
      assertEquals([response.status, await response.json()], [201, { id: 1 }]);
    },
    check(seen, service) {
      const [one, first, second, ...templated] = capturedBy(service, "mail7");
      const { attachments, headers, ...message } = one!.payload;
      assertEquals(message, {
        from: { email: "s@example.com", name: "Sender, Inc" },
        to: [{ email: "a@example.com", name: "Ann" }, { email: "b@example.com" }],
        cc: [{ email: "c@example.com" }],
        bcc: [{ email: "d@example.com" }],
        reply_to: [{ email: "r@example.com" }],
        subject: "Grüße",
        text: "text",
        html: "<b>html</b>",
      });
      assertEquals(headers, { "X-Test": ["1"], "X-Mailin-custom": ['{"order": "7"}'] });
      assertEquals(attachments?.map(({ filename, size }) => [filename, size]), [["a.txt", 5]]);
      for (const answer of Object.values(seen.one)) {
        assertEquals(answer, ["queued", one!.meta.message_id as string]);
      }
      assertEquals(seen.batch, {
        "a@example.com": ["queued", first!.meta.message_id as string],
        "b@example.com": ["queued", second!.meta.message_id as string],
      });
      assertEquals(templated.map(({ payload: { subject, html } }) => [subject, html]), [
        ["Hi Ann", "Ann of example"],
        ["Hi Bob", "Bob of example"],
      ]);
      assertEquals(seen.refused, ["AnymailRequestsAPIError", 400]);
    },
  });
});

Deno.test("Symfony's bridge sends to mail7, and reads refusals", async (t) => {
  await withSymfony(t, "brevo", {
    bridge: "Sendinblue",
    provider: "mail7",
    check({ id, refusal }, events) {
      assertEquals([id, events.length], [events[0]!.meta.message_id as string, 1]);
      assertEquals(refusal, "Unable to send an email: email is not valid in to (code 400).");
    },
  });
});

Deno.test("brevo-python sends, and reads back what it sent", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [mail] });
  const script = new URL("python/brevo_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, service.ingress.url], { env: { NO_PROXY: "*" } });
  const [first, second, third] = capturedBy(service, "mail7");
  assertEquals(JSON.parse(stdout), {
    sent: first!.meta.message_id,
    versions: [second!.meta.message_id, third!.meta.message_id],
    listed: ["Grüße"],
    account: "Standin",
    refused: [400, { code: "invalid_parameter", message: "email is not valid in to" }],
  });
  assertEquals([first!.payload.subject, third!.payload.subject], ["Grüße", "For Bob"]);
});

Deno.test("brevo for Java sends, also with a stored template, and reads what was refused", async (t) => {
  const project = await requireMaven(t, "brevo");
  if (project === undefined) return;
  await using running = await start({ templates: "known" });
  const { service } = running;
  const seen = await javaCalls<Record<string, unknown>>(project, [service.ingress.url]);
  const [event, templated, ...more] = capturedBy(service, "mail7");
  assertEquals(more, []);
  assertEquals(seen, {
    sent: event!.meta.message_id,
    template: [1, "Order", templated!.meta.message_id],
    absent: [404, '{"code":"document_not_found","message":"Template ID does not exist"}'],
    refused: [400, '{"code":"invalid_parameter","message":"email is not valid in to"}'],
  });
  assertEquals([event!.payload.subject, event!.payload.html], ["Grüße & €", "<b>Ada</b>"]);
  const { from, to, subject, html } = templated!.payload;
  assertEquals([from, to, subject, html], [
    { email: "s@example.com", name: "Shop" },
    [{ email: "t@example.com" }],
    "Order 7",
    "<p>Hi Ada</p>",
  ]);
});
