/** The Send API v3 of Mailjet, which its clients call by default. */
import { assertEquals, assertRejects } from "@std/assert";
import sdk from "npm:node-mailjet@6.0.11";
import { mail } from "../../plugins/mail/mod.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { capturedBy } from "../support/mail_clients.ts";
import { startService, type TestService } from "../support/service.ts";

// By default, the SDK always uses TLS.
Object.assign(sdk.Request, { protocol: "http://" });

const PLAIN = {
  FromEmail: "pilot@example.com",
  FromName: "Pilot",
  Subject: "Grüße & €",
  "Text-part": "Dear {{var:name}}",
};

/** Results that the SDK types as `any`. */
type Body = Awaited<ReturnType<typeof JSON.parse>>;

function start(): Promise<TestService> {
  const keys = { api_key: "key", secret_key: "secret" };
  return startService({
    plugins: [mail],
    config: { plugins: { mail: { providers: { mail1: keys } } } },
  });
}

function sender({ ingress }: TestService, apiSecret = "secret") {
  const mailjet = new sdk.Client({
    apiKey: "key",
    apiSecret,
    config: { host: `${ingress.hostname}:${ingress.port}` },
  });
  return async (body: Body): Promise<Body> =>
    (await mailjet.post("send", { version: "v3" }).request(body)).body;
}

Deno.test("node-mailjet sends over v3: the answer lists each recipient, and each has a message", async () => {
  await using service = await start();
  const send = sender(service);
  const { Sent } = await send({
    ...PLAIN,
    "Mj-TemplateLanguage": true,
    "Mj-CustomID": "order-7",
    Vars: { name: "customer" },
    Recipients: [
      { Email: "a@example.com", Name: "Ann", Vars: { name: "Ann" } },
      { Email: "b@example.com" },
    ],
    Attachments: [{ "Content-type": "text/plain", Filename: "a.txt", content: "aGVsbG8=" }],
  });
  const events = capturedBy(service, "mail1");
  // The SDK represents large numbers as text.
  assertEquals(
    Sent.map(({ MessageID, ...rest }: Body) => ({ ...rest, MessageID: Number(MessageID) })),
    events.map(({ payload, meta }) => ({
      Email: payload.to![0]!.email,
      MessageID: (meta.message_ids as number[])[0],
      MessageUUID: (meta.message_uuids as string[])[0],
    })),
  );
  assertEquals(events.map(({ payload }) => payload.to), [
    [{ email: "a@example.com", name: "Ann" }],
    [{ email: "b@example.com" }],
  ]);
  // Template language is tested elsewhere; each message has its own variables.
  assertEquals(events.map(({ meta }) => meta.variables), [{ name: "Ann" }, { name: "customer" }]);
  const [first] = events;
  assertEquals([first!.payload.subject, first!.meta.custom_id], ["Grüße & €", "order-7"]);
  assertEquals(first!.payload.attachments?.map(({ filename, size }) => [filename, size]), [
    ["a.txt", 5],
  ]);

  // Stored once for all recipients.
  const blobs = events.map(({ payload }) => payload.attachments?.[0]?.blob.id);
  assertEquals(new Set(blobs).size, 1);

  const { Sent: shared } = await send({ ...PLAIN, To: "c@example.com, D <d@example.com>" });
  assertEquals(shared.map(({ Email }: Body) => Email), ["c@example.com", "d@example.com"]);
  assertEquals(capturedBy(service, "mail1").at(-1)!.payload.to, [
    { email: "c@example.com" },
    { email: "d@example.com", name: "D" },
  ]);
});

Deno.test("node-mailjet sends a template over v3 by its name, and it replaces the content", async () => {
  await using service = await start();
  const send = sender(service);
  const { hostname, port } = service.ingress;
  const config = { host: `${hostname}:${port}` };
  const mailjet = new sdk.Client({ apiKey: "key", apiSecret: "secret", config });
  const { body } = await mailjet.post("template", { version: "v3" })
    .request({ Name: "Welcome" }) as Body;
  await mailjet.post("template", { version: "v3" }).id(body.Data[0].ID).action("detailcontent")
    .request({ "Html-part": "<b>Hi {{var:name}}</b>", Headers: { Subject: "Stored" } });
  await send({
    FromEmail: "Pilot <pilot@example.com>",
    "Html-part": "<i>not sent</i>",
    "Text-part": "kept",
    "Mj-TemplateID": "Welcome",
    "Mj-TemplateLanguage": true,
    Vars: { name: "Ann" },
    Recipients: [{ Email: "a@example.com" }],
  });
  const [event] = capturedBy(service, "mail1");
  const { from, subject, html, text } = event!.payload;
  assertEquals([from, subject, html, text, event!.meta.template_id], [
    { email: "pilot@example.com", name: "Pilot" },
    "Stored",
    "<b>Hi Ann</b>",
    "kept",
    "Welcome",
  ]);
  const unknown = { ...PLAIN, "Mj-TemplateID": "Other", Recipients: [{ Email: "a@example.com" }] };
  const error = await assertRejects(() => send(unknown)) as Body;
  assertEquals([error.statusCode, error.ErrorMessage], [
    400,
    `TemplateID: Template ID "Other" doesn't exist for your account.`,
  ]);
});

Deno.test("node-mailjet reads a refusal of v3, and nothing of its call is captured", async () => {
  await using service = await start();
  const send = sender(service);
  const refusalOf = async (work: Promise<unknown>) => {
    const error = await assertRejects(() => work) as Body;
    return [error.statusCode, error.response.data.ErrorMessage];
  };
  const Messages = [{ From: { Email: "pilot@example.com" }, TextPart: "text" }];
  assertEquals(await refusalOf(send({ Messages })), [
    400,
    "At least FromEmail or Sender must be provided",
  ]);
  const Recipients = [{ Email: "a@example.com" }, { Email: "nobody" }];
  assertEquals(await refusalOf(send({ ...PLAIN, Recipients })), [
    400,
    'To[0].Email: "nobody" is an invalid email address.',
  ]);
  assertEquals(await refusalOf(sender(service, "wrong")({ ...PLAIN, To: "a@example.com" })), [
    401,
    "API key authentication/authorization failure.",
  ]);
  assertEquals(capturedBy(service, "mail1"), []);
  assertEquals(service.rejected.list({ provider: "mail1" }).length, 3);
});

const PYTHON = `
import json, sys
from mailjet_rest import Client

client = Client(auth=("key", "secret"), version="v3", api_url=sys.argv[1])
answer = client.send.create(data=json.loads(sys.argv[2]))
print(json.dumps([answer.status_code, answer.json()]))
`;

Deno.test("mailjet_rest sends over v3", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await start();
  const body = JSON.stringify({ ...PLAIN, To: "a@example.com", Headers: { "X-A": "1" } });
  const args = ["-c", PYTHON, `${service.ingress.url}/`, body];
  const { stdout } = await runOk(python, args, { env: { NO_PROXY: "*" } });
  const [status, { Sent }] = JSON.parse(stdout);
  const [event, ...others] = capturedBy(service, "mail1");
  assertEquals(others, []);
  assertEquals([status, Sent[0].Email], [200, "a@example.com"]);
  assertEquals(Sent[0].MessageID, (event!.meta.message_ids as number[])[0]);
  assertEquals(event!.payload.headers, { "X-A": ["1"] });
});
