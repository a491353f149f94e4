import { assert, assertEquals, assertMatch } from "@std/assert";
import captured from "../fixtures/vendors/push2_apns.json" with { type: "json" };
import { push } from "../../plugins/push/mod.ts";
import type { PushEnvelope } from "../../plugins/push/views.ts";
import { startService, type TestService } from "../support/service.ts";

const UUID = /^[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}$/;
const ID = "123e4567-e89b-12d3-a456-42661417400A";
const WARNING = "this request arrived over HTTP/1.1; push2 only speaks HTTP/2";
const TOKEN =
  "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IkFCQzEyM0RFRkcifQ.eyJpYXQiOjE3OTUxNjgyOTUsImlzcyI6IlRFQU0xMjM0NTYifQ.SIGNATURE";

function start(push2: Record<string, unknown> = {}): Promise<TestService> {
  return startService({
    plugins: [push],
    config: { plugins: { push: { providers: { push2 } } } },
  });
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Over HTTP/1.1 the responses are the same, plus a warning. */
async function send(
  service: TestService,
  init: {
    device?: string;
    method?: string;
    headers?: readonly (readonly [string, string])[] | Record<string, string>;
    body?: BodyInit;
  } = {},
): Promise<Answer> {
  const { device = "/3/device/abc", method = "POST", headers, body } = init;
  const response = await fetch(`${service.ingress.url}${device}`, {
    method,
    headers: (headers ?? { "apns-topic": "com.example.app" }) as HeadersInit,
    ...(method === "GET" ? {} : { body: body ?? '{"aps":{"alert":"Hi"}}' }),
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

Deno.test("every recorded request of the vendor's clients is captured in full", async (t) => {
  await using service = await start({ key_id: "ABC123DEFG", topic: "com.example.app" });
  for (const { client, version, scenario, request } of captured.captures) {
    await t.step(`${client} ${version}: ${scenario}`, async () => {
      const headers = request.headers.filter(([name]) => /^(apns-|authorization)/.test(name!));
      const { status, body } = await send(service, {
        device: request.target,
        headers: headers as [string, string][],
        body: request.body_text,
      });
      assertEquals([status, body], [200, ""]);
      const [pushed] = await service.getJson<PushEnvelope[]>("/push/messages?limit=1");
      const { message, meta } = pushed!;
      assertEquals(message.payloads![0]!.json, request.body_json);
      assertEquals(message.target.value, request.target.split("/").at(-1));
      assertEquals([message.target.kind, message.target.source], ["device", "path"]);
      assertEquals(message.app, "com.example.app");
      const { kid, alg, error } = meta!.jwt as Record<string, unknown>;
      assertEquals([kid, alg, error], ["ABC123DEFG", "ES256", undefined]);
    });
  }
});

Deno.test("a full push reads back normalized", async () => {
  await using service = await start();
  const body =
    '{"messageFrom":"John","aps":{"badge":3,"sound":"ping.aiff","alert":{"title":"T","subtitle":"S","body":"B"},"category":"cat","thread-id":"th","mutable-content":1}}';
  const { status, headers } = await send(service, {
    headers: {
      "apns-id": ID,
      "apns-topic": "com.example.app",
      "apns-push-type": "alert",
      "apns-priority": "10",
      "apns-expiration": "1700000000",
      "apns-collapse-id": "c1",
      authorization: `bearer ${TOKEN}`,
    },
    body,
  });
  assertEquals(status, 200);
  const [pushed] = await service.getJson<PushEnvelope[]>("/push/messages");
  assertEquals(headers.get("x-service-event-url"), pushed!.url);
  assertEquals(pushed!.message, {
    kind: "notification",
    push_type: "alert",
    app: "com.example.app",
    target: { kind: "device", value: "abc", source: "path" },
    alert: {
      title: "T",
      subtitle: "S",
      body: "B",
      category: "cat",
      sound: "ping.aiff",
      badge: 3,
    },
    data: btoa('{"messageFrom":"John"}'),
    data_json: { messageFrom: "John" },
    delivery: {
      priority: "high",
      priority_raw: "10",
      collapse_key: "c1",
      expiry: { at: "2023-11-14T22:13:20.000Z", immediate: false, raw: "1700000000" },
    },
    payloads: [{ format: "push2.payload", data: btoa(body), json: JSON.parse(body) }],
  });
  assertEquals(
    [pushed!.title, pushed!.preview, pushed!.displays, pushed!.explain],
    ["T", "B", true, 'Shows text, sets the badge to 3, plays the sound "ping.aiff"'],
  );
  assertEquals(pushed!.meta, {
    push2_id: ID,
    push2_unique_id: headers.get("apns-unique-id"),
    headers: {
      "apns-id": ID,
      "apns-topic": "com.example.app",
      "apns-push-type": "alert",
      "apns-priority": "10",
      "apns-expiration": "1700000000",
      "apns-collapse-id": "c1",
    },
    aps_thread_id: "th",
    aps_mutable_content: 1,
    authorization: `bearer ${TOKEN}`,
    jwt: {
      alg: "ES256",
      kid: "ABC123DEFG",
      iss: "TEAM123456",
      iat: 1795168295,
      issued_at: "2026-11-20T09:51:35.000Z",
      stale: (pushed!.meta!.jwt as { stale: boolean }).stale,
    },
    http_version: "1.1",
    warning: WARNING,
  });
});

Deno.test("the id of a push is returned verbatim, or generated, in both spellings", async () => {
  await using service = await start();
  const given = await send(service, {
    headers: { "apns-id": ID, "apns-topic": "com.example.app" },
  });
  for (const name of ["apns-id", "push2-id"]) assertEquals(given.headers.get(name), ID);
  const made = await send(service);
  assertMatch(made.headers.get("apns-id") ?? "", UUID);
  assertEquals(made.headers.get("push2-id"), made.headers.get("apns-id"));
  assertMatch(made.headers.get("apns-unique-id") ?? "", /^[0-9a-f-]{36}$/);
  assertEquals(made.headers.get("push2-unique-id"), made.headers.get("apns-unique-id"));
  const refused = await send(service, { headers: { "apns-id": ID } });
  assertEquals([refused.status, refused.headers.get("apns-id")], [400, ID]);
  assertEquals(refused.headers.get("apns-unique-id"), null);
});

Deno.test("the neutral header names work like the vendor's", async () => {
  await using service = await start();
  const { status } = await send(service, {
    headers: {
      "push2-topic": "com.example.app",
      "push2-push-type": "background",
      "push2-priority": "5",
      "push2-expiration": "0",
      "push2-collapse-id": "c",
      "push2-id": ID,
    },
    body: '{"aps":{"content-available":1}}',
  });
  assertEquals(status, 200);
  const [pushed] = await service.getJson<PushEnvelope[]>("/push/messages");
  const { kind, push_type, delivery, data } = pushed!.message;
  assertEquals([kind, push_type, data], ["silent", "background", undefined]);
  assertEquals(delivery, {
    priority: "normal",
    priority_raw: "5",
    collapse_key: "c",
    expiry: { immediate: true, raw: "0" },
  });
});

Deno.test("each error in a request is refused with its reason, in the vendor's order", async (t) => {
  await using service = await start();
  const topic = { "apns-topic": "com.example.app" };
  const table: readonly (readonly [number, string, Parameters<typeof send>[1]])[] = [
    [405, "MethodNotAllowed", { method: "GET" }],
    [405, "MethodNotAllowed", { method: "PUT" }],
    [404, "BadPath", { device: "/3/device" }],
    [404, "BadPath", { device: "/3/device/a/b" }],
    [404, "BadPath", { device: "/3/devices/a" }],
    [400, "MissingDeviceToken", { device: "/3/device/" }],
    [400, "DuplicateHeaders", { headers: [["apns-topic", "a"], ["apns-topic", "a"]] }],
    [400, "DuplicateHeaders", { headers: [["apns-topic", "a"], ["push2-topic", "b"]] }],
    [400, "MissingTopic", { headers: {} }],
    [400, "BadMessageId", { headers: { ...topic, "apns-id": "ABC" } }],
    [400, "BadExpirationDate", { headers: { ...topic, "apns-expiration": "soon" } }],
    [400, "BadPriority", { headers: { ...topic, "apns-priority": "7" } }],
    [400, "InvalidPushType", { headers: { ...topic, "apns-push-type": "loud" } }],
    [400, "BadCollapseId", { headers: { ...topic, "apns-collapse-id": "x".repeat(65) } }],
    [400, "PayloadEmpty", { body: "" }],
    [413, "PayloadTooLarge", { body: "x".repeat(4097) }],
    [
      413,
      "PayloadTooLarge",
      { headers: { ...topic, "apns-push-type": "voip" }, body: "x".repeat(5121) },
    ],
    // Of several errors, the first in that order counts.
    [400, "MissingTopic", { headers: { "apns-priority": "7" }, body: "" }],
    [400, "BadPriority", { headers: { ...topic, "apns-priority": "7" }, body: "" }],
  ];
  for (const [status, reason, init] of table) {
    await t.step(`${status} ${reason}`, async () => {
      const answer = await send(service, init);
      assertEquals([answer.status, answer.body], [status, JSON.stringify({ reason })]);
      assert(answer.headers.get("apns-id"));
      assertEquals(answer.headers.get("service-warning"), WARNING);
      const [rejected] = service.rejected.list({ provider: "push2", limit: 1 });
      assertEquals(rejected!.reason, `Answered ${status}: ${reason}`);
    });
  }
  assertEquals(service.events.count(), 0);
  const kept = await send(service, {
    headers: { ...topic, "apns-push-type": "voip" },
    body: `{"a":"${"x".repeat(5112)}"}`,
  });
  assertEquals(kept.status, 200);
});

Deno.test("a pinned key id and topic are required; the signature is never verified", async () => {
  await using service = await start({ key_id: "ABC123DEFG", topic: "com.example.app" });
  const topic = { "apns-topic": "com.example.app" };
  const outcome = async (headers: Record<string, string>): Promise<unknown[]> => {
    const { status, body } = await send(service, { headers });
    return [status, body === "" ? "" : JSON.parse(body).reason];
  };
  assertEquals(await outcome(topic), [403, "MissingProviderToken"]);
  assertEquals(await outcome({ ...topic, authorization: "bearer x" }), [
    403,
    "InvalidProviderToken",
  ]);
  const other = TOKEN.replace(/^[^.]+/, btoa('{"kid":"OTHER"}'));
  assertEquals(await outcome({ ...topic, authorization: `bearer ${other}` }), [
    403,
    "InvalidProviderToken",
  ]);
  const authorization = `bearer ${TOKEN}`;
  assertEquals(await outcome({ authorization }), [400, "MissingTopic"]);
  assertEquals(await outcome({ authorization, "apns-topic": "com.example.app.voip" }), [
    400,
    "TopicDisallowed",
  ]);
  assertEquals(service.events.count(), 0);
  assertEquals(await outcome({ ...topic, authorization }), [200, ""]);
});

Deno.test("a push over HTTP/1.1 is captured and tagged with a warning", async () => {
  await using service = await start();
  const { status, headers } = await send(service);
  assertEquals([status, headers.get("service-warning")], [200, WARNING]);
  const [pushed] = await service.getJson<PushEnvelope[]>("/push/messages");
  assertEquals([pushed!.meta?.warning, pushed!.meta?.http_version], [WARNING, "1.1"]);
});

Deno.test("a body that is not a JSON object is captured as is", async () => {
  await using service = await start();
  for (const body of ["{broken", "[1,2]", "plain text", "\u0000\u0001"]) {
    assertEquals((await send(service, { body })).status, 200);
    const [pushed] = await service.getJson<PushEnvelope[]>("/push/messages?limit=1");
    const { kind, payloads, data } = pushed!.message;
    assertEquals([kind, data, pushed!.displays], ["empty", undefined, false]);
    assertEquals(atob(payloads![0]!.data), body);
    assertMatch(pushed!.explain, /^Shows nothing: the payload is (not JSON|not a JSON object)$/);
  }
});

Deno.test("a compressed payload is decoded, and kept as sent", async () => {
  await using service = await start();
  const stream = new Blob(['{"aps":{"badge":1}}']).stream();
  const packed = await new Response(stream.pipeThrough(new CompressionStream("gzip"))).bytes();
  const headers = { "apns-topic": "com.example.app", "content-encoding": "gzip" };
  assertEquals((await send(service, { headers, body: packed })).status, 200);
  const [pushed] = await service.getJson<PushEnvelope[]>("/push/messages");
  assertEquals(pushed!.message.alert, { badge: 1 });
  const raw = await fetch(`${service.api.url}${pushed!.raw_url}`);
  assertEquals(await raw.bytes(), packed);
  const broken = await send(service, { headers, body: "no gzip" });
  assertEquals([broken.status, broken.body], [400, '{"reason":"PayloadEmpty"}']);
});
