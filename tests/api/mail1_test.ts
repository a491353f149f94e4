import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { mail } from "../../plugins/mail/mod.ts";
import type { MailMessage } from "../../plugins/mail/model.ts";
import captured from "../fixtures/vendors/mail1_mailjet.json" with { type: "json" };
import { startService, type TestService } from "../support/service.ts";

const PLAIN = {
  From: { Email: "pilot@example.com", Name: "Pilot" },
  To: [{ Email: "a@example.com" }],
  Subject: "hello",
  TextPart: "text",
};
const FILE = { ContentType: "text/plain", Filename: "a.txt", Base64Content: "aGVsbG8=" };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function start(config: Readonly<Record<string, unknown>> = {}, rest = {}): Promise<TestService> {
  return startService({
    plugins: [mail],
    config: { plugins: { mail: { providers: { mail1: config } } }, ...rest },
  });
}

async function send(service: TestService, body: unknown, init: RequestInit = {}) {
  const response = await fetch(`${service.ingress.url}/v3.1/send`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Basic ${btoa("key:secret")}` },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });
  const text = await response.text();
  return { response, status: response.status, body: JSON.parse(text) };
}

/** Oldest first. */
function eventsOf(service: TestService): CapturedEvent<MailMessage>[] {
  return service.events.list({ provider: "mail1" }).reverse() as CapturedEvent<MailMessage>[];
}

Deno.test("mail1: a captured SDK request is answered and recorded as the vendor would", async () => {
  await using service = await start();
  const [request] = captured.requests;
  const { response, body } = await send(service, request!.body);
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), "application/json; charset=UTF-8");
  assertMatch(response.headers.get("x-mj-request-guid") ?? "", UUID);
  const [message] = body.Messages;
  assertEquals([message.Status, message.CustomID, message.Cc, message.Bcc], [
    "success",
    "AppGettingStartedTest",
    [],
    [],
  ]);
  const [to] = message.To;
  assertEquals(to.Email, "a@example.com");
  assertMatch(to.MessageUUID, UUID);
  assert(Number.isSafeInteger(to.MessageID) && String(to.MessageID).length === 16);
  assertEquals(to.MessageHref, `${service.ingress.url}/v3/REST/message/${to.MessageID}`);

  const [event] = eventsOf(service);
  assertEquals(response.headers.get("x-service-event-url")?.endsWith(event!.id), true);
  assertEquals(event!.summary, "pilot@example.com -> a@example.com: hello");
  assertEquals(event!.meta, {
    custom_id: "AppGettingStartedTest",
    message_ids: [to.MessageID],
    message_uuids: [to.MessageUUID],
    basic_auth: { username: "key", password: "secret" },
  });
  assertEquals(new TextDecoder().decode(event!.raw.body), request!.body);
  assertEquals(
    event!.payload.attachments?.map(({ filename, inline, size }) => [
      filename,
      inline,
      size,
    ]),
    [["test.txt", false, 7], ["logo.png", true, 6]],
  );
});

Deno.test("mail1: several messages are one event each, in order, and the answer names each", async () => {
  await using service = await start();
  const { response, body } = await send(service, {
    Globals: { ...PLAIN, Attachments: [FILE] },
    Messages: [
      { To: [{ Email: "one@example.com" }], Cc: [{ Email: "c@example.com" }] },
      { To: [{ Email: "two@example.com" }], Subject: "own" },
    ],
  });
  const events = eventsOf(service);
  assertEquals(events.map(({ payload }) => [payload.to?.[0]?.email, payload.subject]), [
    ["one@example.com", "hello"],
    ["two@example.com", "own"],
  ]);
  const urls = (response.headers.get("x-service-event-url") ?? "").split(", ");
  assertEquals(urls.map((url) => url.slice(-24)), events.map(({ id }) => id));
  const ids = body.Messages.flatMap((message: Record<string, { MessageID: number }[]>) =>
    [...message.To!, ...message.Cc!].map(({ MessageID }) => MessageID)
  );
  assertEquals(new Set(ids).size, 3);
  // The attachment that Globals adds to both is stored once.
  assertEquals(events[0]!.blobs, events[1]!.blobs);
  assertEquals(events[0]!.blobs.length, 1);
});

Deno.test("mail1: an invalid message turns the answer into 400; the valid ones are captured and the failure is recorded", async () => {
  await using service = await start();
  const { status, body } = await send(service, {
    Messages: [PLAIN, { ...PLAIN, To: [{ Email: "invalid@123.4" }] }],
  });
  assertEquals(status, 400);
  assertEquals(body.Messages.map(({ Status }: { Status: string }) => Status), [
    "success",
    "error",
  ]);
  assertEquals(
    body.Messages[1].Errors[0].ErrorMessage,
    '"invalid@123.4" is an invalid email address.',
  );
  assertEquals(eventsOf(service).length, 1);
  const [note] = service.rejected.list();
  assertStringIncludes(note!.reason, "1 of 2 messages were refused; the first is Messages[1]");
  assertEquals([note!.provider, note!.status, note!.path], ["mail1", 400, "/v3.1/send"]);
});

Deno.test("mail1: a call without a valid message makes no event and one journal record", async () => {
  await using service = await start();
  const { status, response } = await send(service, { Messages: [{ ...PLAIN, To: [] }] });
  assertEquals([status, response.headers.get("x-service-event-url")], [400, null]);
  assertEquals((await send(service, "{")).body.ErrorCode, "mj-0002");
  assertEquals((await send(service, { Messages: [{ ...PLAIN, From: [] }] })).body, {
    ...(await send(service, { Messages: [{ ...PLAIN, From: [] }] })).body,
    ErrorCode: "mj-0004",
    ErrorRelatedTo: ["Messages.From"],
    ErrorIdentifier: service.rejected.list()[1]!.reason.match(/[0-9a-f-]{36}/)?.[0],
  });
  assertEquals(service.events.count(), 0);
  assertEquals(service.rejected.count, 4);
});

Deno.test("mail1: sandbox mode is recorded, with empty ids in the answer", async () => {
  await using service = await start();
  const { status, body } = await send(service, { Messages: [PLAIN], SandboxMode: true });
  assertEquals(status, 200);
  assertEquals(body.Messages[0].To, [{
    Email: "a@example.com",
    MessageUUID: "",
    MessageID: 0,
    MessageHref: `${service.ingress.url}/v3/REST/message/0`,
  }]);
  const [event] = eventsOf(service);
  assertEquals([event!.meta.sandbox_mode, event!.meta.message_ids], [true, undefined]);
});

Deno.test("mail1: the answer links to the message for each recipient", async () => {
  await using service = await start();
  const { body } = await send(service, {
    Messages: [{ ...PLAIN, Bcc: [{ Email: "b@example.com" }] }],
  });
  const [message] = body.Messages;
  const link = `${message.Bcc[0].MessageHref}?ShowSubject=true&ShowContactAlt=true`;
  const response = await fetch(link);
  const { Count, Data } = await response.json();
  assertEquals([response.status, Count], [200, 1]);
  assertEquals(response.headers.get("x-service-event-url"), null);
  assertEquals([Data[0].ID, Data[0].UUID, Data[0].ContactAlt, Data[0].Subject, Data[0].Status], [
    message.Bcc[0].MessageID,
    message.Bcc[0].MessageUUID,
    "b@example.com",
    "hello",
    "sent",
  ]);
  for (const id of ["1", "0", "x"]) {
    const unknown = await fetch(`${service.ingress.url}/v3/REST/message/${id}`);
    assertEquals([unknown.status, (await unknown.json()).ErrorMessage], [404, "Object not found"]);
  }
});

Deno.test("mail1: any credentials are accepted, and so are none", async () => {
  await using service = await start();
  assertEquals((await send(service, { Messages: [PLAIN] }, { headers: {} })).status, 200);
  const bearer = { authorization: "Bearer x" };
  assertEquals((await send(service, { Messages: [PLAIN] }, { headers: bearer })).status, 200);
  assertEquals(eventsOf(service).map(({ meta }) => [meta.basic_auth, meta.authorization]), [
    [undefined, undefined],
    [undefined, "Bearer x"],
  ]);
});

const basic = (credentials: string) => ({
  headers: { authorization: `Basic ${btoa(credentials)}` },
});
const PINS: readonly (readonly [string, Record<string, string>, RequestInit, number])[] = [
  ["both right", { api_key: "k", secret_key: "s" }, basic("k:s"), 200],
  ["a wrong key", { api_key: "k", secret_key: "s" }, basic("x:s"), 401],
  ["a wrong secret", { api_key: "k", secret_key: "s" }, basic("k:x"), 401],
  ["nothing presented", { api_key: "k", secret_key: "s" }, { headers: {} }, 401],
  ["only the key pinned", { api_key: "k" }, basic("k:anything"), 200],
  ["only the key pinned, and wrong", { api_key: "k" }, basic("x:s"), 401],
  ["only the secret pinned", { secret_key: "s" }, basic("anything:s"), 200],
  ["only the secret pinned, and wrong", { secret_key: "s" }, basic("k:x"), 401],
];
for (const [title, pins, init, expected] of PINS) {
  Deno.test(`mail1: pinned credentials, ${title}: ${expected}`, async () => {
    await using service = await start(pins);
    const { status, body } = await send(service, { Messages: [PLAIN] }, init);
    assertEquals(status, expected);
    assertEquals(body.ErrorCode, expected === 401 ? "mj-0015" : undefined);
    assertEquals(service.events.count(), expected === 401 ? 0 : 1);
    const link = await fetch(`${service.ingress.url}/v3/REST/message/1`, init);
    assertEquals(link.status, expected === 401 ? 401 : 404);
    await link.body?.cancel();
  });
}

Deno.test("mail1: a full store refuses only the message with the attachment", async () => {
  await using service = await start({}, { storage: { blob_limit: 100 } });
  const large = { ...FILE, Base64Content: btoa("x".repeat(200)) };
  const { status, body } = await send(service, {
    Messages: [PLAIN, { ...PLAIN, Attachments: [large] }, { ...PLAIN, Attachments: [FILE] }],
  });
  assertEquals(status, 400);
  const [first, second, third] = body.Messages;
  assertEquals([first.Status, second.Status, third.Status], ["success", "error", "success"]);
  assertEquals([second.Errors[0].ErrorCode, second.Errors[0].StatusCode], [
    "capacity-exceeded",
    507,
  ]);
  assertEquals(service.events.count(), 2);
});

Deno.test("mail1: a wrong method and a body over the limit are refused in the vendor's format", async () => {
  await using service = await start({}, { ingress: { max_body: 1000 } });
  const method = await fetch(`${service.ingress.url}/v3.1/send`);
  assertEquals([method.status, method.headers.get("allow")], [405, "POST"]);
  const refused = await method.json();
  assertEquals([refused.StatusCode, typeof refused.ErrorMessage], [405, "string"]);
  assertMatch(refused.ErrorIdentifier, UUID);
  const large = await send(service, { Messages: [{ ...PLAIN, TextPart: "x".repeat(2000) }] });
  assertEquals([large.status, large.body.StatusCode, large.body.ErrorCode], [413, 413, "mj-0011"]);
  const link = await fetch(`${service.ingress.url}/v3/REST/message/1`, { method: "DELETE" });
  assertEquals([link.status, (await link.json()).StatusCode], [405, 405]);
});

Deno.test("mail1: bodies may be compressed, start with a byte order mark, or have no declared type", async () => {
  await using service = await start();
  const text = JSON.stringify({ Messages: [PLAIN] });
  const gzip = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(gzip).arrayBuffer());
  const compressed = await send(service, "", {
    body: bytes,
    headers: { "content-encoding": "gzip" },
  });
  assertEquals(compressed.status, 200);
  assertEquals(eventsOf(service)[0]!.raw.body, bytes);
  const marked = await send(service, "", { body: new TextEncoder().encode(`\ufeff${text}`) });
  assertEquals(marked.status, 200);
  const broken = await send(service, "x", { headers: { "content-encoding": "gzip" } });
  assertEquals([broken.status, broken.body.ErrorCode], [400, "mj-0002"]);
});
