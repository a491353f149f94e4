import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import captured from "../fixtures/vendors/push1_fcm.json" with { type: "json" };
import { push } from "../../plugins/push/mod.ts";
import type { PushEnvelope } from "../../plugins/push/views.ts";
import { replay } from "../support/replay.ts";
import { startService, type TestService } from "../support/service.ts";

const SEND = "/v1/projects/demo/messages:send";

function start(push1: Record<string, unknown> = {}): Promise<TestService> {
  return startService({
    plugins: [push],
    config: { plugins: { push: { providers: { push1 } } } },
  });
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Readonly<Record<string, unknown>>;
}

async function call(
  service: TestService,
  path: string,
  init: { method?: string; body?: unknown; authorization?: string } = {},
): Promise<Answer> {
  const { method = "POST", body, authorization } = init;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(`${service.ingress.url}${path}`, {
    method,
    headers: authorization === undefined ? {} : { authorization },
    ...(body === undefined ? {} : { body: text }),
  });
  return {
    status: response.status,
    headers: response.headers,
    json: JSON.parse(await response.text()),
  };
}

Deno.test("every recorded request of the vendor's clients is answered correctly", async (t) => {
  await using service = await start();
  for (const { client, version, scenario, request } of captured.captures) {
    await t.step(`${client} ${version}: ${scenario}`, async () => {
      const before = service.events.count("push");
      const response = await replay(service.ingress.url, {
        scenario,
        method: request.method,
        target: request.target,
        headers: request.headers,
        body: request.body_text,
      });
      const answer = await response.json();
      assertEquals(response.status, 200, JSON.stringify(answer));
      const sends = request.target.endsWith("messages:send");
      assertEquals(service.events.count("push"), before + (sends ? 1 : 0));
      if (!sends) return;
      const [pushed] = await service.getJson<PushEnvelope[]>("/push/messages?limit=1");
      assertEquals(pushed!.message.app, "demo-project");
      assertEquals(pushed!.message.payloads![0]!.json, request.body_json);
      assertMatch(
        answer.name,
        /^projects\/demo-project\/messages\/(0:[0-9a-f]{24}|fake_message_id)$/,
      );
    });
  }
});

Deno.test("an FCM message with every section reads back normalized", async () => {
  await using service = await start();
  const [full] = captured.captures;
  const { status, headers, json } = await call(service, SEND, {
    body: full!.request.body_text,
    authorization: "Bearer secret",
  });
  assertEquals(status, 200);
  assertEquals(headers.get("content-type"), "application/json; charset=UTF-8");
  const [pushed] = await service.getJson<PushEnvelope[]>("/push/messages");
  assertEquals(json, { name: `projects/demo/messages/0:${pushed!.id}` });
  assertEquals(headers.get("x-service-event-url"), pushed!.url);
  const { payloads, data_json, data: _data, ...message } = pushed!.message;
  assertEquals(message, {
    kind: "notification",
    app: "demo",
    target: { kind: "device", value: "reg-token-1", source: "token" },
    alert: {
      title: "T",
      body: "B",
      category: "OPEN",
      image: "https://example.com/a.png",
      sound: "default",
      badge: 3,
    },
    delivery: {
      priority: "high",
      priority_raw: "high",
      collapse_key: "ck",
      expiry: { ttl_seconds: 3600, immediate: false, raw: "3600s" },
    },
  });
  assertEquals(data_json, { k: "v", userName: "x" });
  assertEquals(payloads!.map(({ format }) => format), [
    "push1.v1.message",
    "push1.v1.android",
    "push1.v1.apns",
    "push1.v1.webpush",
  ]);
  assertEquals(pushed!.meta?.name, json.name);
  assertEquals(pushed!.meta?.authorization, "Bearer secret");
  assertEquals(pushed!.meta?.fcm_options, { analytics_label: "lab" });
});

Deno.test("a validate_only message is captured and gets the vendor's fake name", async () => {
  await using service = await start();
  const { json } = await call(service, SEND, {
    body: { message: { topic: "/topics/news", data: { a: "b" } }, validate_only: true },
  });
  assertEquals(json, { name: "projects/demo/messages/fake_message_id" });
  const [pushed] = await service.getJson<PushEnvelope[]>("/push/messages");
  assertEquals(pushed!.meta?.validate_only, true);
  assertEquals(pushed!.message.target, { kind: "topic", value: "news", source: "topic" });
  assertEquals([pushed!.displays, pushed!.title], [false, "silent"]);
});

Deno.test("a refused message gets the vendor's error, no event and a journal record", async () => {
  await using service = await start();
  const { status, headers, json } = await call(service, SEND, { body: { message: {} } });
  const description = "Recipient of the message is not set.";
  assertEquals(status, 400);
  assertEquals(json, {
    error: {
      code: 400,
      message: description,
      status: "INVALID_ARGUMENT",
      details: [
        {
          "@type": "type.googleapis.com/google.rpc.BadRequest",
          fieldViolations: [{ field: "message", description }],
        },
        {
          "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
          errorCode: "INVALID_ARGUMENT",
        },
      ],
    },
  });
  assertEquals(headers.get("x-service-event-url"), null);
  assertEquals(service.events.count(), 0);
  const [rejected] = service.rejected.list({ provider: "push1" });
  assertEquals([rejected!.status, rejected!.reason], [400, `Answered 400: ${description}`]);
});

Deno.test("several errors in one message are reported together", async () => {
  await using service = await start();
  const { json } = await call(service, SEND, {
    body: { message: { token: "t", data: { n: 1 }, android: { ttl: "5" } } },
  });
  const error = json.error as { message: string; details: [{ fieldViolations: unknown[] }] };
  assertEquals(error.message.split("\n").length, 2);
  assertEquals(error.details[0].fieldViolations.length, 2);
});

Deno.test("without a pin any credentials or none are accepted; with one only that token is", async () => {
  const body = { message: { token: "t" } };
  await using open = await start();
  assertEquals((await call(open, SEND, { body })).status, 200);
  await using pinned = await start({ bearer_token: "right" });
  const missing = await call(pinned, SEND, { body });
  assertEquals(missing.status, 401);
  assertEquals(
    missing.headers.get("www-authenticate"),
    'Bearer realm="https://accounts.google.com/"',
  );
  assertEquals(missing.json, {
    error: {
      code: 401,
      message: "Request is missing required authentication credential. Expected OAuth 2 access " +
        "token, login cookie or other valid authentication credential. See " +
        "https://developers.google.com/identity/sign-in/web/devconsole-project.",
      status: "UNAUTHENTICATED",
      details: [{
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "CREDENTIALS_MISSING",
        domain: "googleapis.com",
        metadata: {
          method: "google.firebase.fcm.v1.FcmService.SendMessage",
          service: "fcm.googleapis.com",
        },
      }],
    },
  });
  for (const authorization of ["Bearer wrong", "Basic cmlnaHQ6", "right"]) {
    const { status, json } = await call(pinned, SEND, { body, authorization });
    assertEquals(status, 401);
    const { message } = json.error as { message: string };
    assertStringIncludes(message, "Request had invalid authentication credentials.");
  }
  assertEquals(pinned.events.count(), 0);
  const right = await call(pinned, SEND, { body, authorization: "bearer right" });
  assertEquals(right.status, 200);
});

Deno.test("a wrong method and an oversized body are refused in the vendor's format", async () => {
  await using service = await startService({
    plugins: [push],
    config: { ingress: { max_body: 1000 } },
  });
  const wrong = await call(service, SEND, { method: "GET" });
  assertEquals([wrong.status, wrong.headers.get("allow")], [405, "POST"]);
  assertEquals((wrong.json.error as { status: string }).status, "UNIMPLEMENTED");
  const large = await call(service, SEND, { body: "x".repeat(1001) });
  assertEquals(large.status, 413);
  assertEquals((large.json.error as { code: number }).code, 413);
});

Deno.test("both ways to subscribe to and leave topics work, without an event", async () => {
  await using service = await start();
  const registration = "/v1/projects/demo/registrations/dev%3A1/topicSubscriptions";
  const subscribed = await call(service, `${registration}?topic_name=news`, { body: {} });
  assertEquals([subscribed.status, subscribed.json], [200, {}]);
  const left = await call(service, `${registration}/news?allow_missing=true`, { method: "DELETE" });
  assertEquals([left.status, left.json], [200, {}]);
  const body = { to: "/topics/news", registration_tokens: ["a", "b"] };
  for (const path of ["/iid/v1:batchAdd", "/iid/v1:batchRemove"]) {
    assertEquals((await call(service, path, { body })).json, { results: [{}, {}] });
    assertEquals((await call(service, path, { body: { to: "x" } })).status, 400);
    assertEquals((await call(service, path, { body: "{" })).status, 400);
  }
  assertEquals(service.events.count(), 0);
});

/** Whether the response to an unknown path, and the description of the provider, name the token's path. */
async function shownPaths(service: TestService): Promise<[boolean, boolean]> {
  const unmatched = await fetch(`${service.ingress.url}/unknown`);
  const plugins = JSON.stringify(await service.getJson("/plugins"));
  return [(await unmatched.text()).includes("POST /token"), plugins.includes('"/token"')];
}

Deno.test("access tokens are issued only when enabled, and are then accepted beside the pin", async () => {
  await using off = await start();
  const refused = await call(off, "/token", { body: "grant_type=x" });
  assertEquals(refused.status, 404);
  assertStringIncludes(String(refused.json.error_description), "oauth_token = true");
  assertEquals(off.rejected.list({ provider: "push1" }).length, 1);
  assertEquals(await shownPaths(off), [false, false]);
  await using on = await start({ oauth_token: true, bearer_token: "right" });
  const { status, json } = await call(on, "/token", { body: "grant_type=x" });
  assertEquals([status, json.token_type, json.expires_in], [200, "Bearer", 3600]);
  assertEquals(await shownPaths(on), [true, true]);
  const authorization = `Bearer ${json.access_token}`;
  const body = { message: { token: "t" } };
  assertEquals((await call(on, SEND, { body, authorization })).status, 200);
  assertEquals((await call(off, SEND, { body, authorization })).status, 200);
  await using other = await start({ oauth_token: true, bearer_token: "right" });
  assertEquals((await call(other, SEND, { body, authorization })).status, 401);
});

Deno.test("hostile bodies are refused, and the service survives", async () => {
  await using service = await start();
  const bodies = [
    "[".repeat(100_000),
    `{"message":{"token":"t","data":{${'"a":1,'.repeat(100_000)}"b":"c"}}}`,
    '{"message":{"token":"t","android":{"ttl":"1e9999s"}}}',
    '{"message":{"condition":"' + "(".repeat(50_000) + '"}}',
    "\u0000",
  ];
  for (const body of bodies) {
    const { status, json } = await call(service, SEND, { body });
    assertEquals(status, 400, body.slice(0, 40));
    assert(JSON.stringify(json).length < 50_000);
  }
  assertEquals((await call(service, SEND, { body: { message: { token: "t" } } })).status, 200);
});

Deno.test("topics are validated, and each token has its own result", async () => {
  await using service = await start();
  const path = "/iid/v1:batchAdd";
  const some = await call(service, path, {
    body: { to: "/topics/news", registration_tokens: ["a", "", 5, "b c", "d"] },
  });
  const bad = { error: "INVALID_ARGUMENT" };
  assertEquals([some.status, some.json], [200, { results: [{}, bad, bad, bad, {}] }]);
  for (const to of [undefined, "/topics/", "/topics/a b", 5]) {
    const { status, json } = await call(service, path, {
      body: { to, registration_tokens: ["a"] },
    });
    assertEquals([status, (json.error as Record<string, unknown>).message], [
      400,
      "Invalid topic name provided.",
    ]);
  }
});

Deno.test("the batch call is refused with 404, as the vendor does, and the journal says why", async () => {
  await using service = await start();
  const response = await fetch(`${service.ingress.url}/batch`, {
    method: "POST",
    headers: { "content-type": "multipart/mixed; boundary=x" },
    body: "--x--",
  });
  assertEquals(response.status, 404);
  assertStringIncludes(await response.text(), "<code>/batch</code> was not found");
  assertStringIncludes(service.rejected.list()[0]!.reason, "sendEachForMulticast");
});
