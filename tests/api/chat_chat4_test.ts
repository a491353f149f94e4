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

Deno.test("texts are measured in characters, and an album of one is a single message", async () => {
  await using service = await startService({ plugins: [chat] });
  const send = async (method: string, body: unknown) =>
    (await call(service, method, JSON.stringify({ chat_id: 1, ...body as object }))).json;
  assertEquals((await send("sendMessage", { text: ` ${"👍".repeat(4096)}\n` })).ok, true);
  assertEquals(
    (await send("sendMessage", { text: "👍".repeat(4097) })).description,
    "Bad Request: message is too long",
  );
  const caption = "👍".repeat(1024);
  assertEquals((await send("sendPhoto", { photo: "id", caption })).ok, true);
  const { result } = await send("sendMediaGroup", { media: [{ type: "photo", media: "id" }] });
  assertEquals(result.map((one: Record<string, unknown>) => "media_group_id" in one), [false]);
  const album = { media: [{ type: "photo", media: "a" }, { type: "video", media: "b" }] };
  const { result: two } = await send("sendMediaGroup", album);
  assertEquals(typeof two[0].media_group_id, "string");
});

Deno.test("keyboards with every action of a button are accepted", async () => {
  await using service = await startService({ plugins: [chat] });
  const page = { url: "https://e.example" };
  const actions = [
    ...[{ url: "e.example" }, { url: "tg://user?id=1" }, { url: "http://127.0.0.1:8080/x" }],
    ...[{ callback_data: "c" }, { web_app: page }, { login_url: page }, {
      switch_inline_query: "",
    }],
    ...[{ copy_text: { text: "c" } }, { pay: true }, { callback_game: {} }, { disabled: {} }],
  ];
  const buttons = actions.map((one) => [{ text: "b", style: "primary", ...one }]);
  const keys = [["a", { text: "b", request_location: true }, { text: "c", web_app: page }]];
  for (const reply_markup of [{ inline_keyboard: buttons }, { keyboard: keys }]) {
    const body = JSON.stringify({ chat_id: 1, text: "x", reply_markup });
    assertEquals((await call(service, "sendMessage", body)).json.ok, true);
  }
  const { message } = await newest(service);
  const edit = {
    chat_id: 1,
    message_id: Number(message.ts),
    text: "y",
    reply_markup: { keyboard: keys },
  };
  const { json } = await call(service, "editMessageText", JSON.stringify(edit));
  assertEquals(json.description, "Bad Request: inline keyboard expected");
});

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

Deno.test("commands, names, menus and rights are read back by scope, language and chat", async () => {
  await using service = await startService({ plugins: [chat] });
  const send = async (method: string, body: unknown = {}) =>
    (await call(service, method, JSON.stringify(body))).json.result;
  const commands = [{ command: "start", description: "Begin" }];
  const scope = { type: "chat", chat_id: 7 };
  await send("setMyCommands", { commands });
  assertEquals(await send("getMyCommands"), commands);
  assertEquals(await send("getMyCommands", { scope }), []);
  assertEquals(await send("getMyCommands", { language_code: "de" }), []);
  await send("setMyCommands", { commands: [{ ...commands[0], command: "stop" }], scope });
  await send("deleteMyCommands");
  assertEquals(await send("getMyCommands"), []);
  assertEquals((await send("getMyCommands", { scope }))[0].command, "stop");

  assertEquals(await send("getMyName"), { name: "Standin" });
  await send("setMyName", { name: "Robo", language_code: "de" });
  assertEquals(await send("getMyName", { language_code: "de" }), { name: "Robo" });
  assertEquals(await send("getMyName", { language_code: "fr" }), { name: "Standin" });
  await send("setMyShortDescription", { short_description: "S" });
  assertEquals(await send("getMyShortDescription"), { short_description: "S" });
  assertEquals(await send("getMyDescription"), { description: "" });

  assertEquals(await send("getChatMenuButton"), { type: "commands" });
  const menu_button = { type: "web_app", text: "Open", web_app: { url: "https://e.example" } };
  await send("setChatMenuButton", { chat_id: 7, menu_button });
  assertEquals(await send("getChatMenuButton", { chat_id: 7 }), menu_button);
  await send("setMyDefaultAdministratorRights", { rights: { can_manage_chat: true } });
  const rights = await send("getMyDefaultAdministratorRights");
  assertEquals([rights.can_manage_chat, rights.is_anonymous], [true, false]);
});

Deno.test("bots react to messages of users, and topics, links and administrators are answered", async () => {
  await using service = await startService({ plugins: [chat] });
  const send = async (method: string, body: unknown) =>
    (await call(service, method, JSON.stringify(body))).json;
  const to = { chat_id: -1001234567890, message_id: 7 };
  const react = (reaction: unknown) => send("setMessageReaction", { ...to, reaction });
  assertEquals(await react([{ type: "emoji", emoji: "❤\ufe0f" }]), { ok: true, result: true });
  const { type, message } = await newest(service);
  assertEquals([type, message.text.includes("message_id: 7")], ["chat.call", true]);
  const { result: own } = await send("sendMessage", { ...to, text: "x" });
  const reaction = [{ type: "emoji", emoji: "👀" }];
  await send("setMessageReaction", { ...to, message_id: own.message_id, reaction });
  assertEquals((await newest(service)).message.change?.reaction, "👀");
  assertEquals(
    (await react([{ type: "emoji", emoji: "✅" }])).description,
    "Bad Request: REACTION_INVALID",
  );
  assertEquals(
    (await react([{ type: "paid" }])).description,
    "Bad Request: can't parse ReactionType: invalid reaction type specified",
  );

  const { result: topic } = await send("createForumTopic", { ...to, name: "News" });
  assertEquals([topic.name, topic.message_thread_id > own.message_id], ["News", true]);
  assertEquals(
    (await send("createForumTopic", to)).description,
    "Bad Request: name must be non-empty",
  );
  const { result: link } = await send("createChatInviteLink", { ...to, member_limit: 1 });
  assertEquals([link.member_limit, link.is_revoked, link.creator.is_bot], [1, false, true]);
  assertEquals(typeof (await send("exportChatInviteLink", to)).result, "string");
  const { result: [bot] } = await send("getChatAdministrators", to);
  assertEquals([bot.status, bot.user.id], ["administrator", 123456]);
  assertEquals(
    (await send("getChatAdministrators", { chat_id: 1 })).description,
    "Bad Request: there are no administrators in the private chat",
  );
});

Deno.test("files of calls that send no message are in the event", async () => {
  await using service = await startService({ plugins: [chat] });
  const form = new FormData();
  form.append("chat_id", "-100123");
  form.append("photo", new File(["picture"], "a.png"));
  assertEquals((await call(service, "setChatPhoto", form)).json.ok, true);
  const { message } = await newest(service);
  assertEquals(message.files?.map(({ filename, size }) => [filename, size]), [["a.png", 7]]);
});
