import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import sdk from "npm:node-mailjet@6.0.11";
import type { CapturedEvent } from "../../core/events/event.ts";
import { mail } from "../../plugins/mail/mod.ts";
import type { MailMessage } from "../../plugins/mail/model.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

const PLAIN = {
  From: { Email: "pilot@example.com", Name: "Pilot" },
  To: [{ Email: "a@example.com", Name: "A" }],
  Subject: "hello",
  TextPart: "text",
};

// By default, the SDK always uses TLS.
Object.assign(sdk.Request, { protocol: "http://" });

type Mailjet = InstanceType<typeof sdk.Client>;

function start(config: Readonly<Record<string, unknown>> = {}): Promise<TestService> {
  return startService({
    plugins: [mail],
    config: { plugins: { mail: { providers: { mail1: config } } } },
  });
}

function connect(service: TestService, options: Record<string, unknown> = {}): Mailjet {
  const { hostname, port } = service.ingress;
  return new sdk.Client({
    apiKey: "key",
    apiSecret: "secret",
    config: { host: `${hostname}:${port}` },
    ...options,
  });
}

function send(mailjet: Mailjet, body: Record<string, unknown>) {
  return mailjet.post("send", { version: "v3.1" }).request(body);
}

interface SendBody {
  readonly Messages: readonly {
    readonly Status: string;
    readonly CustomID: string;
    readonly To: readonly {
      readonly Email: string;
      readonly MessageID: string | number;
      readonly MessageUUID: string;
      readonly MessageHref: string;
    }[];
  }[];
}

/** Returns the SDK's error for a refusal. */
interface Refusal {
  readonly code: string;
  readonly statusCode: number;
  readonly message: string;
  readonly ErrorIdentifier: string;
  readonly response: { readonly status: number; readonly data: Record<string, unknown> };
}

async function refusalOf(promise: PromiseLike<unknown>): Promise<Refusal> {
  return await assertRejects(() => promise) as Refusal;
}

/** Oldest first. */
function eventsOf(service: TestService): CapturedEvent<MailMessage>[] {
  return service.events.list({ provider: "mail1" }).reverse() as CapturedEvent<MailMessage>[];
}

Deno.test("node-mailjet sends a message with attachments, and sees the ids that the event holds", async () => {
  await using service = await start();
  const result = await send(connect(service), {
    Messages: [{
      ...PLAIN,
      HTMLPart: '<img src="cid:logo">',
      CustomID: "mine",
      Attachments: [{ ContentType: "text/plain", Filename: "a.txt", Base64Content: "aGVsbG8=" }],
      InlinedAttachments: [{
        ContentType: "image/png",
        Filename: "logo.png",
        ContentID: "logo",
        Base64Content: "iVBORw0K",
      }],
    }],
  });
  assertEquals(result.response.status, 200);
  const { Messages: [message] } = result.body as unknown as SendBody;
  assertEquals([message?.Status, message?.CustomID], ["success", "mine"]);
  const recipient = message!.To[0]!;
  const [event] = eventsOf(service);
  assertEquals(event!.meta.message_ids, [Number(recipient.MessageID)]);
  assertEquals(event!.meta.message_uuids, [recipient.MessageUUID]);
  assertEquals(event!.meta.basic_auth, { username: "key", password: "secret" });
  assertEquals(event!.payload.from, { email: "pilot@example.com", name: "Pilot" });
  assertEquals(
    event!.payload.attachments?.map(({ filename, content_id, inline }) => [
      filename,
      content_id,
      inline,
    ]),
    [["a.txt", undefined, false], ["logo.png", "logo", true]],
  );
  const link = await fetch(recipient.MessageHref);
  assertEquals((await link.json()).Data[0].UUID, recipient.MessageUUID);
});

Deno.test("node-mailjet reads a message back by its id", async () => {
  await using service = await start();
  const mailjet = connect(service);
  const sent = await send(mailjet, { Messages: [PLAIN] });
  const { Messages: [message] } = sent.body as unknown as SendBody;
  const id = message!.To[0]!.MessageID;
  const found = await mailjet.get("message", { version: "v3" }).id(Number(id)).request();
  const { Data } = found.body as unknown as { Data: readonly { ID: string | number }[] };
  assertEquals(String(Data[0]?.ID), String(id));
});

Deno.test("node-mailjet reaches the service as a proxy, without another host", async () => {
  await using service = await start();
  const { hostname, port } = service.ingress;
  const mailjet = new sdk.Client({
    apiKey: "key",
    apiSecret: "secret",
    options: { proxy: { protocol: "http", host: hostname, port } },
  });
  const result = await send(mailjet, { Messages: [PLAIN] });
  assertEquals(result.response.status, 200);
  assertEquals(eventsOf(service)[0]?.payload.subject, "hello");
});

Deno.test("node-mailjet reports a refused key with the vendor's sentence", async () => {
  await using service = await start({ api_key: "other", secret_key: "other" });
  const error = await refusalOf(send(connect(service), { Messages: [PLAIN] }));
  assertEquals([error.code, error.response.status], ["ERR_BAD_REQUEST", 401]);
  assertEquals(
    error.message,
    'Unsuccessful: Status Code: "401" Message: "API key authentication/authorization failure. You may be unauthorized to access the API or your API key may be expired. Visit API keys management section to check your keys."',
  );
  assertMatch(error.ErrorIdentifier, /^[0-9a-f-]{36}$/);
  assertEquals(service.events.count(), 0);
});

Deno.test("node-mailjet reports which of several messages failed; the other is there", async () => {
  await using service = await start();
  const error = await refusalOf(send(connect(service), {
    Messages: [PLAIN, { ...PLAIN, To: [{ Email: "nobody" }] }],
  }));
  assertEquals(error.response.status, 400);
  assertStringIncludes(JSON.stringify(error.response.data), "mj-0013");
  assertEquals(eventsOf(service).length, 1);
});

Deno.test("node-mailjet checks a message in sandbox mode", async () => {
  await using service = await start();
  const result = await send(connect(service), { Messages: [PLAIN], SandboxMode: true });
  const { Messages: [message] } = result.body as unknown as SendBody;
  assertEquals([message?.To[0]?.MessageID, message?.To[0]?.MessageUUID], [0, ""]);
  assertEquals(eventsOf(service)[0]?.meta.sandbox_mode, true);
});

const PYTHON = `
import json, sys
from mailjet_rest import Client
from mailjet_rest.errors import MailjetApiError

url, key, secret, body = sys.argv[1:5]
client = Client(auth=(key, secret), version="v3.1", api_url=url)
try:
    result = client.send.create(data=json.loads(body))
    print(json.dumps({"status": result.status_code, "body": result.json()}))
except MailjetApiError as error:
    print(json.dumps({
        "status": error.status_code,
        "body": json.loads(error.response_body),
        "raised": type(error).__name__,
        "message": str(error),
    }))
`;

Deno.test("mailjet_rest sends, and sees a refused key and a refused message", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await start({ secret_key: "secret" });
  const run = async (secret: string, body: unknown) => {
    const args = ["-c", PYTHON, `${service.ingress.url}/`, "key", secret, JSON.stringify(body)];
    return JSON.parse((await runOk(python, args)).stdout);
  };
  const sent = await run("secret", { Messages: [{ ...PLAIN, CustomID: "from python" }] });
  assertEquals([sent.status, sent.body.Messages[0].CustomID], [200, "from python"]);
  const [event] = eventsOf(service);
  assertEquals(event!.meta.custom_id, "from python");
  assertEquals(event!.meta.message_ids, [sent.body.Messages[0].To[0].MessageID]);
  const unknown = await run("wrong", { Messages: [PLAIN] });
  assertEquals([unknown.status, unknown.body.ErrorCode], [401, "mj-0015"]);
  assertEquals(unknown.raised, "MailjetAuthError");
  const faulty = await run("secret", { Messages: [{ ...PLAIN, To: [] }] });
  assertEquals([faulty.status, faulty.body.Messages[0].Errors[0].ErrorCode], [400, "mj-0007"]);
  assertStringIncludes(faulty.message, faulty.body.Messages[0].Errors[0].ErrorMessage);
  assertEquals(eventsOf(service).length, 1);
});
