import { assert, assertEquals, assertRejects } from "@std/assert";
import * as v1 from "npm:@aws-sdk/client-ses@3.1169.0";
import * as v2 from "npm:@aws-sdk/client-sesv2@3.1169.0";
import { createTransport } from "nodemailer";
import type { CapturedEvent } from "../../core/events/event.ts";
import { mail } from "../../plugins/mail/mod.ts";
import type { MailMessage } from "../../plugins/mail/model.ts";
import { startService, type TestService } from "../support/service.ts";

const MAIL = {
  FromEmailAddress: "a@example.com",
  Destination: { ToAddresses: ["b@example.com"] },
  Content: { Simple: { Subject: { Data: "Hi" }, Body: { Text: { Data: "Hello" } } } },
};

async function start(config: Record<string, unknown> = {}) {
  const service = await startService({
    plugins: [mail],
    config: { plugins: { mail: { providers: { mail6: config } } } },
  });
  const settings = (accessKeyId = "AKIAANY") => ({
    endpoint: service.ingress.url,
    region: "eu-west-1",
    credentials: { accessKeyId, secretAccessKey: "secret" },
    maxAttempts: 1,
  });
  const one = new v1.SESClient(settings());
  const two = new v2.SESv2Client(settings());
  return {
    service,
    one,
    two,
    settings,
    async [Symbol.asyncDispose]() {
      one.destroy();
      two.destroy();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** Returns the captures, oldest first. */
function captured(service: TestService): CapturedEvent<MailMessage>[] {
  return (service.events.list({ provider: "mail6" }) as CapturedEvent<MailMessage>[]).reverse();
}

/** Name, status and text of the error that a promise rejects with. */
async function refusalOf(work: Promise<unknown>): Promise<[string, number, string]> {
  const error = await assertRejects(() => work) as v2.SESv2ServiceException;
  return [error.name, error.$metadata.httpStatusCode!, error.message];
}

Deno.test("client-sesv2 sends a full email, and the event holds all of it", async () => {
  await using running = await start();
  const { service, two } = running;
  const sent = await two.send(
    new v2.SendEmailCommand({
      FromEmailAddress: "=?utf-8?q?Gr=C3=BC=C3=9Fe?= <hello@example.com>",
      Destination: {
        ToAddresses: ["Ada <ada@example.org>", "b@example.com"],
        CcAddresses: ["c@example.com"],
        BccAddresses: ["d@example.com"],
      },
      ReplyToAddresses: ["r@example.com"],
      EmailTags: [{ Name: "kind", Value: "welcome" }],
      ConfigurationSetName: "set",
      Content: {
        Simple: {
          Subject: { Data: "Grüße" },
          Body: { Text: { Data: "Hello" }, Html: { Data: "<b>Hello</b>" } },
          Headers: [{ Name: "X-Order", Value: "7" }],
          Attachments: [
            { FileName: "a.txt", RawContent: new TextEncoder().encode("hello") },
            {
              FileName: "l.png",
              RawContent: new Uint8Array([0, 255, 10]),
              ContentDisposition: "INLINE",
              ContentId: "<logo>",
              ContentType: "image/png",
            },
          ],
        },
      },
    }),
  );
  const [event] = captured(service);
  const { attachments, ...message } = event!.payload;
  assertEquals(message, {
    from: { email: "hello@example.com", name: "Grüße" },
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
    [["a.txt", 5, false, undefined], ["l.png", 3, true, "logo"]],
  );
  assertEquals(event!.meta, {
    configuration_set: "set",
    email_tags: { kind: "welcome" },
    region: "eu-west-1",
    access_key: "AKIAANY",
    message_id: sent.MessageId,
  });
  assert(/^0102[0-9a-f]{12}-[0-9a-f-]{36}-000000$/.test(sent.MessageId!));
});

Deno.test("client-ses sends over version 1, as parts and as a whole", async () => {
  await using running = await start();
  const { service, one } = running;
  const sent = await one.send(
    new v1.SendEmailCommand({
      Source: "Acme <a@example.com>",
      Destination: { ToAddresses: ["b@example.com", "c@example.com"] },
      ReplyToAddresses: ["r@example.com"],
      Tags: [{ Name: "kind", Value: "welcome" }],
      Message: {
        Subject: { Data: "Grüße & <€>" },
        Body: { Text: { Data: "a+b=c" }, Html: { Data: "<b>&amp;</b>" } },
      },
    }),
  );
  const raw = "From: a@example.com\r\nTo: b@example.com\r\nSubject: Composed\r\n\r\nHello\r\n";
  await one.send(
    new v1.SendRawEmailCommand({
      RawMessage: { Data: new TextEncoder().encode(raw) },
      Destinations: ["b@example.com", "blind@example.com"],
    }),
  );
  const [first, second] = captured(service);
  assertEquals(first!.meta.message_id, sent.MessageId);
  assertEquals([first!.payload.subject, first!.payload.text, first!.payload.html], [
    "Grüße & <€>",
    "a+b=c",
    "<b>&amp;</b>",
  ]);
  assertEquals([first!.payload.to?.length, first!.meta.email_tags], [2, { kind: "welcome" }]);
  assertEquals([second!.payload.subject, second!.payload.bcc], [
    "Composed",
    [{ email: "blind@example.com" }],
  ]);
});

Deno.test("both versions of the API share templates, and render them", async () => {
  await using running = await start({ templates: "known" });
  const { service, one, two } = running;
  await two.send(
    new v2.CreateEmailTemplateCommand({
      TemplateName: "welcome",
      TemplateContent: {
        Subject: "Hi {{name}}",
        Text: "Dear {{name}}{{#if vip}} (VIP){{/if}}",
        Html: "<p>{{name}}{{#each items}}, {{this}}{{/each}}</p>",
      },
    }),
  );
  const { Template } = await one.send(new v1.GetTemplateCommand({ TemplateName: "welcome" }));
  assertEquals([Template?.SubjectPart, Template?.TextPart], [
    "Hi {{name}}",
    "Dear {{name}}{{#if vip}} (VIP){{/if}}",
  ]);
  await one.send(
    new v1.SendTemplatedEmailCommand({
      Source: "a@example.com",
      Destination: { ToAddresses: ["b@example.com"] },
      Template: "welcome",
      TemplateData: JSON.stringify({ name: "Ada & Bob", vip: true, items: [1, 2] }),
    }),
  );
  const bulk = await two.send(
    new v2.SendBulkEmailCommand({
      FromEmailAddress: "a@example.com",
      DefaultContent: { Template: { TemplateName: "welcome", TemplateData: '{"vip":true}' } },
      BulkEmailEntries: ["c@example.com", "nobody"].map((to) => ({
        Destination: { ToAddresses: [to] },
        ReplacementEmailContent: {
          ReplacementTemplate: { ReplacementTemplateData: '{"name":"Eve"}' },
        },
        ReplacementHeaders: [{ Name: "X-Id", Value: "1" }],
      })),
    }),
  );
  assertEquals(bulk.BulkEmailEntryResults?.map(({ Status }) => Status), [
    "SUCCESS",
    "INVALID_PARAMETER",
  ]);
  const old = await one.send(
    new v1.SendBulkTemplatedEmailCommand({
      Source: "a@example.com",
      Template: "welcome",
      DefaultTemplateData: '{"name":"nobody"}',
      Destinations: [
        { Destination: { ToAddresses: ["d@example.com"] }, ReplacementTemplateData: "{}" },
      ],
    }),
  );
  assertEquals(old.Status?.map(({ Status }) => Status), ["Success"]);
  const [first, second, third] = captured(service);
  assertEquals(first!.payload.html, "<p>Ada &amp; Bob, 1, 2</p>");
  assertEquals([first!.payload.subject, second!.payload.text, third!.payload.text], [
    "Hi Ada & Bob",
    "Dear Eve (VIP)",
    "Dear nobody",
  ]);
  assertEquals([second!.payload.headers, second!.meta.template], [
    { "X-Id": ["1"] },
    { name: "welcome", data: { vip: true, name: "Eve" } },
  ]);
  const render = (TemplateData: string) =>
    two.send(
      new v2.TestRenderEmailTemplateCommand({ TemplateName: "welcome", TemplateData }),
    );
  const { RenderedTemplate } = await render('{"name":"Ada"}');
  assert(RenderedTemplate?.includes("Subject: Hi Ada"));
  assertEquals(await refusalOf(render("{}")), [
    "BadRequestException",
    400,
    "Attribute 'name' is not present in the rendering data.",
  ]);
  const listed = await one.send(new v1.ListTemplatesCommand({}));
  assertEquals(listed.TemplatesMetadata?.map(({ Name }) => Name), ["welcome"]);
  await two.send(new v2.DeleteEmailTemplateCommand({ TemplateName: "welcome" }));
  assertEquals(
    await refusalOf(two.send(new v2.GetEmailTemplateCommand({ TemplateName: "welcome" }))),
    ["NotFoundException", 404, "Template welcome does not exist."],
  );
  assertEquals(
    await refusalOf(one.send(new v1.GetTemplateCommand({ TemplateName: "welcome" }))),
    ["TemplateDoesNotExistException", 400, "Template welcome does not exist."],
  );
});

Deno.test("a template that lacks a value is captured, with what the vendor would report", async () => {
  await using running = await start();
  const { service, two } = running;
  const Template = {
    TemplateContent: { Subject: "Hi {{name}}", Text: "x" },
    TemplateData: "{}",
  };
  await two.send(new v2.SendEmailCommand({ ...MAIL, Content: { Template } }));
  await two.send(
    new v2.SendEmailCommand({
      ...MAIL,
      Content: { Template: { TemplateName: "vendor", TemplateData: "{}" } },
    }),
  );
  // The vendor inserts this link itself.
  const Own = {
    TemplateContent: { Subject: "Hi {{name}}", Text: "{{amazonSESUnsubscribeUrl}}" },
    TemplateData: '{"name":"Ada","unread":1}',
  };
  await two.send(new v2.SendEmailCommand({ ...MAIL, Content: { Template: Own } }));
  const [first, second, third] = captured(service);
  assertEquals(
    first!.meta.rendering_failure,
    "Attribute 'name' is not present in the rendering data.",
  );
  assertEquals([third!.meta.rendering_failure, third!.meta.template_unused], [undefined, [
    "unread",
  ]]);
  assertEquals([second!.payload.text, second!.meta.template], [
    undefined,
    { name: "vendor", data: {} },
  ]);
});

Deno.test("senders must be identities if any are configured, and identities are stored", async () => {
  await using running = await start({ identities: ["example.com"] });
  const { service, one, two } = running;
  await two.send(new v2.SendEmailCommand(MAIL));
  const other = { ...MAIL, FromEmailAddress: "x@other.example" };
  assertEquals(await refusalOf(two.send(new v2.SendEmailCommand(other))), [
    "MessageRejected",
    400,
    "Email address is not verified. The following identities failed the check in region EU-WEST-1: x@other.example",
  ]);
  await two.send(new v2.CreateEmailIdentityCommand({ EmailIdentity: "other.example" }));
  await two.send(new v2.SendEmailCommand(other));
  assertEquals(captured(service).length, 2);
  const { Identities } = await one.send(new v1.ListIdentitiesCommand({}));
  assertEquals(Identities, ["example.com", "other.example"]);
  const { VerificationAttributes } = await one.send(
    new v1.GetIdentityVerificationAttributesCommand({ Identities: ["example.com", "x.org"] }),
  );
  assertEquals(Object.keys(VerificationAttributes ?? {}), ["example.com"]);
  const identity = await two.send(
    new v2.GetEmailIdentityCommand({ EmailIdentity: "other.example" }),
  );
  assertEquals([identity.IdentityType, identity.VerifiedForSendingStatus], ["DOMAIN", true]);
  const { SendQuota, SendingEnabled } = await two.send(new v2.GetAccountCommand({}));
  assertEquals([SendQuota?.SentLast24Hours, SendingEnabled], [2, true]);
  assertEquals((await one.send(new v1.GetSendQuotaCommand({}))).SentLast24Hours, 2);
  await two.send(new v2.DeleteEmailIdentityCommand({ EmailIdentity: "other.example" }));
  assertEquals((await refusalOf(two.send(new v2.SendEmailCommand(other))))[0], "MessageRejected");
});

Deno.test("both versions report refusals as their own errors, and nothing is captured", async () => {
  await using running = await start({ access_key: "AKIAANY" });
  const { service, one, two, settings } = running;
  const refused = (change: Partial<v2.SendEmailCommandInput>) =>
    refusalOf(two.send(new v2.SendEmailCommand({ ...MAIL, ...change })));
  assertEquals(await refused({ FromEmailAddress: "nobody" }), [
    "BadRequestException",
    400,
    "Missing final '@domain'",
  ]);
  assertEquals((await refused({ Destination: {} }))[0], "MessageRejected");
  assertEquals((await refused({ Content: {} }))[0], "BadRequestException");
  const many = { ToAddresses: Array(51).fill("b@example.com") };
  assertEquals((await refused({ Destination: many }))[2], "Recipient count exceeds 50.");
  const simple = new v1.SendEmailCommand({
    Source: "nobody",
    Destination: { ToAddresses: ["b@example.com"] },
    Message: { Subject: { Data: "x" }, Body: { Text: { Data: "x" } } },
  });
  assertEquals(await refusalOf(one.send(simple)), [
    "InvalidParameterValue",
    400,
    "Missing final '@domain'",
  ]);
  const wrong = new v2.SESv2Client(settings("AKIAWRONG"));
  assertEquals(await refusalOf(wrong.send(new v2.SendEmailCommand(MAIL))), [
    "UnrecognizedClientException",
    403,
    "The security token included in the request is invalid.",
  ]);
  wrong.destroy();
  assertEquals(
    await refusalOf(
      one.send(new v1.GetSendStatisticsCommand({}))
        .then(() => one.send(new v1.ListReceiptRuleSetsCommand({}))),
    ),
    [
      "InvalidAction",
      400,
      "Could not find operation ListReceiptRuleSets for version 2010-12-01",
    ],
  );
  {
    using _ = await service.fault({ on: "mail/mail6", outcome: "rate_limit" });
    assertEquals(await refused({}), [
      "TooManyRequestsException",
      429,
      "Maximum sending rate exceeded.",
    ]);
    const good = new v1.SendEmailCommand({ ...simple.input, Source: "a@example.com" });
    assertEquals((await refusalOf(one.send(good))).slice(0, 2), ["Throttling", 400]);
  }
  assertEquals(captured(service), []);
});

Deno.test("nodemailer sends through its SES transport", async () => {
  await using running = await start();
  const { service, two } = running;
  const transport = createTransport({
    SES: { sesClient: two, SendEmailCommand: v2.SendEmailCommand },
  } as never);
  const info = await transport.sendMail({
    from: "Acme <a@example.com>",
    to: "b@example.com",
    bcc: "blind@example.com",
    subject: "Grüße",
    text: "Hello",
    attachments: [{ filename: "a.txt", content: "hello" }],
  });
  const [event] = captured(service);
  assert(info.messageId.includes(String(event!.meta.message_id)));
  assertEquals([event!.payload.subject, event!.payload.bcc, event!.payload.attachments?.length], [
    "Grüße",
    [{ email: "blind@example.com" }],
    1,
  ]);
});

Deno.test("both versions refuse tags and domains that the vendor refuses", async () => {
  await using running = await start();
  const { service, one, two } = running;
  const send = (change: Partial<v2.SendEmailCommandInput>) =>
    refusalOf(two.send(new v2.SendEmailCommand({ ...MAIL, ...change })));
  const tag = (Name: string, Value: string) => send({ EmailTags: [{ Name, Value }] });
  assertEquals(await tag("event", "order:shipped"), [
    "BadRequestException",
    400,
    "Invalid tag value <order:shipped>: only alphanumeric ASCII characters, '_',  '-' , '.', '@' are allowed.",
  ]);
  assertEquals(
    (await tag("order id", "1"))[2],
    "Invalid tag name <order id>: only alphanumeric ASCII characters, '_',  '-' are allowed.",
  );
  assertEquals((await tag("kind", ""))[2], "The tag value must be specified.");
  assertEquals((await tag("kind", "a".repeat(256)))[2], "Tag value cannot exceed 255 characters.");
  const old = (change: Partial<v1.SendEmailCommandInput>) =>
    one.send(
      new v1.SendEmailCommand({
        Source: "a@example.com",
        Destination: { ToAddresses: ["b@example.com"] },
        Message: { Subject: { Data: "x" }, Body: { Text: { Data: "x" } } },
        ...change,
      }),
    );
  assertEquals(await refusalOf(old({ Tags: [{ Name: "to", Value: "Ada <ada>" }] })), [
    "InvalidParameterValue",
    400,
    "Invalid tag value <Ada <ada>>: only alphanumeric ASCII characters, '_',  '-' , '.', '@' are allowed.",
  ]);
  const foreign = { ToAddresses: ["b@exämple.com"] };
  const illegal = [400, "Domain contains illegal character"];
  assertEquals((await send({ Destination: foreign })).slice(1), illegal);
  assertEquals((await refusalOf(old({ Destination: foreign }))).slice(1), illegal);
  assertEquals(captured(service), []);
  await two.send(
    new v2.SendEmailCommand({
      ...MAIL,
      Destination: { ToAddresses: ["b@xn--exmple-cua.com"] },
      EmailTags: [{ Name: "ses:feedback-id-a", Value: "ada.b@example.com" }],
    }),
  );
  assertEquals(captured(service)[0]!.meta.email_tags, { "ses:feedback-id-a": "ada.b@example.com" });
});

Deno.test("a header of a bulk entry replaces the one of the template", async () => {
  await using running = await start();
  const { service, two } = running;
  const leave = (id: string) => ({ Name: "list-unsubscribe", Value: `<https://x.example/${id}>` });
  await two.send(
    new v2.SendBulkEmailCommand({
      FromEmailAddress: "a@example.com",
      DefaultContent: {
        Template: {
          TemplateName: "news",
          TemplateData: "{}",
          Headers: [
            { Name: "List-Unsubscribe", Value: "<https://x.example/all>" },
            { Name: "List-Unsubscribe-Post", Value: "List-Unsubscribe=One-Click" },
          ],
        },
      },
      BulkEmailEntries: [
        { Destination: { ToAddresses: ["b@example.com"] }, ReplacementHeaders: [leave("1")] },
        { Destination: { ToAddresses: ["c@example.com"] } },
      ],
    }),
  );
  const common = { "List-Unsubscribe-Post": ["List-Unsubscribe=One-Click"] };
  assertEquals(captured(service).map(({ payload }) => payload.headers), [
    { ...common, "list-unsubscribe": ["<https://x.example/1>"] },
    { ...common, "List-Unsubscribe": ["<https://x.example/all>"] },
  ]);
});
