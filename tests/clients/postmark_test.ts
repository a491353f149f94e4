import { assert, assertEquals, assertRejects } from "@std/assert";
import { Errors, Models, ServerClient } from "npm:postmark@5.1.0";
import type { CapturedEvent } from "../../core/events/event.ts";
import { encodeMessageId } from "../../plugins/mail/mail4/ids.ts";
import { mail } from "../../plugins/mail/mod.ts";
import type { MailMessage } from "../../plugins/mail/model.ts";
import { startService, type TestService } from "../support/service.ts";

const EMAIL = { From: "a@example.com", To: "b@example.com", Subject: "Hi", TextBody: "Hello" };

async function start(config: Record<string, unknown> = {}) {
  const service = await startService({
    plugins: [mail],
    config: { plugins: { mail: { providers: { mail4: config } } } },
  });
  const { hostname, port } = service.ingress;
  const client = (token = "token-1") =>
    new ServerClient(token, { requestHost: `${hostname}:${port}`, useHttps: false });
  return { service, client, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** Returns the captures, oldest first. */
function captured(service: TestService): CapturedEvent<MailMessage>[] {
  return (service.events.list({ provider: "mail4" }) as CapturedEvent<MailMessage>[]).reverse();
}

Deno.test("postmark sends a full email, and the event holds all of it", async () => {
  await using running = await start();
  const { service } = running;
  const client = running.client();
  const sent = await client.sendEmail({
    From: '"Acme, Inc" <hello@example.com>',
    To: '"Ada, Countess" <ada@example.org>, b@example.com',
    Cc: "c@example.com",
    Bcc: "d@example.com",
    ReplyTo: "r@example.com",
    Subject: "Grüße",
    HtmlBody: "<b>Hello</b>",
    TextBody: "Hello",
    Tag: "welcome",
    TrackOpens: true,
    TrackLinks: Models.LinkTrackingOptions.HtmlOnly,
    Metadata: { order: "7" },
    MessageStream: "outbound",
    Headers: [{ Name: "X-Order", Value: "7" }],
    Attachments: [
      new Models.Attachment("a.txt", "aGVsbG8=", "text/plain"),
      new Models.Attachment("l.png", "AP8K", "image/png", "cid:logo"),
    ],
  });
  const [event] = captured(service);
  const { attachments, ...message } = event!.payload;
  assertEquals(message, {
    from: { email: "hello@example.com", name: "Acme, Inc" },
    to: [{ email: "ada@example.org", name: "Ada, Countess" }, { email: "b@example.com" }],
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
    tag: "welcome",
    metadata: { order: "7" },
    message_stream: "outbound",
    track_opens: true,
    track_links: "HtmlOnly",
    server_token: "token-1",
  });
  assertEquals([sent.ErrorCode, sent.Message, sent.MessageID], [
    0,
    "OK",
    encodeMessageId(event!.id),
  ]);
  const { TotalCount, Messages } = await client.getOutboundMessages({ tag: "welcome" });
  assertEquals([Number(TotalCount), Messages[0]!.MessageID], [1, sent.MessageID]);
  assertEquals((await client.getOutboundMessages({ fromEmail: "x@example.com" })).Messages, []);
  assertEquals((await client.getOutboundMessages({ metadata_order: "7" })).Messages.length, 1);
  const details = await client.getOutboundMessageDetails(sent.MessageID);
  assertEquals([details.HtmlBody, details.TextBody, details.Attachments], [
    "<b>Hello</b>",
    "Hello",
    ["a.txt", "l.png"],
  ]);
  assertEquals(details.MessageEvents.map(({ Type }) => Type), Array(4).fill("Delivered"));
  const dump = await client.getOutboundMessageDump(sent.MessageID);
  assert(dump.Body.includes("X-Order: 7"));
});

Deno.test("postmark reports every refusal as its own kind of error, and nothing is captured", async () => {
  await using running = await start({ streams: ["news"] });
  const { service } = running;
  const client = running.client();
  const refused = async (change: Partial<Models.Message>): Promise<[string, number, string]> => {
    const error = await assertRejects(() =>
      client.sendEmail({ ...EMAIL, ...change })
    ) as InstanceType<
      typeof Errors.HttpError
    >;
    assertEquals(error.statusCode, 422);
    return [error.name, error.code, error.message];
  };
  assertEquals(await refused({ To: "nobody" }), [
    "InvalidEmailRequestError",
    300,
    "Error parsing 'To': Illegal email address 'nobody'. It must contain the '@' symbol.",
  ]);
  assertEquals(
    (await refused({ Cc: "x@localhost" }))[2],
    "Error parsing 'Cc': Illegal email domain 'localhost' in address 'x@localhost'.",
  );
  assertEquals((await refused({ To: "" }))[2], "Zero recipients specified");
  assertEquals((await refused({ From: "" }))[2], "Invalid 'From' value.");
  assertEquals(
    (await refused({ TextBody: "" }))[2],
    "Provide either email TextBody or HtmlBody or both.",
  );
  assertEquals((await refused({ To: Array(51).fill("a@example.com").join() }))[1], 300);
  assertEquals((await refused({ Metadata: { ["x".repeat(21)]: "1" } }))[1], 300);
  assertEquals((await refused({ MessageStream: "unknown" })).slice(1), [
    1235,
    "The stream provided: 'unknown' does not exist on this server.",
  ]);
  assertEquals((await refused({ MessageStream: "inbound" }))[1], 1236);
  const attachment = new Models.Attachment("a.exe", "AA==", "application/x");
  assertEquals((await refused({ Attachments: [attachment] }))[1], 411);
  assertEquals(captured(service), []);
  await client.sendEmail({ ...EMAIL, MessageStream: "news" });
  const missing = await assertRejects(() => client.getOutboundMessageDetails("x"));
  assertEquals((missing as InstanceType<typeof Errors.HttpError>).code, 701);
});

Deno.test("postmark sends a batch whose messages are accepted or refused one by one", async () => {
  await using running = await start();
  const { service } = running;
  const client = running.client();
  const answers = await client.sendEmailBatch([EMAIL, { ...EMAIL, To: "nobody" }, EMAIL]);
  assertEquals(answers.map(({ ErrorCode }) => ErrorCode), [0, 300, 0]);
  assertEquals(captured(service).map(({ meta }) => meta.batch_index), [0, 2]);
  const [noted] = service.rejected.list({ provider: "mail4" });
  assertEquals(noted!.status, 200);
  const tooMany = await assertRejects(() => client.sendEmailBatch(Array(501).fill(EMAIL)));
  assertEquals((tooMany as InstanceType<typeof Errors.HttpError>).code, 410);
});

Deno.test("postmark sends one message in bulk, with the values of each recipient", async () => {
  await using running = await start();
  const { service } = running;
  const client = running.client();
  const bulk = {
    From: "Acme <hello@example.com>",
    Subject: "Hi {{name}}",
    HtmlBody: "<b>{{name}}</b>",
    TextBody: "Hello {{name}} {{missing}}",
    Tag: "news",
    Metadata: { a: "1", b: "2" },
    Headers: [{ Name: "X-A", Value: "1" }, { Name: "X-B", Value: "2" }],
    Attachments: [new Models.Attachment("a.txt", btoa("hello"), "text/plain")],
    Messages: [
      { To: "ada@example.org", TemplateModel: { name: "<Ada>" } },
      {
        To: "Bob <bob@example.com>",
        Cc: "c@example.com",
        TemplateModel: { name: "Bob" },
        Metadata: { b: "3" },
        Headers: [{ Name: "x-b", Value: "3" }],
      },
    ],
  };
  const sent = await client.sendBulkEmail(bulk);
  assertEquals([sent.Status, sent.Id], ["Accepted", (sent as { ID?: string }).ID!]);
  const [first, second] = captured(service);
  assertEquals(captured(service).length, 2);
  assertEquals(
    [first!.payload.to, first!.payload.subject, first!.payload.html, first!.payload.text],
    [[{ email: "ada@example.org" }], "Hi <Ada>", "<b>&lt;Ada&gt;</b>", "Hello <Ada> "],
  );
  assertEquals([second!.payload.cc, second!.payload.headers, second!.payload.attachments?.length], [
    [{ email: "c@example.com" }],
    { "X-A": ["1"], "x-b": ["3"] },
    1,
  ]);
  assertEquals(second!.meta, {
    tag: "news",
    metadata: { a: "1", b: "3" },
    message_stream: "broadcast",
    template_model: { name: "Bob" },
    template_missing: ["missing"],
    bulk_id: sent.Id,
    batch_index: 1,
    server_token: "token-1",
  });
  const state = await client.getBulkEmailStatus(sent.Id);
  assertEquals(state, {
    Id: sent.Id,
    SubmittedAt: sent.SubmittedAt,
    TotalMessages: 2,
    PercentageCompleted: 100,
    Status: Models.BulkEmailStatus.Completed,
    Subject: "Hi {{name}}",
  });
  const unknown = await assertRejects(() =>
    client.getBulkEmailStatus("none")
  ) as Errors.ApiInputError;
  assertEquals(unknown.code, 701);
});

Deno.test("postmark sends a stored template in bulk; one bad address refuses all of it", async () => {
  await using running = await start();
  const { service } = running;
  const client = running.client();
  const stored = { Name: "Hi", Alias: "hi", Subject: "Hi {{name}}", TextBody: "{{name}}" };
  await client.createTemplate(stored);
  const message = (To: string) => ({ To, TemplateModel: { name: To.split("@")[0] } });
  const bulk = { From: "a@example.com", TemplateAlias: "hi" };
  await client.sendBulkEmail({ ...bulk, Messages: ["ada@e.org", "bob@e.org"].map(message) });
  assertEquals(captured(service).map(({ payload }) => payload.subject), ["Hi ada", "Hi bob"]);
  const refused = await fetch(`${service.ingress.url}/email/bulk`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-postmark-server-token": "x" },
    body: JSON.stringify({
      From: "a@example.com",
      TextBody: "x",
      Messages: [{ To: "ada@e.org" }, { To: "bob" }, {}],
    }),
  });
  assertEquals([refused.status, await refused.json()], [422, {
    ErrorCode: 11,
    Message: "Multiple errors occurred. Inspect the Errors property.",
    Errors: {
      To: [
        {
          ErrorCode: 300,
          Message:
            "Error parsing 'To': Illegal email address 'bob'. It must contain the '@' symbol.",
        },
        { ErrorCode: 300, Message: "Zero recipients specified" },
      ],
    },
  }]);
  assertEquals(captured(service).length, 2);
  using _ = await service.fault({
    on: "mail/mail4",
    outcome: "inactive_recipient",
    match: { subject: "Hi ada" },
  });
  const faulty = await assertRejects(() =>
    client.sendBulkEmail({ ...bulk, Messages: ["ada@e.org", "bob@e.org"].map(message) })
  ) as Errors.InactiveRecipientsError;
  assertEquals([faulty.code, captured(service).length], [406, 2]);
});

Deno.test("postmark stores templates and layouts, and messages that use them are rendered", async () => {
  await using running = await start({ templates: "known" });
  const { service } = running;
  const client = running.client();
  await client.createTemplate({
    Name: "Frame",
    Alias: "frame",
    TemplateType: Models.TemplateTypes.Layout,
    HtmlBody: "<main>{{{ @content }}}</main>",
    TextBody: "-- {{{ @content }}} --",
  });
  const created = await client.createTemplate({
    Name: "Welcome",
    Alias: "welcome",
    LayoutTemplate: "frame",
    Subject: "Hello {{name}}",
    HtmlBody:
      "<p>{{name}}{{#each items}}, {{title}} for {{../name}}{{/each}}</p>{{^paid}}open{{/paid}}",
    TextBody: "Dear {{name}}",
  });
  const model = { name: "Ada & Bob", items: [{ title: "<1>" }, { title: "2" }] };
  await client.sendEmailWithTemplate({ ...TO, TemplateAlias: "welcome", TemplateModel: model });
  const batch = await client.sendEmailBatchWithTemplates([
    { ...TO, TemplateId: created.TemplateId, TemplateModel: { paid: true, unread: 1 } },
    { ...TO, TemplateAlias: "unknown", TemplateModel: {} },
  ]);
  assertEquals(batch.map(({ ErrorCode }) => ErrorCode), [0, 1101]);
  const [first, second] = captured(service);
  assertEquals([first!.payload.subject, first!.payload.text], [
    "Hello Ada & Bob",
    "-- Dear Ada & Bob --",
  ]);
  assertEquals(
    first!.payload.html,
    "<main><p>Ada &amp; Bob, &lt;1&gt; for Ada &amp; Bob, 2 for Ada &amp; Bob</p>open</main>",
  );
  assertEquals(first!.meta.template, { alias: "welcome", model });
  assertEquals(
    [second!.payload.html, second!.meta.template_missing, second!.meta.template_unused],
    [
      "<main><p></p></main>",
      ["name"],
      ["unread"],
    ],
  );
  const list = await client.getTemplates();
  assertEquals(list.Templates.map(({ Alias }) => Alias), ["frame", "welcome"]);
  await client.editTemplate("welcome", { Subject: "Bye" });
  const fetched = await client.getTemplate("welcome");
  assertEquals([fetched.Subject, fetched.TextBody, fetched.LayoutTemplate], [
    "Bye",
    "Dear {{name}}",
    "frame",
  ]);
  assertEquals(await codeOf(client.deleteTemplate("frame")), 1130);
  await client.deleteTemplate("welcome");
  assertEquals(await codeOf(client.getTemplate("welcome")), 1101);
  assertEquals((await running.client("token-2").getTemplates()).TotalCount, 0);
  await service.reset();
  assertEquals((await client.getTemplates()).TotalCount, 0);
});

const TO = { From: "a@example.com", To: "b@example.com" };

async function codeOf(work: Promise<unknown>): Promise<number> {
  return (await assertRejects(() => work) as InstanceType<typeof Errors.HttpError>).code;
}

Deno.test("postmark validates templates, and reads where they are wrong", async () => {
  await using running = await start();
  const client = running.client();
  const good = await client.validateTemplate({
    Subject: "Hi {{name}}",
    HtmlBody: "{{#each items}}{{title}}{{/each}}",
    TestRenderModel: { name: "Ada" },
  });
  assert(good.AllContentIsValid);
  assertEquals([good.Subject.RenderedContent, good.HtmlBody.RenderedContent], [
    "Hi Ada",
    "title_Value",
  ]);
  assertEquals(good.SuggestedTemplateModel, { name: "Ada", items: [{ title: "title_Value" }] });
  const bad = await client.validateTemplate({ TextBody: "a\n {{#each items}}" });
  assertEquals([bad.AllContentIsValid, bad.TextBody.ValidationErrors], [false, [
    { Message: 'The block "each" is not closed', Line: 2, CharacterPosition: 2 },
  ]]);
  const loops = await client.validateTemplate({
    TextBody: "{{#each a}}{{#each ../a}}x{{/each}}{{/each}}",
    TestRenderModel: { a: Array(1000).fill(0) },
  });
  assertEquals([loops.AllContentIsValid, loops.TextBody.ContentIsValid], [false, false]);
  const deep = "{{#with a}}".repeat(100) + `{{${"a.".repeat(49)}a}}` + "{{/with}}".repeat(100);
  assert((await client.validateTemplate({ TextBody: deep })).AllContentIsValid);
});

Deno.test("postmark sends unknown templates, unless templates must be known", async () => {
  await using running = await start();
  const { service } = running;
  await running.client().sendEmailWithTemplate({ ...TO, TemplateId: 7, TemplateModel: { a: 1 } });
  const [event] = captured(service);
  assertEquals([event!.payload.text, event!.meta.template], [
    undefined,
    { id: 7, model: { a: 1 } },
  ]);
});

Deno.test("postmark needs the pinned token; the test token is marked", async () => {
  await using running = await start({ server_token: "right" });
  const error = await assertRejects(() => running.client("wrong").getServer());
  assert(error instanceof Errors.InvalidAPIKeyError);
  assertEquals(error.code, 10);
  assertEquals((await running.client("right").getServer()).ApiTokens, ["right"]);
  assertEquals((await running.client("right").getMessageStreams()).TotalCount, 2);
  assertEquals((await running.client("right").getDeliveryStatistics()).InactiveMails, 0);
  await using open = await start();
  const sent = await open.client("POSTMARK_API_TEST").sendEmail(EMAIL);
  assertEquals(sent.Message, "Test job accepted");
  assertEquals(captured(open.service)[0]!.meta.test, true);
});

Deno.test("postmark reads inactive recipients and rate limits from faults", async () => {
  await using running = await start();
  const { service } = running;
  const client = running.client();
  using _inactive = await service.fault({
    on: "mail/mail4",
    outcome: "inactive_recipient",
    times: 2,
  });
  const error = await assertRejects(() => client.sendEmail({ ...EMAIL, Cc: "c@example.com" }));
  assert(error instanceof Errors.InactiveRecipientsError);
  assertEquals(error.recipients, ["b@example.com", "c@example.com"]);
  const [entry] = await client.sendEmailBatch([EMAIL]);
  assertEquals(entry!.ErrorCode, 406);
  using _limit = await service.fault({ on: "mail/mail4", outcome: "rate_limit", times: 1 });
  const limited = await assertRejects(() => client.sendEmail(EMAIL));
  assert(limited instanceof Errors.RateLimitExceededError);
  assertEquals(captured(service), []);
});
