import { Buffer } from "node:buffer";
import { assert, assertEquals, assertRejects } from "@std/assert";
import MailgunModule from "npm:mailgun.js@14.0.1";
import type { CapturedEvent } from "../../core/events/event.ts";
import { mail } from "../../plugins/mail/mod.ts";
import type { MailMessage } from "../../plugins/mail/model.ts";
import { startService, type TestService } from "../support/service.ts";

// Under Deno the default export of its CommonJS build is nested.
const Mailgun = (MailgunModule as unknown as { default?: typeof MailgunModule }).default ??
  MailgunModule;

const DOMAIN = "mg.example.com";
const MAIL = { from: "a@example.com", to: "b@example.com", subject: "Hi", text: "Hello" };

async function start(config: Record<string, unknown> = {}) {
  const service = await startService({
    plugins: [mail],
    config: { plugins: { mail: { providers: { mail5: config } } } },
  });
  const client = (key = "key-1") =>
    new Mailgun(FormData).client({
      username: "api",
      key,
      url: service.ingress.url,
      useFetch: true,
    });
  return { service, client, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** Returns the captures, oldest first. */
function captured(service: TestService): CapturedEvent<MailMessage>[] {
  return (service.events.list({ provider: "mail5" }) as CapturedEvent<MailMessage>[]).reverse();
}

/** Status and words of the error that a promise rejects with. */
async function refusalOf(work: () => Promise<unknown>): Promise<[number, string]> {
  const error = await assertRejects(work) as Error & { status: number; details: string };
  return [error.status, error.details];
}

Deno.test("mailgun.js sends a full message, and the event holds all of it", async () => {
  await using running = await start();
  const { service } = running;
  const client = running.client();
  const sent = await client.messages.create(DOMAIN, {
    from: '"Acme, Inc" <hello@example.com>',
    to: ["Ada <ada@example.org>", "b@example.com"],
    cc: "c@example.com",
    bcc: "d@example.com",
    subject: "Grüße",
    text: "Hello",
    html: "<b>Hello</b>",
    "h:Reply-To": "r@example.com",
    "h:X-Order": "7",
    "v:order": '{"id":7}',
    "o:tag": ["one", "two"],
    "o:testmode": true,
    "o:deliverytime": "Fri, 14 Oct 2050 23:10:10 -0000",
    attachment: [{ filename: "a.txt", data: "hello" }],
    inline: [{ filename: "logo.png", data: Buffer.from([0, 255, 10]) }],
  });
  const [event] = captured(service);
  const { attachments, ...message } = event!.payload;
  assertEquals(message, {
    from: { email: "hello@example.com", name: "Acme, Inc" },
    to: [{ email: "ada@example.org", name: "Ada" }, { email: "b@example.com" }],
    cc: [{ email: "c@example.com" }],
    bcc: [{ email: "d@example.com" }],
    reply_to: [{ email: "r@example.com" }],
    subject: "Grüße",
    text: "Hello",
    html: "<b>Hello</b>",
    headers: { "X-Order": ["7"] },
  });
  assertEquals(
    attachments?.map(({ filename, size, inline, content_id }) => [
      filename,
      size,
      inline,
      content_id,
    ]),
    [["a.txt", 5, false, undefined], ["logo.png", 3, true, "logo.png"]],
  );
  const { meta } = event!;
  assertEquals([meta.tags, meta.variables, meta.domain], [
    ["one", "two"],
    { order: '{"id":7}' },
    DOMAIN,
  ]);
  assertEquals(meta.options, {
    testmode: "yes",
    deliverytime: "Fri, 14 Oct 2050 23:10:10 -0000",
  });
  assertEquals([sent.status, sent.message, sent.id], [
    200,
    "Queued. Thank you.",
    meta.message_id as string,
  ]);
  assert(/^<\d{14}\.[0-9a-f]{24}@mg\.example\.com>$/.test(sent.id!));
});

Deno.test("mailgun.js sends a batch: each recipient gets a message with its own values", async () => {
  await using running = await start();
  const { service } = running;
  const sent = await running.client().messages.create(DOMAIN, {
    ...MAIL,
    to: ["Ada Lovelace <Ada@example.org>", "bob@example.com"],
    cc: "c@example.com",
    subject: "Hi %recipient.name% (%recipient_fname%)",
    text: "%recipient_email%: %recipient.order% %recipient.missing%",
    "h:X-Id": "%recipient.id%",
    "v:id": "%recipient.id%",
    "recipient-variables": JSON.stringify({
      "ada@example.org": { name: "Ada", id: 1, order: { a: 1 } },
      "bob@example.com": { name: "Bob", id: 2 },
    }),
  });
  const [first, second] = captured(service);
  assertEquals(captured(service).length, 2);
  assertEquals([first!.payload.to, first!.payload.subject, first!.payload.text], [
    [{ email: "Ada@example.org", name: "Ada Lovelace" }],
    "Hi Ada (Ada)",
    'Ada@example.org: {"a":1} %recipient.missing%',
  ]);
  assertEquals([second!.payload.headers, second!.meta.variables, second!.meta.batch_index], [
    { "X-Id": ["2"] },
    { id: "2" },
    1,
  ]);
  assertEquals([first!.meta.message_id, second!.meta.message_id], [sent.id, sent.id]);
});

Deno.test("mailgun.js sends a batch in MIME format, with options and a template", async () => {
  await using running = await start();
  const { service } = running;
  const client = running.client();
  await client.domains.domainTemplates.create(DOMAIN, {
    name: "hi",
    description: "",
    template: "<b>{{greeting}}, %recipient.name%</b>",
  });
  const to = ["ada@example.org", "Bob <bob@example.com>"];
  const variables = JSON.stringify({
    "ada@example.org": { name: "Ada" },
    "bob@example.com": { name: "Bob" },
  });
  await client.messages.create(DOMAIN, {
    to,
    message: "From: a@example.com\r\nTo: %recipient%\r\nReply-To: a@example.com\r\n" +
      "Subject: Hi %recipient.name%\r\nX-A: 1\r\n\r\nHello %recipient.name%\r\n",
    "recipient-variables": variables,
    "h:X-A": "%recipient.name%",
    "h:Reply-To": "r@example.com",
    "v:id": "%recipient.name%",
  });
  const batch = captured(service);
  assertEquals(
    batch.map(({ payload: { to, bcc, reply_to, subject, text, headers }, meta }) => [
      [to, bcc, reply_to, headers?.["X-A"]],
      [subject, text?.trim(), meta.variables, meta.rcpt_to, meta.batch_index],
    ]),
    [
      [
        [[{ email: "ada@example.org" }], undefined, [{ email: "r@example.com" }], ["Ada"]],
        ["Hi Ada", "Hello Ada", { id: "Ada" }, ["ada@example.org"], 0],
      ],
      [
        [
          [{ email: "bob@example.com", name: "Bob" }],
          undefined,
          [{ email: "r@example.com" }],
          ["Bob"],
        ],
        ["Hi Bob", "Hello Bob", { id: "Bob" }, ["bob@example.com"], 1],
      ],
    ],
  );
  await client.messages.create(DOMAIN, {
    to: "ada@example.org",
    message: "From: a@example.com\r\nTo: ada@example.org\r\nSubject: Plain\r\n\r\nHello\r\n",
    template: "hi",
    "t:variables": '{"greeting":"Hi"}',
  });
  const templated = captured(service).at(-1)!;
  assertEquals([templated.payload.html, templated.payload.to, templated.meta.rcpt_to], [
    "<b>Hi, %recipient.name%</b>",
    [{ email: "ada@example.org" }],
    ["ada@example.org"],
  ]);
});

Deno.test("mailgun.js sends a message in MIME format", async () => {
  await using running = await start();
  const { service } = running;
  const message = "From: Acme <a@example.com>\r\nTo: b@example.com\r\nSubject: Composed\r\n" +
    "Message-Id: <own@example.com>\r\n\r\nHello\r\n";
  const sent = await running.client().messages.create(DOMAIN, {
    to: ["b@example.com", "blind@example.com"],
    message,
    "o:tag": "mime",
  });
  const [event] = captured(service);
  assertEquals([event!.payload.subject, event!.payload.from, event!.payload.bcc], [
    "Composed",
    { email: "a@example.com", name: "Acme" },
    [{ email: "blind@example.com" }],
  ]);
  assertEquals([sent.id, event!.meta.tags, event!.meta.mime], [
    "<own@example.com>",
    ["mime"],
    true,
  ]);
});

Deno.test("mailgun.js reports every refusal in the vendor's words, and nothing is captured", async () => {
  await using running = await start({ domains: [DOMAIN], api_key: "key-1" });
  const { service } = running;
  const client = running.client();
  const send = (change: object, domain = DOMAIN) =>
    refusalOf(() => client.messages.create(domain, { ...MAIL, ...change } as never));
  assertEquals(await send({ from: "" }), [400, "from parameter is missing"]);
  assertEquals(await send({ to: "" }), [400, "to parameter is missing"]);
  assertEquals(await send({ to: "nobody" }), [
    400,
    "to parameter is not a valid address. please check documentation",
  ]);
  assertEquals(await send({ text: "" }), [
    400,
    "Need at least one of 'text', 'html', 'amp-html' or 'template' parameters specified",
  ]);
  assertEquals(await send({ "recipient-variables": "{" }), [
    400,
    "'recipient-variables' parameter is not a valid JSON",
  ]);
  assertEquals((await send({ "o:deliverytime": "soon" }))[0], 400);
  assertEquals(await send({}, "other.example.com"), [404, "Domain not found: other.example.com"]);
  const wrong = running.client("wrong");
  assertEquals((await refusalOf(() => wrong.messages.create(DOMAIN, MAIL)))[0], 401);
  assertEquals(captured(service), []);
});

Deno.test("mailgun.js stores templates with versions, and messages that use them are rendered", async () => {
  await using running = await start({ templates: "known" });
  const { service } = running;
  const client = running.client();
  await client.domains.domainTemplates.create(DOMAIN, {
    name: "welcome",
    description: "First mail",
    template: "<p>Hello {{name}}{{#each items}}, {{this}}{{/each}}</p>",
    tag: "v1",
    headers: JSON.stringify({ Subject: "Welcome {{name}}", From: "Shop <shop@example.com>" }),
  } as never);
  await client.messages.create(DOMAIN, {
    to: "b@example.com",
    template: "welcome",
    "t:variables": JSON.stringify({ name: "Ada & Bob", items: [1, 2] }),
    "t:text": "yes",
  } as never);
  await client.domains.domainTemplates.createVersion(DOMAIN, "welcome", {
    template: "<p>New {{name}}</p>",
    tag: "v2",
    active: "yes" as never,
  });
  await client.messages.create(DOMAIN, { ...MAIL, text: "", template: "welcome", "v:name": "Eve" });
  await client.messages.create(DOMAIN, {
    ...MAIL,
    text: "",
    template: "welcome",
    "t:version": "v1",
    "h:X-Mailgun-Variables": '{"name":"Old"}',
  });
  await client.messages.create(DOMAIN, {
    ...MAIL,
    text: "",
    template: "welcome",
    "t:variables": '{"nmae":"Ada"}',
  } as never);
  const last = captured(service).at(-1)!;
  assertEquals([last.meta.template_missing, last.meta.template_unused], [["name"], ["nmae"]]);
  const payloads = captured(service).map(({ payload }) => payload);
  assertEquals(payloads.map(({ html }) => html), [
    "<p>Hello Ada &amp; Bob, 1, 2</p>",
    "<p>New Eve</p>",
    "<p>Hello Old</p>",
    "<p>New </p>",
  ]);
  assertEquals([payloads[0]!.subject, payloads[0]!.from, payloads[0]!.text], [
    "Welcome Ada & Bob",
    { email: "shop@example.com", name: "Shop" },
    "Hello Ada & Bob, 1, 2",
  ]);
  const templates = client.domains.domainTemplates;
  assertEquals((await templates.list(DOMAIN)).items.map(({ name }) => name), ["welcome"]);
  const { version } = await templates.get(DOMAIN, "welcome", { active: "yes" as never });
  assertEquals([version?.tag, version?.template], ["v2", "<p>New {{name}}</p>"]);
  const { template } = await templates.listVersions(DOMAIN, "welcome");
  assertEquals(template.versions?.map(({ tag, active }) => [tag, active]), [
    ["v1", false],
    ["v2", true],
  ]);
  await templates.update(DOMAIN, "welcome", { description: "Changed" });
  assertEquals((await templates.getVersion(DOMAIN, "welcome", "v1")).description, "Changed");
  await templates.destroyVersion(DOMAIN, "welcome", "v1");
  await templates.destroy(DOMAIN, "welcome");
  assertEquals(await refusalOf(() => templates.get(DOMAIN, "welcome")), [
    404,
    "template not found",
  ]);
  const unknown = client.messages.create(DOMAIN, { ...MAIL, text: "", template: "welcome" });
  assertEquals((await refusalOf(() => unknown))[0], 404);
});

Deno.test("mailgun.js pages through events, and reads the message that an event names", async () => {
  await using running = await start();
  const { service } = running;
  const client = running.client();
  for (const subject of ["one", "two", "three"]) {
    await client.messages.create(DOMAIN, { ...MAIL, subject });
  }
  const query = { event: "accepted", limit: 2 };
  const first = await client.events.get(DOMAIN, query);
  const subjects = (items: unknown[]) =>
    items.map((item) =>
      (item as { message: { headers: { subject: string } } }).message.headers.subject
    );
  assertEquals(subjects(first.items), ["three", "two"]);
  const second = await client.events.get(DOMAIN, { ...query, page: first.pages.next.page! });
  assertEquals(subjects(second.items), ["one"]);
  const [one] = await client.events.get(DOMAIN, { subject: "two", event: "delivered" })
    .then(({ items }) => items);
  const { storage, recipient } = one as unknown as { storage: { key: string }; recipient: string };
  assertEquals(recipient, "b@example.com");
  // Missing in the types of the package.
  const messages = client.messages as unknown as {
    retrieveStoredEmail(domain: string, key: string): Promise<Record<string, string>>;
  };
  const stored = await messages.retrieveStoredEmail(DOMAIN, storage.key);
  assertEquals([stored.subject, stored["body-plain"]], ["two", "Hello"]);
  assertEquals((await client.domains.list()).map(({ name }) => name), [DOMAIN]);
  assertEquals((await client.events.get("other.example.com")).items, []);
  using _ = await service.fault({ on: "mail/mail5", outcome: "rate_limit", phase: "capture" });
  assertEquals(await refusalOf(() => client.messages.create(DOMAIN, MAIL)), [
    429,
    `Domain ${DOMAIN} is not allowed to send: account-requests-per-sec limit exceeded, ` +
    "try again after 1 seconds",
  ]);
});
