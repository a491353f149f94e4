import { assertEquals, assertRejects } from "@std/assert";
import { Client } from "npm:@sendgrid/client@8.1.6";
import { MailService } from "npm:@sendgrid/mail@8.1.6";
import type { CapturedEvent } from "../../core/events/event.ts";
import { mail } from "../../plugins/mail/mod.ts";
import type { MailMessage } from "../../plugins/mail/model.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

const PLAIN = { to: "a@example.com", from: "s@example.com", subject: "Hi", text: "text" };

function start(config: Readonly<Record<string, unknown>> = {}): Promise<TestService> {
  return startService({
    plugins: [mail],
    config: { plugins: { mail: { providers: { mail2: config } } } },
  });
}

function connect(service: TestService, key = "SG.key"): MailService {
  const client = new Client();
  const sendgrid = new MailService();
  sendgrid.setClient(client);
  sendgrid.setApiKey(key);
  client.setDefaultRequest("baseUrl", service.ingress.url);
  return sendgrid;
}

/** Returns the SDK's error for a refusal. */
interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly response: { readonly body: { readonly errors: readonly Record<string, unknown>[] } };
}

async function refusalOf(promise: Promise<unknown>): Promise<Refusal> {
  return await assertRejects(() => promise) as unknown as Refusal;
}

/** Oldest first. */
function eventsOf(service: TestService): CapturedEvent<MailMessage>[] {
  return service.events.list({ provider: "mail2" }).reverse() as CapturedEvent<MailMessage>[];
}

Deno.test("@sendgrid/mail sends a message with every common option", async () => {
  await using service = await start();
  const [response] = await connect(service).send({
    to: { email: "a@example.com", name: "A" },
    cc: "c@example.com",
    bcc: "b@example.com",
    from: { email: "s@example.com", name: "S" },
    replyTo: "r@example.com",
    subject: "Hi",
    text: "plain",
    html: '<img src="cid:logo">',
    categories: ["cat1", "cat2"],
    customArgs: { k: "v" },
    headers: { "X-A": "1" },
    attachments: [{
      content: "aGk=",
      filename: "logo.png",
      type: "image/png",
      disposition: "inline",
      contentId: "logo",
    }],
  });
  assertEquals([response.statusCode, response.body as unknown], [202, ""]);
  const [event] = eventsOf(service);
  assertEquals(response.headers["x-message-id"], event!.id);
  const { payload, meta } = event!;
  assertEquals([payload.from, payload.to], [
    { email: "s@example.com", name: "S" },
    [{ email: "a@example.com", name: "A" }],
  ]);
  assertEquals([payload.cc?.[0]?.email, payload.bcc?.[0]?.email, payload.reply_to?.[0]?.email], [
    "c@example.com",
    "b@example.com",
    "r@example.com",
  ]);
  assertEquals([payload.text, payload.html], ["plain", '<img src="cid:logo">']);
  assertEquals(payload.headers?.["X-A"], ["1"]);
  assertEquals(
    payload.attachments?.map(({ filename, inline, content_id, size }) => [
      filename,
      inline,
      content_id,
      size,
    ]),
    [["logo.png", true, "logo", 2]],
  );
  assertEquals([meta.categories, meta.custom_args, meta.authorization], [
    ["cat1", "cat2"],
    { k: "v" },
    "Bearer SG.key",
  ]);
});

Deno.test("@sendgrid/mail sends one message to each of several recipients", async () => {
  await using service = await start();
  await connect(service).sendMultiple({ ...PLAIN, to: ["a@example.com", "b@example.com"] });
  assertEquals(eventsOf(service).map(({ payload }) => payload.to?.map(({ email }) => email)), [
    ["a@example.com"],
    ["b@example.com"],
  ]);
});

Deno.test("@sendgrid/mail accepts the answer to hundreds of personalizations", async () => {
  await using service = await start();
  const [response] = await connect(service).send({
    ...PLAIN,
    personalizations: Array.from({ length: 400 }, (_, index) => ({ to: `a${index}@example.com` })),
  });
  assertEquals(response.statusCode, 202);
  assertEquals(eventsOf(service).length, 400);
});

Deno.test("@sendgrid/mail checks a message in sandbox mode", async () => {
  await using service = await start();
  const [response] = await connect(service).send({
    ...PLAIN,
    mailSettings: { sandboxMode: { enable: true } },
  });
  assertEquals(response.statusCode, 200);
  assertEquals(eventsOf(service)[0]?.meta.sandbox, true);
});

Deno.test("@sendgrid/mail reports a refused key in the vendor's words", async () => {
  await using service = await start({ api_key: "SG.right" });
  const error = await refusalOf(connect(service, "SG.wrong").send(PLAIN));
  assertEquals([error.code, error.message], [401, "Unauthorized"]);
  assertEquals(error.response.body.errors, [{
    message: "The provided authorization grant is invalid, expired, or revoked",
    field: null,
    help: null,
  }]);
  assertEquals((await connect(service, "SG.right").send(PLAIN))[0].statusCode, 202);
  assertEquals(service.events.count(), 1);
});

Deno.test("@sendgrid/mail reports every violation of a message", async () => {
  await using service = await start();
  const error = await refusalOf(
    connect(service).send({ to: "nobody", from: "s@example.com", subject: "", text: "x" }),
  );
  assertEquals([error.code, error.message], [400, "Bad Request"]);
  assertEquals(error.response.body.errors.map(({ field }) => field), [
    "personalizations.0.to.0.email",
    "subject",
  ]);
  assertEquals(service.events.count(), 0);
});

const PYTHON = `
import json, sys
from python_http_client.exceptions import HTTPError
from sendgrid import SendGridAPIClient
from sendgrid.helpers.mail import Attachment, Category, Mail

url, key, category = sys.argv[1:4]
message = Mail(from_email=("s@example.com", "S"), to_emails="a@example.com", subject="Hi",
               plain_text_content="plain", html_content="<b>html</b>")
message.category = Category(category)
message.attachment = Attachment("aGVsbG8=", "a.txt", "text/plain", "attachment")
try:
    answer = SendGridAPIClient(key, host=url).send(message)
    print(json.dumps({"status": answer.status_code, "id": answer.headers["X-Message-Id"]}))
except HTTPError as error:
    print(json.dumps({"status": error.status_code, "reason": error.reason, "body": error.to_dict}))
`;

Deno.test("the Python SDK sends, and sees a refused key and a refused message", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await start({ api_key: "SG.right" });
  const run = async (key: string, category: string) => {
    const { stdout } = await runOk(python, ["-c", PYTHON, service.ingress.url, key, category]);
    return JSON.parse(stdout);
  };
  const sent = await run("SG.right", "python");
  const [event] = eventsOf(service);
  assertEquals(sent, { status: 202, id: event!.id });
  assertEquals(event!.payload.attachments?.[0]?.filename, "a.txt");
  assertEquals([event!.payload.html, event!.meta.categories], ["<b>html</b>", ["python"]]);
  const refused = await run("SG.wrong", "python");
  assertEquals([refused.status, refused.reason], [401, "Unauthorized"]);
  const faulty = await run("SG.right", "x".repeat(256));
  assertEquals([faulty.status, faulty.body.errors[0].field], [400, "categories"]);
  assertEquals(service.events.count(), 1);
});

Deno.test("@sendgrid/mail sends a calendar invitation, and no other parameter of a type", async () => {
  await using service = await start();
  const sendgrid = connect(service);
  const ics = "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n";
  const invite = (type: string) =>
    sendgrid.send({
      ...PLAIN,
      attachments: [{ content: btoa(ics), filename: "invite.ics", type }],
    });
  const taken = [
    "text/calendar; method=REQUEST",
    "text/calendar;method=REQUEST",
    "text/calendar; method=REQUEST;",
  ];
  for (const type of taken) {
    const [response] = await invite(type);
    assertEquals(response.statusCode, 202);
    assertEquals(eventsOf(service).at(-1)!.payload.attachments![0]!.content_type, type);
  }
  for (
    const type of [
      'text/calendar; charset="UTF-8"; method=REQUEST',
      "text/calendar; method=REQUEST; charset=utf-8",
      "text/calendar; method=REQUEST\n",
      "text/plain; method=REQUEST",
    ]
  ) {
    const { code, response } = await refusalOf(invite(type));
    assertEquals([code, response.body.errors[0]?.message], [
      400,
      "The attachment type cannot contain ';', or CRLF characters.",
    ], type);
  }
  const content = [{ type: "text/plain", value: "Come" }, { type: taken[0]!, value: ics }] as const;
  const { text: _, ...message } = PLAIN;
  await sendgrid.send({ ...message, content: [content[0], content[1]] });
  const { payload } = eventsOf(service).at(-1)!;
  assertEquals([payload.text, payload.attachments?.[0]?.content_type], ["Come", taken[0]]);
  assertEquals(service.events.count(), 4);
});

Deno.test("@sendgrid/client creates, cancels, resumes and lists batches of scheduled messages", async () => {
  await using service = await start();
  const client = new Client();
  client.setApiKey("SG.key");
  client.setDefaultRequest("baseUrl", service.ingress.url);
  const call = async (method: "GET" | "POST" | "PATCH" | "DELETE", url: string, body?: object) => {
    const request = { method, url, ...(body && { body }) };
    try {
      const [response, answer] = await client.request(request);
      return [response.statusCode, method === "DELETE" || method === "PATCH" ? "" : answer];
    } catch (error) {
      const { code, response } = error as Refusal;
      return [code, ...response.body.errors.map(({ field, message }) => [field, message])];
    }
  };
  const [created, batch] = await call("POST", "/v3/mail/batch");
  const id = (batch as { batch_id: string }).batch_id;
  assertEquals([created, /^[a-zA-Z0-9]{32}$/.test(id)], [201, true]);
  assertEquals(await call("GET", `/v3/mail/batch/${id}`), [200, { batch_id: id }]);
  assertEquals(await call("GET", "/v3/mail/batch/x"), [400, [null, "invalid batch id"]]);
  const sendAt = Math.floor(Date.now() / 1000) + 3600;
  await connect(service).send({ ...PLAIN, sendAt, batchId: id });
  assertEquals(eventsOf(service)[0]?.meta.batch_id, id);
  const [all, one] = ["/v3/user/scheduled_sends", `/v3/user/scheduled_sends/${id}`];
  assertEquals(await call("GET", all), [200, []]);
  assertEquals(await call("PATCH", one, { status: "pause" }), [404, [null, "batch id not found"]]);
  const cancelled = { batch_id: id, status: "cancel" };
  assertEquals(await call("POST", all, cancelled), [201, cancelled]);
  assertEquals(await call("POST", all, cancelled), [400, [
    null,
    "a status for this batch id exists, try PATCH to update the status",
  ]]);
  assertEquals(await call("POST", all, { batch_id: "x", status: "pause" }), [400, [
    "batch_id",
    "invalid batch id",
  ]]);
  assertEquals(await call("PATCH", one, { status: "pause" }), [204, ""]);
  assertEquals(await call("GET", one), [200, [{ batch_id: id, status: "pause" }]]);
  assertEquals(await call("DELETE", one), [204, ""]);
  assertEquals(await call("GET", all), [200, []]);
  assertEquals(await call("PATCH", one, { status: "stop" }), [400, [
    "status",
    "status must be either cancel or pause",
  ]]);
  assertEquals(eventsOf(service).length, 1);
});
