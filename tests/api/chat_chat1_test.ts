import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import captured from "../fixtures/vendors/chat1_slack.json" with { type: "json" };
import { chat } from "../../plugins/chat/mod.ts";
import type { ChatEnvelope } from "../../plugins/chat/views.ts";
import { recorded, replay } from "../support/replay.ts";
import { startService, type TestService } from "../support/service.ts";

const HOOK = "/services/T00000000/B00000000/XXXX";
const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

async function post(
  service: TestService,
  path: string,
  body: BodyInit,
  headers: Record<string, string> = { "content-type": JSON_TYPE },
) {
  const response = await fetch(`${service.ingress.url}${path}`, { method: "POST", headers, body });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function call(service: TestService, body: unknown, headers: Record<string, string> = {}) {
  const answer = await post(service, "/api/chat.postMessage", JSON.stringify(body), {
    "content-type": `${JSON_TYPE}; charset=utf-8`,
    ...headers,
  });
  assertEquals(answer.status, 200);
  return JSON.parse(answer.text);
}

const newest = async (service: TestService): Promise<ChatEnvelope> =>
  (await service.getJson<ChatEnvelope[]>("/chat/messages?limit=1"))[0]!;

const dataOf = (envelope: ChatEnvelope, index = 0): string =>
  new TextDecoder().decode(Uint8Array.fromBase64(envelope.message.contents![index]!.data));

Deno.test("a webhook post is answered with ok and kept with its path segments", async () => {
  await using service = await startService({ plugins: [chat] });
  const answer = await post(service, HOOK, '{"text":"Hello","icon_emoji":":x:","mrkdwn":false}');
  assertEquals([answer.status, answer.text], [200, "ok"]);
  assertEquals(answer.headers.get("content-type"), "text/html");
  const message = await newest(service);
  assertEquals(answer.headers.get("x-service-event-url"), message.url);
  assertEquals(message.message, {
    channel: { id: "webhook:T00000000/B00000000" },
    author: { id: "B00000000", bot: true },
    text: "Hello",
  });
  assertEquals(message.meta, {
    surface: "webhook",
    team: "T00000000",
    bot: "B00000000",
    webhook_token: "XXXX",
    mrkdwn: false,
    icon_emoji: ":x:",
  });
  assertEquals([message.reply, message.root_id], [false, message.id]);
});

Deno.test("a webhook accepts a form only with a payload field", async () => {
  await using service = await startService({ plugins: [chat] });
  for (const type of [FORM_TYPE, "text/plain"]) {
    for (const body of ["text=hello", "hello"]) {
      const answer = await post(service, HOOK, body, { "content-type": type });
      assertEquals([answer.status, answer.text], [400, "invalid_payload"]);
    }
  }
});

Deno.test("the Web API accepts form fields and query parameters", async () => {
  await using service = await startService({ plugins: [chat] });
  const form = new URLSearchParams({ channel: "C123", blocks: odd });
  await post(service, "/api/chat.postMessage", form, { "content-type": FORM_TYPE });
  assertEquals(dataOf(await newest(service)), odd);
  await post(service, "/api/chat.postMessage?channel=C123&text=hello&token=xoxb-1", "", {});
  const { message, meta } = await newest(service);
  assertEquals([message.text, meta?.token], ["hello", "xoxb-1"]);
});

Deno.test("a webhook accepts channel, username and icon overrides", async () => {
  await using service = await startService({ plugins: [chat] });
  await post(
    service,
    HOOK,
    '{"text":"Hi","channel":"#general","username":"deploy","icon_url":"https://example.com/i.png"}',
  );
  const { message } = await newest(service);
  assertEquals(message.channel, { id: "CGRVGNQBNWE", name: "#general" });
  assertEquals(message.author, {
    id: "B00000000",
    name: "deploy",
    icon_url: "https://example.com/i.png",
    bot: true,
  });
  const [event] = service.events.list({});
  assertEquals(event!.summary, "#general deploy: Hi");
});

const odd =
  '[ {"type":"section", "text":{"type":"mrkdwn","text":"\\u00e9 \\/ 1"},"n":12345678901234567890,"x":1.50,"k":1,"k":2} ]';

const bodies: readonly [what: string, body: string, type: string | undefined][] = [
  ["JSON", `{"blocks":${odd}}`, JSON_TYPE],
  ["JSON with a byte order mark", `\ufeff{"blocks":${odd}}`, `${JSON_TYPE}; charset=utf-8`],
  ["JSON without a type", `{"blocks": ${odd} }`, undefined],
  ["JSON under a form type", `{"blocks":${odd}}`, FORM_TYPE],
  ["JSON with the blocks as text", JSON.stringify({ blocks: odd }), JSON_TYPE],
  ["a form with payload", `payload=${encodeURIComponent(`{"blocks":${odd}}`)}`, FORM_TYPE],
];

for (const [what, body, type] of bodies) {
  Deno.test(`blocks sent as ${what} are kept byte for byte`, async () => {
    await using service = await startService({ plugins: [chat] });
    // Sent as bytes, so that no content type is added.
    const answer = await post(service, HOOK, new TextEncoder().encode(body), {
      ...(type === undefined ? {} : { "content-type": type }),
    });
    assertEquals([answer.status, answer.text], [200, "ok"]);
    const message = await newest(service);
    assertEquals(message.formats, ["chat1.blocks"]);
    assertEquals(dataOf(message), odd);
    assertEquals(message.message.text, "é / 1");
    const [event] = service.events.list({});
    assertEquals(new TextDecoder("utf-8", { ignoreBOM: true }).decode(event!.raw.body), body);
  });
}

const refusedHooks: readonly [what: string, body: string, error: string][] = [
  ["no JSON", "{", "invalid_payload"],
  ["an array", "[1]", "invalid_payload"],
  ["a text", '"text"', "invalid_payload"],
  ["words", "hello", "invalid_payload"],
  ["nothing to say", "{}", "no_text"],
  ["empty parts", '{"text":"","blocks":[],"attachments":[]}', "no_text"],
  ["blocks that are not a list", '{"blocks":{}}', "invalid_blocks"],
  ["a block without a type", '{"blocks":[{}]}', "invalid_blocks"],
  ["blocks as broken text", '{"blocks":"["}', "invalid_blocks_format"],
  ["51 blocks", JSON.stringify({ blocks: Array(51).fill({ type: "divider" }) }), "invalid_blocks"],
  ["attachments that are not a list", '{"text":"x","attachments":1}', "invalid_attachments"],
  [
    "101 attachments",
    JSON.stringify({ attachments: Array(101).fill({}) }),
    "too_many_attachments",
  ],
];

for (const [what, body, error] of refusedHooks) {
  Deno.test(`a webhook post of ${what} is refused with ${error}`, async () => {
    await using service = await startService({ plugins: [chat] });
    const answer = await post(service, HOOK, body);
    assertEquals([answer.status, answer.text], [400, error]);
    assertEquals(answer.headers.get("x-service-event-url"), null);
    assertEquals(service.events.count(), 0);
    assertEquals(service.rejected.list({ provider: "chat1" }).length, 1);
  });
}

Deno.test("chat.postMessage answers with ts and message, and stores the message under that ts", async () => {
  await using service = await startService({ plugins: [chat] });
  const json = await call(service, {
    channel: "C123",
    text: "Hello",
    username: "U",
    icon_emoji: ":x:",
    attachments: [{ fallback: "f" }],
  }, { authorization: "Bearer xoxb-1" });
  assertMatch(json.ts, /^\d{10}\.\d{6}$/);
  assertEquals(json.channel, "C123");
  const { bot_profile, ...message } = json.message;
  assertEquals(message, {
    type: "message",
    subtype: "bot_message",
    text: "Hello",
    ts: json.ts,
    username: "U",
    icons: { emoji: ":x:" },
    bot_id: "B0STANDIN1",
    user: "U0STANDIN1",
    app_id: "A0STANDIN1",
    team: "T0STANDIN1",
    attachments: [{ id: 1, fallback: "f" }],
  });
  assertEquals(bot_profile.id, "B0STANDIN1");
  const kept = await newest(service);
  assertEquals(kept.message.ts, json.ts);
  assertEquals(kept.message.channel, { id: "C123" });
  assertEquals([kept.meta?.authorization, kept.meta?.ts], ["Bearer xoxb-1", json.ts]);
  assertEquals(kept.meta?.surface, "web_api");
});

Deno.test("ts values strictly increase, however fast the calls arrive", async () => {
  await using service = await startService({ plugins: [chat] });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => call(service, { channel: "C123", text: `n${i}` })),
  );
  assertEquals(new Set(answers.map(({ ts }) => ts)).size, 50);
  const kept = await service.getJson<ChatEnvelope[]>("/chat/messages");
  const order = kept.map(({ message }) => message.ts!);
  assertEquals(order, order.toSorted().reverse());
});

Deno.test("a reply keeps its parent's ts digit for digit, even when sent as a number", async () => {
  await using service = await startService({ plugins: [chat] });
  const body = '{"channel":"C123","text":"re","thread_ts":1503435956.000100}';
  const answer = await post(service, "/api/chat.postMessage", body);
  assertEquals(JSON.parse(answer.text).message.thread_ts, "1503435956.000100");
  const kept = await newest(service);
  assertEquals(kept.message.thread_ts, "1503435956.000100");
  assertEquals([kept.reply, kept.root_id], [true, ""]);
});

const refusedCalls: readonly [what: string, body: unknown, error: string][] = [
  ["no channel", { text: "x" }, "channel_not_found"],
  ["an empty channel", { channel: " ", text: "x" }, "channel_not_found"],
  ["no text", { channel: "C123" }, "no_text"],
  ["an array", [], "json_not_object"],
  ["blocks that are not a list", { channel: "C1", blocks: "{}" }, "invalid_blocks"],
  ["blocks that are not JSON", { channel: "C1", blocks: "[" }, "invalid_blocks_format"],
  ["40001 characters", { channel: "C1", text: "a".repeat(40_001) }, "msg_too_long"],
  ["two kinds of text", { channel: "C1", text: "a", markdown_text: "b" }, "markdown_text_conflict"],
  ["broken metadata", { channel: "C1", text: "a", metadata: "{" }, "invalid_metadata_format"],
];

for (const [what, body, error] of refusedCalls) {
  Deno.test(`chat.postMessage with ${what} is answered with ${error} and status 200`, async () => {
    await using service = await startService({ plugins: [chat] });
    const json = await call(service, body);
    assertEquals([json.ok, json.error], [false, error]);
    assertEquals(service.events.count(), 0);
    const [record] = service.rejected.list({ provider: "chat1" });
    assertEquals(record?.status, 200);
    assertStringIncludes(record!.reason, error);
  });
}

Deno.test("an overlong block is named by its position", async () => {
  await using service = await startService({ plugins: [chat] });
  const text = { type: "mrkdwn", text: "a".repeat(3001) };
  const json = await call(service, { channel: "C1", blocks: [{ type: "section", text }] });
  assertEquals(json.errors, [
    "must be less than 3001 characters [json-pointer:/blocks/0/text/text]",
  ]);
  assertEquals(json.response_metadata.messages, [`[ERROR] ${json.errors[0]}`]);
});

Deno.test("a broken body gets a specific error", async () => {
  await using service = await startService({ plugins: [chat] });
  const broken = await post(service, "/api/chat.postMessage", "{");
  assertEquals(JSON.parse(broken.text), { ok: false, error: "invalid_json" });
  const parts = await post(service, "/api/chat.postMessage", "--x", {
    "content-type": "multipart/form-data; boundary=y",
  });
  assertEquals(JSON.parse(parts.text), { ok: false, error: "invalid_form_data" });
});

Deno.test("a multipart form is accepted, too", async () => {
  await using service = await startService({ plugins: [chat] });
  const form = new FormData();
  form.append("channel", "C123");
  form.append("blocks", odd);
  const answer = await post(service, "/api/chat.postMessage", form, {});
  assert(JSON.parse(answer.text).ok);
  assertEquals(dataOf(await newest(service)), odd);
});

Deno.test("auth.test and api.test are answered without an event", async () => {
  await using service = await startService({ plugins: [chat] });
  const auth = await post(service, "/api/auth.test", "", { "content-type": FORM_TYPE });
  assertEquals(JSON.parse(auth.text).team_id, "T0STANDIN1");
  const api = await fetch(`${service.ingress.url}/api/api.test`);
  assertEquals((await api.json()).ok, true);
  const failing = await post(service, "/api/api.test", "error=my_error", {
    "content-type": FORM_TYPE,
  });
  assertEquals(JSON.parse(failing.text), { ok: false, error: "my_error" });
  assertEquals(service.events.count(), 0);
});

Deno.test("any other method is answered as unknown with status 200, and journaled", async () => {
  await using service = await startService({ plugins: [chat] });
  for (const method of ["chat.udpate", "files.upload", "rtm.connect"]) {
    const answer = await post(service, `/api/${method}`, "{}");
    assertEquals([answer.status, JSON.parse(answer.text)], [200, {
      ok: false,
      error: "unknown_method",
    }]);
  }
  assertEquals(service.rejected.list({ provider: "chat1" }).length, 3);
});

Deno.test("a pinned token is required by the Web API only", async () => {
  const config = { plugins: { chat: { providers: { chat1: { bot_token: "xoxb-1" } } } } };
  await using service = await startService({ plugins: [chat], config });
  const body = { channel: "C123", text: "x" };
  assertEquals((await call(service, body)).error, "not_authed");
  assertEquals((await call(service, body, { authorization: "Bearer no" })).error, "invalid_auth");
  assertEquals((await call(service, body, { authorization: "Basic bm8=" })).error, "invalid_auth");
  assertEquals((await call(service, body, { authorization: "Bearer xoxb-1" })).ok, true);
  const form = await post(service, "/api/chat.postMessage", "token=xoxb-1&channel=C1&text=x", {
    "content-type": FORM_TYPE,
  });
  assertEquals(JSON.parse(form.text).ok, true);
  const auth = await post(service, "/api/auth.test", "", { "content-type": FORM_TYPE });
  assertEquals(JSON.parse(auth.text).error, "not_authed");
  assertEquals((await post(service, HOOK, '{"text":"x"}')).status, 200);
  assertEquals(service.events.count(), 3);
});

Deno.test("a wrong method and a body over the limit get the vendor's errors", async () => {
  const config = { ingress: { max_body: 100 } };
  await using service = await startService({ plugins: [chat], config });
  const large = JSON.stringify({ text: "a".repeat(200) });
  const hook = await post(service, HOOK, large);
  assertEquals([hook.status, hook.text], [413, "payload_too_large"]);
  assertEquals((await call(service, { text: "a".repeat(200) })).error, "msg_too_long");
  const method = await fetch(`${service.ingress.url}/api/chat.postMessage`);
  assertEquals([method.status, (await method.json()).ok], [405, false]);
  const hookMethod = await fetch(`${service.ingress.url}${HOOK}`);
  assertEquals([hookMethod.status, await hookMethod.text()], [405, "method_not_allowed"]);
  assertEquals(service.rejected.list().length, 4);
});

Deno.test("requests recorded from the vendor's own clients are captured whole", async () => {
  await using service = await startService({ plugins: [chat] });
  const send = async (scenario: string): Promise<[number, string]> => {
    const answer = await replay(service.ingress.url, recorded(captured.requests, scenario));
    return [answer.status, await answer.text()];
  };
  assertEquals(await send("webhook plain text with defaults"), [200, "ok"]);
  assertEquals(await send("webhook text + blocks + attachments + thread_ts"), [200, "ok"]);
  const scenario = "chat.postMessage (form-encoded, blocks/attachments/metadata are JSON strings)";
  assertEquals(JSON.parse((await send(scenario))[1]).ok, true);
  assertEquals(JSON.parse((await send("chat.postMessage markdown_text"))[1]).ok, true);
  assertEquals(JSON.parse((await send("auth.test"))[1]).ok, true);
  const [markdown, api, hook, plain] = await service.getJson<ChatEnvelope[]>("/chat/messages");
  assertEquals(plain!.message.author.name, "bot");
  assertEquals(hook!.message.thread_ts, "1503435956.000247");
  assertEquals(hook!.formats, ["chat1.blocks", "chat1.attachments"]);
  assertEquals(dataOf(hook!, 1), '[{"fallback":"f","color":"#f00","text":"att"}]');
  assertEquals(api!.message.text, "hello & bye");
  assertEquals(dataOf(api!), '[{"type":"section","text":{"type":"mrkdwn","text":"*b*"}}]');
  assertEquals(api!.meta?.metadata, { event_type: "e", event_payload: { a: 1 } });
  assertEquals([api!.meta?.reply_broadcast, api!.meta?.mrkdwn], [true, false]);
  assertEquals(markdown!.message.text, "**x**");
});
