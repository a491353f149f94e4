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
  ["no longitude", "sendLocation", '{"chat_id":1,"latitude":1}', "longitude is empty"],
  [
    "a latitude in words",
    "sendLocation",
    '{"chat_id":1,"latitude":"north","longitude":1}',
    'can\'t parse "latitude" as Number',
  ],
  [
    "no address",
    "sendVenue",
    '{"chat_id":1,"latitude":1,"longitude":1,"title":"T"}',
    'parameter "address" is required',
  ],
  [
    "no name",
    "sendContact",
    '{"chat_id":1,"phone_number":"+1555"}',
    'parameter "first_name" is required',
  ],
  [
    "no options",
    "sendPoll",
    '{"chat_id":1,"question":"q"}',
    "can't parse options JSON object",
  ],
  [
    "an option without a text",
    "sendPoll",
    '{"chat_id":1,"question":"q","options":[{}]}',
    'can\'t find field "text"',
  ],
  [
    "an unknown type",
    "sendPoll",
    '{"chat_id":1,"question":"q","options":["a"],"type":"vote"}',
    "unsupported poll type specified",
  ],
  [
    "a price without amount",
    "sendInvoice",
    '{"chat_id":1,"title":"T","description":"D","payload":"p","currency":"EUR","prices":[{"label":"l"}]}',
    'can\'t parse labeled price: Field "amount" must be a valid Number',
  ],
  ["no name", "sendGame", '{"chat_id":1}', 'parameter "game_short_name" is required'],
  [
    "no business connection",
    "sendChecklist",
    '{"chat_id":1,"checklist":{"title":"T","tasks":[]}}',
    'parameter "business_connection_id" is required',
  ],
  [
    "a sticker",
    "sendMediaGroup",
    '{"chat_id":1,"media":[{"type":"photo","media":"i"},{"type":"sticker","media":"i"}]}',
    "inputMedia type is invalid",
  ],
  [
    "no photo",
    "sendLivePhoto",
    '{"chat_id":1,"live_photo":"id"}',
    "there is no photo in the request",
  ],
  [
    "too many media",
    "sendPaidMedia",
    JSON.stringify({
      chat_id: 1,
      star_count: 1,
      media: Array.from({ length: 11 }, () => ({ type: "photo", media: "id" })),
    }),
    "invalid number of paid media specified",
  ],
  [
    "a block of drafts",
    "sendRichMessage",
    '{"chat_id":1,"rich_message":{"blocks":[{"type":"thinking","text":"x"}]}}',
    "inputRichBlock type is invalid",
  ],
  [
    "a block without its file",
    "sendRichMessage",
    '{"chat_id":1,"rich_message":{"blocks":[{"type":"photo","photo":{"type":"photo","media":"attach://x"}}]}}',
    "can't parse InputMedia: media not found",
  ],
  [
    "a sticker as its media",
    "sendPoll",
    '{"chat_id":1,"question":"q","options":["a"],"media":{"type":"sticker","media":"id"}}',
    "can't parse InputMedia: invalid type specified",
  ],
  [
    "no entities in its list",
    "sendMessage",
    '{"chat_id":1,"text":"x","entities":["bold"]}',
    "expected an Array of MessageEntity",
  ],
  [
    "an unknown poll",
    "stopPoll",
    '{"chat_id":1,"message_id":7}',
    "message with poll to stop not found",
  ],
  [
    "an unknown action",
    "sendChatAction",
    '{"chat_id":1,"action":"x"}',
    "wrong parameter action in request",
  ],
  ["no id", "sendMessageDraft", '{"chat_id":1,"text":"x"}', 'parameter "draft_id" is required'],
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

Deno.test("a caption is edited beside its file, and content of other kinds has none", async () => {
  await using service = await startService({ plugins: [chat] });
  const send = async (method: string, body: unknown) =>
    (await call(service, method, JSON.stringify(body))).json;
  const video = { chat_id: 1, video: "id", width: 320, duration: 7, caption: "a" };
  const { result: sent } = await send("sendVideo", video);
  const { result: edited } = await send("editMessageCaption", {
    chat_id: 1,
    message_id: sent.message_id,
    caption: "b",
    caption_entities: [{ type: "bold", offset: 0, length: 1 }],
  });
  assertEquals(edited.video, sent.video);
  assertEquals([edited.video.width, edited.video.duration, edited.caption], [320, 7, "b"]);
  assertEquals(edited.caption_entities, [{ type: "bold", offset: 0, length: 1 }]);
  const { result: dice } = await send("sendDice", { chat_id: 1 });
  const one = { chat_id: 1, message_id: dice.message_id };
  assertEquals(
    (await send("editMessageCaption", { ...one, caption: "b" })).description,
    "Bad Request: there is no caption in the message to edit",
  );
  // A new keyboard leaves the value.
  const markup = { inline_keyboard: [[{ text: "Go", callback_data: "go" }]] };
  const { result: again } = await send("editMessageReplyMarkup", { ...one, reply_markup: markup });
  assertEquals([again.dice, again.reply_markup], [dice.dice, markup]);
});

Deno.test("copies take a new caption or none, and forwards name their origin", async () => {
  await using service = await startService({ plugins: [chat] });
  const send = async (method: string, body: unknown) =>
    (await call(service, method, JSON.stringify(body))).json.result;
  const photo = await send("sendPhoto", {
    chat_id: 1,
    photo: "id",
    caption: "<b>a</b>",
    parse_mode: "HTML",
  });
  const from = { chat_id: 2, from_chat_id: 1, message_id: photo.message_id };
  const forwarded = await send("forwardMessage", from);
  assertEquals([forwarded.caption, forwarded.caption_entities], ["a", photo.caption_entities]);
  assertEquals(forwarded.forward_origin, {
    type: "user",
    date: photo.date,
    sender_user: photo.from,
  });
  await send("copyMessage", { ...from, caption: "b" });
  assertEquals((await newest(service)).message.text, "b");
  await send("copyMessages", {
    chat_id: 2,
    from_chat_id: 1,
    message_ids: [photo.message_id],
    remove_caption: true,
  });
  assertEquals((await newest(service)).message.text, "[photo] id");
  const unknown = await send("forwardMessage", { ...from, message_id: 1 });
  assertEquals(unknown.forward_origin.type, "hidden_user");
});

Deno.test("invoices and paid media can be forwarded, but not copied", async () => {
  await using service = await startService({ plugins: [chat] });
  const send = async (method: string, body: unknown) =>
    (await call(service, method, JSON.stringify(body))).json;
  const paid = await send("sendPaidMedia", {
    chat_id: 1,
    star_count: 5,
    media: [{ type: "photo", media: "id" }],
  });
  const { result: text } = await send("sendMessage", { chat_id: 1, text: "x" });
  const { message_id } = paid.result;
  const from = { chat_id: 2, from_chat_id: 1 };
  assertEquals(
    (await send("copyMessage", { ...from, message_id })).description,
    "Bad Request: the message can't be copied",
  );
  const ids = [message_id, text.message_id];
  assertEquals((await send("copyMessages", { ...from, message_ids: ids })).result.length, 1);
  const { result: forwarded } = await send("forwardMessage", { ...from, message_id });
  assertEquals(forwarded.paid_media, paid.result.paid_media);
});

Deno.test("entities that are null count as absent, as Go's client sends them", async () => {
  await using service = await startService({ plugins: [chat] });
  const form = new URLSearchParams({ chat_id: "1", text: "x", entities: "null" });
  const { json } = await call(service, "sendMessage", form);
  assertEquals([json.ok, json.result.entities], [true, undefined]);
  const poll = {
    question: "q",
    options: [{ text: "a", text_parse_mode: null, text_entities: null }],
  };
  const sent = await call(service, "sendPoll", JSON.stringify({ chat_id: 1, ...poll }));
  assertEquals(sent.json.result.poll.options[0].text, "a");
});

Deno.test("media of polls and of their options are captured, and returned with the poll", async () => {
  await using service = await startService({ plugins: [chat] });
  const options = [
    { text: "a", media: { type: "venue", latitude: 1, longitude: 2, title: "t", address: "s" } },
    { text: "b", media: { type: "link", url: "https://example.com/" } },
  ];
  const form = new FormData();
  form.append("chat_id", "1");
  form.append("question", "q");
  form.append("options", JSON.stringify(options));
  form.append("media", '{"type":"photo","media":"attach://one"}');
  form.append("one", new File(["picture"], "a.png"));
  const { poll } = (await call(service, "sendPoll", form)).json.result;
  assertEquals(poll.media.photo[0].file_size, 7);
  assertEquals(poll.options[0].media.venue, {
    location: { latitude: 1, longitude: 2 },
    title: "t",
    address: "s",
  });
  assertEquals(poll.options[1].media, { link: { url: "https://example.com/" } });
  const { message } = await newest(service);
  assertEquals(message.files?.map(({ filename }) => filename), ["a.png"]);
  assertEquals(message.contents?.[0]?.json, {
    poll: { question: "q", options, media: { type: "photo", media: "attach://one" } },
  });
});
