import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import captures from "../fixtures/vendors/mail3_resend.json" with { type: "json" };
import { mail } from "../../plugins/mail/mod.ts";
import { RawClient } from "../support/raw_http.ts";
import { startService, type TestService } from "../support/service.ts";

const EMAIL = { from: "a@example.com", to: "b@example.com", subject: "s", text: "t" };

async function call(service: TestService, target: string, init: RequestInit = {}) {
  const response = await fetch(service.ingress.url + target, init);
  const text = await response.text();
  return { response, status: response.status, text, body: text === "" ? null : JSON.parse(text) };
}

function post(service: TestService, target: string, body: BodyInit, headers: HeadersInit = {}) {
  return call(service, target, { method: "POST", body, headers });
}

Deno.test("every SDK request is answered, and its sends become events with its bytes", async () => {
  await using service = await startService({ plugins: [mail] });
  const { body } = await post(service, "/emails", JSON.stringify(EMAIL));
  let sends = 1;
  for (const { request, scenario } of captures.captures) {
    const headers = (request.headers as [string, string][]).filter(([name]) =>
      !/^(host|connection|content-length|accept-encoding)$/i.test(name)
    );
    const before = service.events.count();
    const answer = await call(
      service,
      request.target.replace("49a3999c-0ce1-4ea6-ab68-afcd6dc2e794", body.id),
      {
        method: request.method,
        headers,
        ...(request.method === "GET" ? {} : { body: request.body_text }),
      },
    );
    assertEquals(answer.status, 200, `${scenario}: ${answer.text}`);
    assert(!("statusCode" in answer.body) && !("error" in answer.body), scenario);
    const isSend = ["/emails", "/emails/batch"].includes(request.target) &&
      request.method === "POST";
    assertEquals(service.events.count() > before, isSend, scenario);
    assertEquals(answer.response.headers.has("x-service-event-url"), isSend, scenario);
    if (!isSend) continue;
    sends = service.events.count();
    const [event] = service.events.list({}, { limit: 1 });
    assertEquals(new TextDecoder().decode(event!.raw.body), request.body_text, scenario);
  }
  assertEquals(sends, 6);
});

Deno.test("refusals by the core have the vendor's format", async () => {
  await using service = await startService({
    plugins: [mail],
    config: { ingress: { max_body: 1000 } },
  });
  const long = await post(service, "/emails", JSON.stringify({ ...EMAIL, text: "x".repeat(2000) }));
  assertEquals([long.status, long.body.statusCode, long.body.name], [413, 413, "validation_error"]);
  const put = await call(service, "/emails", { method: "PUT", body: "{}" });
  assertEquals(put.body, {
    statusCode: 405,
    name: "method_not_allowed",
    message: "This endpoint does not support the specified HTTP method.",
  });
  assertEquals(put.response.headers.get("allow")?.split(", ").sort(), ["GET", "HEAD", "POST"]);
  const batch = await call(service, "/emails/batch");
  assertEquals([batch.status, batch.body.name], [405, "method_not_allowed"]);
  const coding = await post(service, "/emails", "not gzip", { "content-encoding": "gzip" });
  assert(coding.status >= 400 && coding.status < 500);
  assertEquals(coding.body.statusCode, coding.status);
  assertEquals(service.events.count(), 0);
  assertEquals(service.rejected.count, 4);
});

Deno.test("broken JSON is refused; gzip and a byte order mark are accepted", async () => {
  await using service = await startService({ plugins: [mail] });
  for (const body of ["", "{", "[1,", "\xff"]) {
    const answer = await post(service, "/emails", body);
    assertEquals(answer.body, {
      statusCode: 422,
      name: "validation_error",
      message: "The request body is not valid JSON.",
    });
  }
  const json = JSON.stringify(EMAIL);
  assertEquals((await post(service, "/emails", `\ufeff${json}`)).status, 200);
  const stream = new Blob([json]).stream().pipeThrough(new CompressionStream("gzip"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  const answer = await post(service, "/emails", packed, { "content-encoding": "gzip" });
  assertEquals(answer.status, 200);
  const [event] = service.events.list({}, { limit: 1 });
  assertEquals(event!.raw.body, packed);
});

Deno.test("an unknown batch mode and an empty idempotency key are refused", async () => {
  await using service = await startService({ plugins: [mail] });
  const body = JSON.stringify([EMAIL]);
  const mode = await post(service, "/emails/batch", body, { "x-batch-validation": "loose" });
  assertEquals([mode.status, mode.body.name], [422, "validation_error"]);
  const key = await post(service, "/emails/batch", body, { "idempotency-key": "" });
  assertEquals([key.status, key.body.name], [400, "invalid_idempotency_key"]);
  assertEquals((await post(service, "/emails/batch", "{}")).status, 422);
  assertEquals((await post(service, "/emails/batch", "[]")).status, 422);
});

Deno.test("an idempotency key belongs to its API key and its path", async () => {
  await using service = await startService({ plugins: [mail] });
  const body = JSON.stringify(EMAIL);
  const key = { "idempotency-key": "k" };
  const one = await post(service, "/emails", body, { ...key, authorization: "Bearer one" });
  const two = await post(service, "/emails", body, { ...key, authorization: "Bearer two" });
  assert(one.body.id !== two.body.id);
  const batch = await post(service, "/emails/batch", JSON.stringify([EMAIL]), {
    ...key,
    authorization: "Bearer one",
  });
  assertEquals(batch.body.name, "invalid_idempotent_request");
});

Deno.test("a batch of a hundred and its replay name every event in few header fields", async () => {
  await using service = await startService({ plugins: [mail] });
  const body = JSON.stringify(Array.from({ length: 100 }, () => EMAIL));
  const headers = { "idempotency-key": "k" };
  const first = await post(service, "/emails/batch", body, headers);
  const replay = await post(service, "/emails/batch", body, headers);
  const named = first.response.headers.get("x-service-event-url");
  assertEquals(named?.split(", ").length, 100);
  assertEquals(replay.response.headers.get("x-service-event-url"), named);
  assertEquals(service.events.count(), 100);
  // fetch() joins fields of one name: only the raw lines show what clients receive.
  using client = await RawClient.connect(service.ingress.port);
  await client.send(
    `POST /emails/batch HTTP/1.1\r\nHost: h\r\nConnection: close\r\nIdempotency-Key: k\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  const answer = await client.rest();
  assert(answer.slice(0, answer.indexOf("\r\n\r\n")).split("\r\n").length < 100);
});

Deno.test("an idempotency key can be reused after its request was refused", async () => {
  await using service = await startService({ plugins: [mail] });
  const key = { "idempotency-key": "k" };
  assertEquals((await post(service, "/emails", "{}", key)).status, 422);
  assertEquals((await post(service, "/emails", JSON.stringify(EMAIL), key)).status, 200);
});

Deno.test("a full blob store gives 413, and nothing is captured", async () => {
  await using service = await startService({
    plugins: [mail],
    config: { storage: { blob_limit: 10 } },
  });
  const big = { ...EMAIL, attachments: [{ content: btoa("x".repeat(20)), filename: "a" }] };
  const answer = await post(service, "/emails", JSON.stringify(big));
  assertEquals([answer.status, answer.body.statusCode], [413, 413]);
  assertEquals(service.events.count(), 0);
  // The vendor sends no attachments in a batch, so none are stored.
  const batch = await post(service, "/emails/batch", JSON.stringify([EMAIL, big]));
  assertEquals(batch.status, 200);
  assertEquals(service.events.count(), 2);
});

Deno.test("a batch that is too long for the memory says how much of it was captured", async () => {
  await using service = await startService({
    plugins: [mail],
    config: { storage: { memory_limit: "64MB" } },
  });
  const template = {
    name: "much",
    from: "a@example.com",
    subject: "s",
    html: "{{{PART}}}".repeat(100),
    text: "t",
    variables: [{ key: "PART", type: "string" }],
  };
  const { id } = (await post(service, "/templates", JSON.stringify(template))).body;
  assertEquals((await post(service, `/templates/${id}/publish`, "")).status, 200);
  const email = { to: "b@example.com", template: { id, variables: { PART: "x".repeat(50_000) } } };
  const batch = await post(service, "/emails/batch", JSON.stringify(Array(5).fill(email)));
  // Each takes five million bytes of 16 million.
  assertEquals(batch.status, 413, batch.text.slice(0, 200));
  assertStringIncludes(batch.body.message, "Captured 3 of 5 emails");
  assertEquals(service.events.count(), 3);
});

Deno.test("a due message is reported as delivered, and ids of other providers are unknown", async () => {
  await using service = await startService({ plugins: [mail] });
  const due = { ...EMAIL, scheduled_at: "2020-01-01T00:00:00Z" };
  const { body } = await post(service, "/emails", JSON.stringify(due));
  const email = (await call(service, `/emails/${body.id}`)).body;
  assertEquals([email.last_event, email.scheduled_at], ["delivered", due.scheduled_at]);
  assertEquals(email.message_id, `<${body.id}@standin.invalid>`);
  const upper = await call(service, `/emails/${body.id.toUpperCase()}`);
  assertEquals(upper.status, 200);
  service.events.clear();
  assertEquals((await call(service, `/emails/${body.id}`)).body.name, "not_found");
});

Deno.test("every email of a large batch is kept: its bytes count once", async () => {
  await using service = await startService({
    plugins: [mail],
    config: { storage: { raw_limit: 4_000_000 } },
  });
  const batch = Array.from({ length: 100 }, () => ({ ...EMAIL, text: "x".repeat(30_000) }));
  const answer = await post(service, "/emails/batch", JSON.stringify(batch));
  assertEquals([answer.status, answer.body.data.length], [200, 100]);
  assertEquals([service.events.count(), service.log], [100, []]);
});
