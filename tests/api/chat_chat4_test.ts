import { assertEquals } from "@std/assert";
import { chat } from "../../plugins/chat/mod.ts";
import type { ChatEnvelope } from "../../plugins/chat/views.ts";
import { startService, type TestService } from "../support/service.ts";

const BOT = "/bot123456:any";

async function call(
  service: TestService,
  method: string,
  body: BodyInit | null = null,
  headers: Record<string, string> = {},
) {
  const json = typeof body === "string" ? { "content-type": "application/json" } : {};
  const response = await fetch(`${service.ingress.url}${BOT}/${method}`, {
    method: body === null ? "GET" : "POST",
    headers: { ...json, ...headers },
    body,
  });
  return { status: response.status, headers: response.headers, json: await response.json() };
}

const newest = async (service: TestService): Promise<ChatEnvelope> =>
  (await service.getJson<ChatEnvelope[]>("/chat/messages?limit=1"))[0]!;

Deno.test("parameters may come in the query, a form, JSON or a multipart form, in any case", async () => {
  await using service = await startService({ plugins: [chat] });
  const multipart = new FormData();
  multipart.append("chat_id", "4242");
  multipart.append("text", "multipart");
  const bodies: readonly [method: string, body: BodyInit | null, text: string][] = [
    ["sendMessage?chat_id=4242&text=query", null, "query"],
    ["sendmessage", new URLSearchParams({ chat_id: "4242", text: "form" }), "form"],
    ["SendMessage", '{"chat_id":4242,"text":"caf\\u00e9"}', "café"],
    ["sendMessage", multipart, "multipart"],
    ["test/sendMessage", '{"chat_id":4242,"text":"test server"}', "test server"],
  ];
  for (const [method, body, text] of bodies) {
    const { status, json } = await call(service, method, body);
    assertEquals([status, json.ok, json.result.text], [200, true, text]);
    const { message, meta } = await newest(service);
    assertEquals([message.text, message.channel.id, meta?.method], [text, "4242", "sendMessage"]);
  }
});

Deno.test("a keyboard is kept verbatim", async () => {
  await using service = await startService({ plugins: [chat] });
  const markup =
    '{ "inline_keyboard":[[{"text":"caf\\u00e9","url":"https://e.example"}]], "n":1.50 }';
  await call(service, "sendMessage", `{"chat_id":1,"text":"x","reply_markup":${markup}}`);
  const [content] = (await newest(service)).message.contents!;
  assertEquals(content!.format, "chat4.reply_markup");
  assertEquals(new TextDecoder().decode(Uint8Array.fromBase64(content!.data)), markup);
});

const refused: readonly [what: string, method: string, body: string, reason: string][] = [
  ["no chat", "sendMessage", '{"text":"x"}', "chat_id is empty"],
  ["an invalid chat id", "sendMessage", '{"chat_id":"x","text":"x"}', "chat not found"],
  ["no text", "sendMessage", '{"chat_id":1}', "message text is empty"],
  [
    "an unknown mode",
    "sendMessage",
    '{"chat_id":1,"text":"x","parse_mode":"y"}',
    "unsupported parse_mode",
  ],
  ["no photo", "sendPhoto", '{"chat_id":1}', "there is no photo in the request"],
  [
    "a long caption",
    "sendPhoto",
    JSON.stringify({ chat_id: 1, photo: "id", caption: "x".repeat(1025) }),
    "message caption is too long",
  ],
  [
    "an album of one",
    "sendMediaGroup",
    '{"chat_id":1,"media":[{"type":"photo","media":"id"}]}',
    "album must contain at least two items",
  ],
  [
    "an invalid keyboard",
    "sendMessage",
    '{"chat_id":1,"text":"x","reply_markup":"["}',
    "can't parse reply keyboard markup JSON object",
  ],
  [
    "a button without action",
    "sendMessage",
    '{"chat_id":1,"text":"x","reply_markup":{"inline_keyboard":[[{"text":"b"}]]}}',
    "text buttons are unallowed in the inline keyboard",
  ],
  [
    "an unknown message to delete",
    "deleteMessage",
    '{"chat_id":1,"message_id":7}',
    "message to delete not found",
  ],
  ["no message to delete", "deleteMessage", '{"chat_id":1}', "message identifier is not specified"],
  [
    "an unknown file",
    "getFile",
    '{"file_id":"x"}',
    "wrong file_id or the file is temporarily unavailable",
  ],
  [
    "a cleartext webhook",
    "setWebhook",
    '{"url":"http://e.example"}',
    "bad webhook: An HTTPS URL must be provided for webhook",
  ],
  ["a list as body", "sendMessage", "[]", "can't parse JSON object"],
  ["no JSON", "sendMessage", "{", "can't parse request"],
];

for (const [what, method, body, reason] of refused) {
  Deno.test(`${method} with ${what} is refused in the vendor's words`, async () => {
    await using service = await startService({ plugins: [chat] });
    const { status, json } = await call(service, method, body);
    assertEquals([status, json], [400, {
      ok: false,
      error_code: 400,
      description: `Bad Request: ${reason}`,
    }]);
    assertEquals(service.events.count(), 0);
    assertEquals(service.rejected.list({ provider: "chat4" }).length, 1);
  });
}

Deno.test("only one call at a time waits for updates, and the service stops without delay", async () => {
  const service = await startService({ plugins: [chat] });
  let ended = false;
  const first = call(service, "getUpdates?timeout=50").finally(() => ended = true);
  // As soon as the first one waits, the next call ends it.
  while (!ended) assertEquals((await call(service, "getUpdates")).json, { ok: true, result: [] });
  assertEquals((await first).status, 409);
  const last = call(service, "getUpdates?timeout=50").catch(() => undefined);
  await service[Symbol.asyncDispose]();
  await last;
});

Deno.test("an unknown method is not found, and a known one is captured", async () => {
  await using service = await startService({ plugins: [chat] });
  const { status, json } = await call(service, "sendMesage", "{}");
  assertEquals([status, json.description], [404, "Not Found: method not found"]);
  const action = await call(service, "sendChatAction", '{"chat_id":4242,"action":"typing"}');
  assertEquals(action.json, { ok: true, result: true });
  const { type, message } = await newest(service);
  assertEquals([type, message.text, message.channel.id], [
    "chat.call",
    "sendChatAction\naction: typing",
    "4242",
  ]);
});

Deno.test("one call can forward or delete many messages", async () => {
  await using service = await startService({ plugins: [chat] });
  const ids: number[] = [];
  for (const text of ["a", "b"]) {
    const { json } = await call(service, "sendMessage", JSON.stringify({ chat_id: 1, text }));
    ids.push(json.result.message_id);
  }
  const passed = await call(
    service,
    "forwardMessages",
    JSON.stringify({ chat_id: 2, from_chat_id: 1, message_ids: ids }),
  );
  assertEquals(passed.json.result.length, 2);
  const [last] = await service.getJson<ChatEnvelope[]>("/chat/messages?channel=2");
  assertEquals([last!.message.text, last!.meta?.forwarded], ["b", `1/${ids[1]}`]);
  const body = JSON.stringify({ chat_id: 1, message_ids: [...ids, 1] });
  assertEquals((await call(service, "deleteMessages", body)).json.result, true);
  assertEquals((await service.getJson<unknown[]>("/chat/messages?changes=true")).length, 2);
  const edit = JSON.stringify({ chat_id: 1, message_id: ids[0], text: "x" });
  assertEquals((await call(service, "editMessageText", edit)).status, 400);
});
