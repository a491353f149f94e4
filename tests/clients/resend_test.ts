import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type CreateEmailOptions, Resend } from "npm:resend@6.38.0";
import type { CapturedEvent } from "../../core/events/event.ts";
import { mail } from "../../plugins/mail/mod.ts";
import type { MailMessage } from "../../plugins/mail/model.ts";
import { startService, type TestService } from "../support/service.ts";

const EMAIL: CreateEmailOptions = {
  from: "Acme <hello@example.com>",
  to: ["ada@example.com"],
  subject: "Welcome",
  text: "Hello",
};

async function start(config: Record<string, unknown> = {}) {
  const service = await startService({
    plugins: [mail],
    config: { plugins: { mail: { providers: { mail3: config } } } },
  });
  const resend = new Resend("re_test", { baseUrl: service.ingress.url });
  return { service, resend, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** Returns the captures, oldest first. */
function captured(service: TestService): CapturedEvent<MailMessage>[] {
  return (service.events.list({ plugin: "mail" }) as CapturedEvent<MailMessage>[]).reverse();
}

/** A result of the SDK that must not be an error. */
function good<T>(result: { data: T | null; error: unknown }): T {
  assertEquals(result.error, null);
  assert(result.data !== null);
  return result.data;
}

Deno.test("resend sends a full email, and the event holds all of it", async () => {
  await using running = await start();
  const { service, resend } = running;
  const sent = await resend.emails.send({
    ...EMAIL,
    cc: "c@example.com",
    bcc: ["b@example.com"],
    replyTo: "r@example.com",
    html: "<p>Hello</p>",
    headers: { "X-Entity-Ref-ID": "1" },
    tags: [{ name: "category", value: "welcome" }],
    scheduledAt: "2999-01-01T00:00:00Z",
    topicId: "topic",
    attachments: [
      { filename: "a.txt", content: new TextEncoder().encode("hello") as Buffer },
      { filename: "l.png", content: "AP8K", contentId: "logo" },
      { filename: "x.pdf", path: "https://example.com/x.pdf" },
    ],
  }, { idempotencyKey: "key-1" });
  good(sent);
  const [event] = captured(service);
  assertEquals(sent.headers?.["x-service-event-url"], `${service.ui.url}/ui/events/${event!.id}`);
  assertEquals(event!.payload.reply_to, [{ email: "r@example.com" }]);
  assertEquals(event!.payload.bcc, [{ email: "b@example.com" }]);
  assertEquals(event!.payload.headers?.["X-Entity-Ref-ID"], ["1"]);
  assertEquals(
    event!.payload.attachments?.map(({ filename, size, inline }) => [filename, size, inline]),
    [["a.txt", 5, false], ["l.png", 3, true]],
  );
  assertEquals(event!.meta, {
    tags: [{ name: "category", value: "welcome" }],
    topic_id: "topic",
    scheduled_at: "2999-01-01T00:00:00Z",
    remote_attachments: [{ path: "https://example.com/x.pdf", filename: "x.pdf" }],
    idempotency_key: "key-1",
    authorization: "Bearer re_test",
  });
  assertEquals([event!.raw.method, event!.raw.path, event!.raw.text], ["POST", "/emails", true]);
});

Deno.test("resend gets the first answer again for the same idempotency key, and no second event", async () => {
  await using running = await start();
  const { service, resend } = running;
  const options = { idempotencyKey: "key-1" };
  const first = await resend.emails.send(EMAIL, options);
  const again = await resend.emails.send(EMAIL, options);
  assertEquals(good(again), good(first));
  const url = first.headers?.["x-service-event-url"];
  assert(url);
  assertEquals(again.headers?.["x-service-event-url"], url);
  const other = await resend.emails.send({ ...EMAIL, subject: "Other" }, options);
  assertEquals(other.error, {
    statusCode: 409,
    name: "invalid_idempotent_request",
    message: "Same idempotency key used with a different request payload.",
  });
  const tooLong = await resend.emails.send(EMAIL, { idempotencyKey: "x".repeat(257) });
  assertEquals(tooLong.error?.name, "invalid_idempotency_key");
  assertEquals(captured(service).length, 1);
  await service.reset();
  assert(good(await resend.emails.send(EMAIL, options)).id !== first.data!.id);
  assertEquals(captured(service).length, 1);
});

Deno.test("resend requests with one key at the same time make one event", async () => {
  await using running = await start();
  const { service, resend } = running;
  const results = await Promise.all(
    Array.from({ length: 8 }, () => resend.emails.send(EMAIL, { idempotencyKey: "k" })),
  );
  const ids = new Set(results.flatMap(({ data }) => data === null ? [] : [data.id]));
  assertEquals(ids.size, 1);
  for (const { error } of results) {
    assert(error === null || error.name === "concurrent_idempotent_requests", error?.name);
  }
  assertEquals(captured(service).length, 1);
});

Deno.test("resend sends a batch: one event per email, in order, and the key replays all of it", async () => {
  await using running = await start();
  const { service, resend } = running;
  const batch = [EMAIL, { ...EMAIL, subject: "Second" }];
  const first = await resend.batch.send(batch, { idempotencyKey: "b" });
  const ids = good(first).data.map(({ id }) => id);
  assertEquals(new Set(ids).size, 2);
  const events = captured(service);
  assertEquals(events.map((event) => event.payload.subject), ["Welcome", "Second"]);
  assertEquals(events.map((event) => event.meta.batch_index), [0, 1]);
  const urls = events.map((event) => `${service.ui.url}/ui/events/${event.id}`).join(", ");
  assertEquals(first.headers?.["x-service-event-url"], urls);
  const again = await resend.batch.send(batch, { idempotencyKey: "b" });
  assertEquals(good(again).data.map(({ id }) => id), ids);
  assertEquals(again.headers?.["x-service-event-url"], urls);
  assertEquals(captured(service).length, 2);
});

Deno.test("an email of a batch goes out without its attachments, with a warning", async () => {
  await using running = await start();
  const { service, resend } = running;
  const attachments = [
    { filename: "invoice.pdf", content: "aGVsbG8=" },
    { filename: "terms.pdf", path: "https://example.com/terms.pdf" },
  ];
  // The types of the SDK lack the member, but applications in JavaScript send it.
  const withFiles = { ...EMAIL, ...{ attachments } };
  const unknown = { ...withFiles, text: undefined, template: { id: "news" } };
  good(await resend.batch.send([withFiles, unknown as never, EMAIL]));
  const left = "Resend sends no attachments in a batch: 2 left out";
  assertEquals(
    captured(service).map(({ payload, meta }) => [payload.attachments, meta]),
    [
      [undefined, { batch_index: 0, parse_warnings: [left] }],
      [undefined, {
        batch_index: 1,
        template: { id: "news" },
        parse_warnings: [left, 'the template "news" is not known here'],
      }],
      [undefined, { batch_index: 2 }],
    ].map(([files, meta]) => [files, { ...meta, authorization: "Bearer re_test" }]),
  );
  good(await resend.emails.send(withFiles));
  assertEquals(captured(service).at(-1)!.payload.attachments?.map(({ filename }) => filename), [
    "invoice.pdf",
  ]);
});

Deno.test("resend batches are all or nothing when strict, and partial when permissive", async () => {
  await using running = await start();
  const { service, resend } = running;
  const batch = [EMAIL, { ...EMAIL, to: "nobody" }, { ...EMAIL, subject: "Third" }];
  const strict = await resend.batch.send(batch);
  assertEquals(strict.error?.statusCode, 422);
  assertStringIncludes(strict.error!.message, "Invalid `to` field");
  assertEquals(captured(service).length, 0);
  const permissive = await resend.batch.send(batch, { batchValidation: "permissive" });
  const data = good(permissive);
  assertEquals(data.data.length, 2);
  assertEquals(data.errors?.map(({ index }) => index), [1]);
  assertEquals(captured(service).map((event) => event.meta.batch_index), [0, 2]);
  const [newest, older] = service.rejected.list({ provider: "mail3" });
  assertStringIncludes(newest!.reason, "Entry 1: Invalid `to` field");
  assertEquals([newest!.status, older!.status], [200, 422]);
});

Deno.test("resend fetches, lists, reschedules and cancels what it sent", async () => {
  await using running = await start({ last_event: "opened" });
  const { service, resend } = running;
  const { id } = good(await resend.emails.send({ ...EMAIL, html: "<p>", bcc: "b@example.com" }));
  const email = good(await resend.emails.get(id));
  assertEquals(
    [email.object, email.id, email.from, email.to, email.subject, email.html, email.text],
    ["email", id, EMAIL.from, EMAIL.to, "Welcome", "<p>", "Hello"],
  );
  assertEquals([email.bcc, email.cc, email.reply_to], [["b@example.com"], [], []]);
  assertEquals([email.last_event, email.scheduled_at], ["opened", null]);
  assert(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/.test(email.created_at), email.created_at);
  const later = { id, scheduledAt: "2999-01-01T00:00:00.000Z" };
  assertEquals(good(await resend.emails.update(later)), { object: "email", id });
  const scheduled = good(await resend.emails.get(id));
  assertEquals([scheduled.last_event, scheduled.scheduled_at], ["scheduled", later.scheduledAt]);
  assertEquals(good(await resend.emails.cancel(id)), { object: "email", id });
  assertEquals(good(await resend.emails.get(id)).last_event, "canceled");
  assertEquals((await resend.emails.update(later)).error?.statusCode, 422);
  const [event] = captured(service);
  assertEquals(event!.meta.scheduled_at, undefined);
  const { data, has_more } = good(await resend.emails.list());
  assertEquals([data[0]!.id, data[0]!.last_event, has_more], [id, "canceled", false]);
  assert(!("html" in data[0]!));
});

Deno.test("resend pages through the list in both directions, even past a deleted cursor", async () => {
  await using running = await start();
  const { service, resend } = running;
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.unshift(good(await resend.emails.send(EMAIL)).id);
  const page = async (options: Parameters<typeof resend.emails.list>[0]) => {
    const { data, has_more } = good(await resend.emails.list(options));
    return [data.map((email) => ids.indexOf(email.id)), has_more];
  };
  assertEquals(await page({ limit: 2 }), [[0, 1], true]);
  assertEquals(await page({ limit: 2, after: ids[1]! }), [[2, 3], true]);
  assertEquals(await page({ limit: 2, after: ids[3]! }), [[4], false]);
  assertEquals(await page({ limit: 2, before: ids[4]! }), [[2, 3], true]);
  assertEquals(await page({ limit: 2, before: ids[2]! }), [[0, 1], false]);
  service.events.delete(captured(service)[2]!.id);
  assertEquals(await page({ limit: 2, after: ids[2]! }), [[3, 4], false]);
  assertEquals(await page({ limit: 2, before: ids[2]! }), [[0, 1], false]);
  const wrong = await resend.emails.list({ after: "49a3999c-0ce1-4ea6-ab68-afcd6dc2e794" });
  assertEquals(wrong.error?.name, "not_found");
});

Deno.test("resend lists attachments and downloads one from the returned URL", async () => {
  await using running = await start();
  const { resend } = running;
  const { id } = good(
    await resend.emails.send({
      ...EMAIL,
      attachments: [
        { filename: "a.txt", content: "aGVsbG8=" },
        { filename: "l.png", content: "AP8K", contentId: "logo" },
      ],
    }),
  );
  const list = good(await resend.emails.attachments.list({ emailId: id }));
  assertEquals(
    list.data.map((item) => [item.filename, item.size, item.content_disposition, item.content_id]),
    [["a.txt", 5, "attachment", undefined], ["l.png", 3, "inline", "logo"]],
  );
  const [first, second] = list.data;
  const rest = good(await resend.emails.attachments.list({ emailId: id, after: first!.id }));
  assertEquals(rest.data.map((item) => item.id), [second!.id]);
  const one = good(await resend.emails.attachments.get({ emailId: id, id: second!.id }));
  assertEquals([one.object, one.content_type], ["attachment", "image/png"]);
  const download = await fetch(one.download_url);
  assertEquals(new Uint8Array(await download.arrayBuffer()), new Uint8Array([0, 255, 10]));
  assertEquals(download.headers.get("x-content-type-options"), "nosniff");
  const missing = await resend.emails.attachments.get({ emailId: id, id });
  assertEquals(missing.error?.name, "not_found");
});

Deno.test("resend reads every refusal in the vendor's format, and nothing is captured", async () => {
  await using running = await start();
  const { service, resend } = running;
  const outcome = await resend.emails.send({ ...EMAIL, to: [] });
  assertEquals(outcome.error, {
    statusCode: 422,
    name: "missing_required_field",
    message: "Missing `to` field.",
  });
  assertEquals((await resend.emails.get("not-a-uuid")).error?.name, "invalid_parameter");
  assertEquals((await resend.emails.get("49a3999c-0ce1-4ea6-ab68-afcd6dc2e794")).error, {
    statusCode: 404,
    name: "not_found",
    message: "Email not found",
  });
  assertEquals(captured(service).length, 0);
  assertEquals(service.rejected.list({ provider: "mail3" }).map(({ status }) => status), [
    404,
    422,
    422,
  ]);
});

Deno.test("resend needs the pinned key", async () => {
  await using running = await start({ api_key: "re_right" });
  const { service, resend } = running;
  assertEquals((await resend.emails.send(EMAIL)).error, {
    statusCode: 401,
    name: "validation_error",
    message: "API key is invalid",
  });
  const bare = await fetch(`${service.ingress.url}/emails`, { method: "POST", body: "{}" });
  assertEquals([bare.status, (await bare.json()).name], [401, "missing_api_key"]);
  const right = new Resend("re_right", { baseUrl: service.ingress.url });
  good(await right.emails.send(EMAIL));
  assertEquals(captured(service).length, 1);
});

Deno.test("resend with a base URL that ends in a slash is served, with a warning", async () => {
  await using running = await start();
  const { service } = running;
  const resend = new Resend("re_test", { baseUrl: `${service.ingress.url}/` });
  good(await resend.emails.send(EMAIL));
  const [event] = captured(service);
  assertEquals(event!.raw.path, "//emails");
  assertStringIncludes(String(event!.meta.parse_warnings), "remove the trailing slash");
});
