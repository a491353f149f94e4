import { assert, assertEquals, assertMatch } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { mail } from "../../plugins/mail/mod.ts";
import type { MailMessage } from "../../plugins/mail/model.ts";
import captured from "../fixtures/vendors/mail2_sendgrid.json" with { type: "json" };
import { startService, type TestService } from "../support/service.ts";

const PLAIN = {
  personalizations: [{ to: [{ email: "a@example.com" }] }],
  from: { email: "s@example.com", name: "S" },
  subject: "Hi",
  content: [{ type: "text/plain", value: "text" }],
};
const FILE = { content: "aGVsbG8=", filename: "a.txt" };

function start(config: Readonly<Record<string, unknown>> = {}, rest = {}): Promise<TestService> {
  return startService({
    plugins: [mail],
    config: { plugins: { mail: { providers: { mail2: config } } }, ...rest },
  });
}

async function send(service: TestService, body: unknown, init: RequestInit = {}) {
  const response = await fetch(`${service.ingress.url}/v3/mail/send`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer SG.key" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });
  return { response, status: response.status, text: await response.text() };
}

/** Oldest first. */
function eventsOf(service: TestService): CapturedEvent<MailMessage>[] {
  return service.events.list({ provider: "mail2" }).reverse() as CapturedEvent<MailMessage>[];
}

Deno.test("mail2: SDK requests are answered and captured, and sandbox mode has its own status", async () => {
  await using service = await start();
  const statuses: number[] = [];
  for (const { body } of captured.requests.slice(0, 5)) {
    statuses.push((await send(service, body)).status);
  }
  assertEquals(statuses, [200, 202, 202, 202, 202]);
  const events = eventsOf(service);
  assertEquals(events.map(({ payload }) => payload.to?.[0]?.email), [
    "test@example.com",
    "a@example.com",
    "b@example.com",
    "a@example.com",
    "b@example.com",
    "a@example.com",
    "t@example.com",
  ]);
  assertEquals(events[0]!.meta.sandbox, true);
  assertEquals(new TextDecoder().decode(events[6]!.raw.body), captured.requests[4]!.body);
});

Deno.test("mail2: the answer is empty and names the first event, whose id all events share", async () => {
  await using service = await start();
  const { response, status, text } = await send(service, {
    ...PLAIN,
    attachments: [FILE],
    personalizations: [
      { to: [{ email: "a@example.com" }] },
      { to: [{ email: "b@example.com" }], subject: "Own" },
    ],
  });
  assertEquals([status, text], [202, ""]);
  assertEquals(response.headers.get("content-length"), "0");
  assertEquals(response.headers.get("content-type"), "text/plain; charset=utf-8");
  const events = eventsOf(service);
  assertEquals(events.map(({ payload }) => payload.subject), ["Hi", "Own"]);
  const messageId = response.headers.get("x-message-id");
  assertEquals(messageId, events[0]!.id);
  assertEquals(events.map(({ meta }) => meta), [
    { authorization: "Bearer SG.key", message_id: messageId },
    { authorization: "Bearer SG.key", message_id: messageId },
  ]);
  const urls = (response.headers.get("x-service-event-url") ?? "").split(", ");
  assertEquals(urls.map((url) => url.slice(-24)), events.map(({ id }) => id));
  // Both messages refer to one stored attachment.
  assertEquals(events[0]!.blobs.length, 1);
  assertEquals(events[0]!.blobs, events[1]!.blobs);
});

Deno.test("mail2: every violation is listed, nothing is captured, and the refusal is journaled", async () => {
  await using service = await start();
  const { response, status, text } = await send(service, { personalizations: [{ to: [] }] });
  assertEquals(status, 400);
  assertEquals(response.headers.get("x-service-event-url"), null);
  const { errors } = JSON.parse(text);
  assertEquals(errors.map(({ field }: { field: string }) => field), [
    "personalizations.0.to",
    "from.email",
    "content",
    "subject",
  ]);
  for (const error of errors) {
    assertEquals(Object.keys(error), ["message", "field", "help"]);
    assertMatch(error.help, /errors\.html#message\./);
  }
  assertEquals(service.events.count(), 0);
  const [note] = service.rejected.list();
  assertEquals([note!.provider, note!.status], ["mail2", 400]);
});

const whole = (message: string) => ({ errors: [{ message, field: null, help: null }] });
const UNREADABLE: readonly (readonly [string, string, string | undefined, number, string])[] = [
  ["broken JSON", "{", "application/json", 400, "Bad Request"],
  ["nothing", "", undefined, 400, "Bad Request"],
  ["no object", "[]", "application/json; charset=utf-8", 400, "Bad Request"],
  [
    "a form",
    "to=a@example.com",
    "application/x-www-form-urlencoded",
    415,
    "Content-Type should be application/json.",
  ],
];
for (const [title, body, contentType, expected, message] of UNREADABLE) {
  Deno.test(`mail2: ${title} is answered with ${expected}`, async () => {
    await using service = await start();
    const { status, text } = await send(service, "", {
      body: new TextEncoder().encode(body),
      headers: contentType === undefined ? {} : { "content-type": contentType },
    });
    assertEquals([status, JSON.parse(text)], [expected, whole(message)]);
  });
}

Deno.test("mail2: JSON of another declared type is accepted", async () => {
  await using service = await start();
  const { status } = await send(service, PLAIN, { headers: { "content-type": "text/plain" } });
  assertEquals(status, 202);
});

Deno.test("mail2: a pinned key refuses a wrong key and a missing one", async () => {
  await using service = await start({ api_key: "SG.right" });
  const refusal = whole("The provided authorization grant is invalid, expired, or revoked");
  for (const authorization of ["Bearer SG.wrong", "Basic azpz", ""]) {
    const headers = authorization === "" ? undefined : { authorization };
    const { status, text } = await send(service, PLAIN, { headers: headers ?? {} });
    assertEquals([status, JSON.parse(text)], [401, refusal]);
  }
  const right = await send(service, PLAIN, { headers: { authorization: "Bearer SG.right" } });
  assertEquals(right.status, 202);
  assertEquals(service.events.count(), 1);
});

Deno.test("mail2: credentials and the subuser are recorded as presented", async () => {
  await using service = await start();
  await send(service, PLAIN, { headers: {} });
  const headers = { authorization: "Basic azpz", "on-behalf-of": "sub" };
  await send(service, PLAIN, { headers });
  const [bare, presented] = eventsOf(service);
  assertEquals(bare!.meta, { message_id: bare!.id });
  assertEquals(presented!.meta, {
    basic_auth: { username: "k", password: "s" },
    on_behalf_of: "sub",
    message_id: presented!.id,
  });
});

Deno.test("mail2: compressed bodies are decoded, and kept as sent", async () => {
  await using service = await start();
  const gzip = new Blob([JSON.stringify(PLAIN)]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(gzip).arrayBuffer());
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  assertEquals((await send(service, "", { body: bytes, headers })).status, 202);
  assertEquals(eventsOf(service)[0]!.raw.body, bytes);
  const broken = await send(service, "x", { headers });
  assertEquals([broken.status, JSON.parse(broken.text)], [400, whole("Bad Request")]);
});

Deno.test("mail2: a wrong method, a body over the limit and a full store", async () => {
  await using service = await start({}, {
    ingress: { max_body: 2000 },
    storage: { blob_limit: 100 },
  });
  const method = await fetch(`${service.ingress.url}/v3/mail/send`);
  assertEquals([method.status, method.headers.get("allow")], [405, "POST"]);
  assertEquals(await method.json(), whole("POST method allowed only"));
  const large = await send(service, { ...PLAIN, subject: "x".repeat(3000) });
  assertEquals([large.status, JSON.parse(large.text)], [413, whole("payload too large")]);
  const full = await send(service, {
    ...PLAIN,
    attachments: [FILE, { ...FILE, content: btoa("x".repeat(200)) }],
  });
  assertEquals([full.status, JSON.parse(full.text)], [413, whole("payload too large")]);
  assertEquals(service.events.count(), 0);
  // The attachments of the refused message are freed again.
  const fits = { ...PLAIN, attachments: [{ ...FILE, content: btoa("x".repeat(90)) }] };
  assertEquals((await send(service, fits)).status, 202);
});

Deno.test("mail2: a thousand personalizations share one attachment", async () => {
  await using service = await start({}, { storage: { blob_limit: 1000 } });
  const { response, status } = await send(service, {
    ...PLAIN,
    attachments: [{ ...FILE, content: btoa("x".repeat(600)) }],
    personalizations: Array.from({ length: 1000 }, (_, index) => ({
      to: [{ email: `a${index}@example.com` }],
    })),
  });
  assertEquals(status, 202);
  assert(response.headers.get("x-message-id") !== null);
  // Clients refuse a response whose head exceeds 8 KiB.
  const named = response.headers.get("x-service-event-url") ?? "";
  assert(named.length > 6000 && named.length < 7000, `${named.length} octets`);
  assertEquals(response.headers.get("x-service-event-count"), "1000");
  const events = eventsOf(service);
  assertEquals(events.at(-1)?.payload.to?.[0]?.email, "a999@example.com");
  assertEquals(new Set(events.flatMap(({ blobs }) => blobs)).size, 1);
});
