import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import captured from "../fixtures/vendors/chat2_teams.json" with { type: "json" };
import { chat } from "../../plugins/chat/mod.ts";
import type { ChatEnvelope } from "../../plugins/chat/views.ts";
import { recorded, replay } from "../support/replay.ts";
import { startService, type TestService } from "../support/service.ts";

const HOOK = "/webhookb2/1111@2222/IncomingWebhook/aaaa/3333";
const CARD =
  '{ "type":"AdaptiveCard", "version":"1.4","n":1.50,"body":[{"type":"TextBlock","text":"Caf\\u00e9"}] }';

async function post(
  service: TestService,
  body: string,
  { path = HOOK, type = "application/json" }: { path?: string; type?: string } = {},
) {
  const response = await fetch(`${service.ingress.url}${path}`, {
    method: "POST",
    headers: type === "" ? {} : { "content-type": type },
    body: new TextEncoder().encode(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const newest = async (service: TestService): Promise<ChatEnvelope> =>
  (await service.getJson<ChatEnvelope[]>("/chat/messages?limit=1"))[0]!;

const dataOf = ({ message }: ChatEnvelope): string[] =>
  (message.contents ?? []).map(({ data }) => new TextDecoder().decode(Uint8Array.fromBase64(data)));

Deno.test("cards attached to a message get 202 without a body, and are kept byte for byte", async () => {
  await using service = await startService({ plugins: [chat] });
  const card = (vendor: string, content: string) =>
    `{"contentType":"application/vnd.${vendor}.card.adaptive","contentUrl":null,"content":${content}}`;
  const second = '{"type":"AdaptiveCard","body":[]}';
  const body = `{"type":"message","attachments":[${card("microsoft", CARD)}, ${
    card("acme", second)
  }]}`;
  const answer = await post(service, body);
  assertEquals([answer.status, answer.text], [202, ""]);
  const message = await newest(service);
  assertEquals(answer.headers.get("x-service-event-url"), message.url);
  assertEquals(dataOf(message), [CARD, second]);
  assertEquals(message.formats, ["chat2.adaptivecard"]);
  assertEquals(message.message.text, "Café");
  assertEquals(message.message.channel, { id: HOOK, name: "Teams aaaa/3333" });
  assertEquals(message.message.author, { bot: true });
  assertEquals([message.message.thread_ts, message.reply], [undefined, false]);
  assertEquals(message.meta, {
    path: HOOK,
    guid: "1111",
    tenant: "2222",
    id: "aaaa",
    key: "3333",
    generation: "workflow",
  });
});

Deno.test("a MessageCard gets 200 with the body 1, and is kept whole", async () => {
  await using service = await startService({ plugins: [chat] });
  const body = ' {"@type":"MessageCard","@context":"https://schema.org/extensions","summary":"S",' +
    '"themeColor":"0078D7","text":"T","sections":[{"activityTitle":"Ada","activityImage":' +
    '"https://example.com/a.png","facts":[{"name":"n","value":"v"}]}],"potentialAction":[{"x":1.0}]} ';
  const answer = await post(service, body);
  assertEquals([answer.status, answer.text], [200, "1"]);
  assertEquals(answer.headers.get("content-type"), "text/plain; charset=utf-8");
  const message = await newest(service);
  assertEquals(dataOf(message), [body.trim()]);
  assertEquals(message.formats, ["chat2.messagecard"]);
  assertEquals(message.message.text, "T");
  assertEquals(message.message.author, {
    name: "Ada",
    icon_url: "https://example.com/a.png",
    bot: true,
  });
  assertEquals(message.meta?.generation, "connector");
  assertEquals(message.meta?.context, "https://schema.org/extensions");
  assertEquals(message.meta?.theme_color, "0078D7");
  assertEquals(message.meta?.summary, "S");
  assertEquals(message.meta?.potential_action, [{ x: 1 }]);
});

const texts: readonly [what: string, body: string, type: string, text: string, format?: string][] =
  [
    ["a bare text", '{"text":"Hi"}', "application/json", "Hi"],
    ["a bare text under a form type", '{"text":"Hi"}', "application/x-www-form-urlencoded", "Hi"],
    ["a bare text without a type", '{"text":"Hi"}', "", "Hi"],
    ["a bare summary", '{"summary":"Sum"}', "application/json", "Sum"],
    ["a plain text", "Hi there", "text/plain", "Hi there"],
    ["a text/plain body that is JSON", '{"text":"Hi"}', "text/plain; charset=utf-8", "Hi"],
    ["a plain number", "42", "text/plain", "42"],
    ["a card without its type", '{"title":"T"}', "application/json", "T", "chat2.messagecard"],
    [
      "a card of sections only",
      '{"@type":"MessageCard","sections":[{"activityTitle":"A","facts":[{"name":"n","value":"v"}]}]}',
      "application/json",
      "A\nn: v",
      "chat2.messagecard",
    ],
  ];

for (const [what, body, type, text, format] of texts) {
  Deno.test(`${what} gets 200 with the body 1`, async () => {
    await using service = await startService({ plugins: [chat] });
    const answer = await post(service, body, { type });
    assertEquals([answer.status, answer.text], [200, "1"]);
    const message = await newest(service);
    assertEquals(message.message.text, text);
    assertEquals(message.formats, format === undefined ? undefined : [format]);
  });
}

const BAD = "Bad payload received by generic incoming webhook.";
const EMPTY = "Summary or Text is required.";

const refused: readonly [what: string, body: string, error: string, type?: string][] = [
  ["no JSON", "{", BAD],
  ["a plain text under a JSON type", "Hi", BAD],
  ["an array", "[]", BAD],
  ["JSON behind a stray character", "\ufffe{}", BAD],
  ["an attachment that is not an object", '{"type":"message","attachments":[1]}', BAD],
  [
    "a card without content",
    '{"type":"message","attachments":[{"contentType":"application/vnd.microsoft.card.adaptive"}]}',
    BAD,
  ],
  ["an empty object", "{}", EMPTY],
  ["an empty text", '{"text":""}', EMPTY],
  ["an empty plain text", " ", EMPTY, "text/plain"],
  ["an empty MessageCard", '{"@type":"MessageCard","themeColor":"red"}', EMPTY],
  ["a message without attachments", '{"type":"message","attachments":[]}', EMPTY],
  ["an Adaptive Card without the message around it", CARD, EMPTY],
];

for (const [what, body, error, type] of refused) {
  Deno.test(`a post of ${what} is refused`, async () => {
    await using service = await startService({ plugins: [chat] });
    const answer = await post(service, body, type === undefined ? {} : { type });
    assertEquals([answer.status, answer.text], [400, error]);
    assertEquals(service.events.count(), 0);
    assertEquals(service.rejected.list({ provider: "chat2" }).length, 1);
  });
}

Deno.test("other kinds of cards are listed with their text", async () => {
  await using service = await startService({ plugins: [chat] });
  const hero = {
    contentType: "application/vnd.microsoft.card.hero",
    content: { title: "H", text: "t" },
  };
  const connector = '{ "title":"O365","sections":[] }';
  const body = `{"type":"message","attachments":[${JSON.stringify(hero)},` +
    `{"contentType":"application/vnd.microsoft.teams.card.o365connector","content":${connector}}]}`;
  assertEquals((await post(service, body)).status, 202);
  const message = await newest(service);
  assertEquals(message.message.text, "H\nt\nO365");
  assertEquals(message.meta?.other_attachments, ["application/vnd.microsoft.card.hero"]);
  assertEquals(dataOf(message), [connector]);
});

Deno.test("newer, longer addresses work; malformed ones are not found", async () => {
  await using service = await startService({ plugins: [chat] });
  const body = '{"text":"Hi"}';
  assertEquals((await post(service, body, { path: `${HOOK}/V2more?x=1` })).status, 200);
  assertEquals((await newest(service)).message.channel.id, `${HOOK}/V2more`);
  for (
    const path of [
      "/webhookb2/1111/IncomingWebhook/aaaa/3333",
      "/webhookb2/1111@2222@3/IncomingWebhook/aaaa/3333",
      "/webhookb2/1111@2222/IncomingWebhook/aaaa",
      "/webhookb2/1111@2222/IncomingWebhook/aaaa/",
    ]
  ) {
    const answer = await post(service, body, { path });
    assertEquals([answer.status, answer.text], [404, "Invalid webhook URL"], path);
  }
  const method = await fetch(`${service.ingress.url}${HOOK}`);
  assertEquals([method.status, method.headers.get("allow")], [405, "POST"]);
  assertStringIncludes(await method.text(), "POST");
});

Deno.test("a card far over the vendor's 28 KiB is accepted", async () => {
  await using service = await startService({ plugins: [chat] });
  const answer = await post(service, JSON.stringify({ text: "a".repeat(100_000) }));
  assertEquals(answer.status, 200);
  assertEquals((await newest(service)).message.text.length, 100_000);
});

Deno.test("requests recorded from a client are captured whole", async () => {
  await using service = await startService({ plugins: [chat] });
  const send = async (scenario: string): Promise<[number, string]> => {
    const answer = await replay(service.ingress.url, recorded(captured.requests, scenario));
    return [answer.status, await answer.text()];
  };
  assertEquals(await send("legacy MessageCard"), [200, "1"]);
  assertEquals(await send("Adaptive Card message"), [202, ""]);
  assertEquals(await send("text/plain body via sendText"), [200, "1"]);
  const [plain, adaptive, legacy] = await service.getJson<ChatEnvelope[]>("/chat/messages");
  assertEquals(plain!.message.text, "plain");
  assertEquals(adaptive!.message.text, "hi\nx");
  assertEquals(legacy!.message.author.name, "A");
  assertEquals(dataOf(legacy!), [recorded(captured.requests, "legacy MessageCard").body]);
  assertEquals(new Set([plain, adaptive, legacy].map((m) => m!.channel_key)).size, 1);
});

Deno.test("every answer has its own request id, refusals too", async () => {
  await using service = await startService({ plugins: [chat] });
  const answers = [
    await post(service, '{"text":"a"}'),
    await post(service, `{"type":"message","attachments":[{"contentType":"x","content":${CARD}}]}`),
    await post(service, "{"),
    await post(service, "{}"),
    await post(service, '{"text":"a"}', { path: "/webhookb2/1@/IncomingWebhook/a/b" }),
  ];
  const unexpected = await fetch(`${service.ingress.url}${HOOK}`);
  await unexpected.body?.cancel();
  const ids = [...answers.map((answer) => answer.headers), unexpected.headers]
    .map((one) => one.get("request-id") ?? "");
  for (const id of ids) assertMatch(id, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  assertEquals(new Set(ids).size, ids.length);
});

const FLOW = "/workflows/0123456789ab/triggers/manual/paths/invoke";
const POWER = `/powerautomate/automations/direct${FLOW}`;
const SIGNED = "?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=abc";

for (const path of [FLOW, POWER]) {
  Deno.test(`a workflow at ${path} answers 202 and keeps the post`, async () => {
    await using service = await startService({ plugins: [chat] });
    const body = `{"type":"message","attachments":[{"contentType":` +
      `"application/vnd.microsoft.card.adaptive","content":${CARD}}]}`;
    const answer = await post(service, body, { path: `${path}${SIGNED}` });
    assertEquals([answer.status, answer.text], [202, ""]);
    assertMatch(answer.headers.get("request-id") ?? "", /^[0-9a-f-]{36}$/);
    const { message, meta } = await newest(service);
    assertEquals(message.channel, { id: path, name: "Teams workflow 01234567" });
    assertEquals(message.text, "Café");
    assertEquals([meta?.workflow, meta?.trigger, meta?.sig], ["0123456789ab", "manual", "abc"]);
  });
}

Deno.test("a workflow accepts any JSON, and nothing else", async () => {
  await using service = await startService({ plugins: [chat] });
  const path = `${FLOW}${SIGNED}`;
  assertEquals((await post(service, '{"alert":"disk"}', { path })).status, 202);
  assertEquals((await newest(service)).message.text, '{"alert":"disk"}');
  assertEquals((await post(service, '{"text":"as before"}', { path })).status, 202);
  const broken = await post(service, "{", { path });
  assertEquals([broken.status, JSON.parse(broken.text).error.code], [400, "InvalidRequestContent"]);
  assertEquals(service.events.count(), 2);
});

Deno.test("a workflow requires a version, and a signature or token", async () => {
  await using service = await startService({ plugins: [chat] });
  const codeOf = async (path: string) => {
    const answer = await post(service, '{"text":"x"}', { path });
    assertMatch(answer.headers.get("request-id") ?? "", /^[0-9a-f-]{36}$/);
    return [answer.status, JSON.parse(answer.text).error.code];
  };
  assertEquals(await codeOf(FLOW), [400, "MissingApiVersionParameter"]);
  assertEquals(await codeOf(`${FLOW}?api-version=1`), [401, "DirectApiAuthorizationRequired"]);
  const signedIn = await fetch(`${service.ingress.url}${POWER}?api-version=1`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer t" },
    body: '{"text":"x"}',
  });
  await signedIn.body?.cancel();
  assertEquals(signedIn.status, 202);
});
