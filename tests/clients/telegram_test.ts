import { Buffer } from "node:buffer";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { Bot, GrammyError, InputFile } from "npm:grammy@1.46.0";
import { Telegraf, TelegramError } from "npm:telegraf@4.16.3";
import type { CapturedEvent } from "../../core/events/event.ts";
import { chat } from "../../plugins/chat/mod.ts";
import type { ChatMessage } from "../../plugins/chat/model.ts";
import { startService, type TestService } from "../support/service.ts";

const TOKEN = "123456:secret";

/** Returns the captures, oldest first. */
function captured(service: TestService): CapturedEvent<ChatMessage>[] {
  return (service.events.list({ plugin: "chat" }) as CapturedEvent<ChatMessage>[]).reverse();
}

async function blobOf(service: TestService, event: CapturedEvent<ChatMessage>): Promise<string> {
  const { blob } = event.payload.files![0]!;
  return await (await fetch(`${service.api.url}/api/v1/blobs/${blob.id}`)).text();
}

Deno.test(
  "grammY sends, edits, reacts and deletes, and the events hold all of it",
  async () => {
    await using service = await startService({ plugins: [chat] });
    const { api } = new Bot(TOKEN, { client: { apiRoot: service.ingress.url } });
    const me = await api.getMe();
    assertEquals([me.id, me.is_bot], [123456, true]);
    const keyboard = { inline_keyboard: [[{ text: "Go", callback_data: "go" }]] };
    const sent = await api.sendMessage(4242, "<b>hello</b> &amp; more", {
      parse_mode: "HTML",
      reply_markup: keyboard,
    });
    assertEquals([sent.text, sent.chat.id, sent.chat.type], ["hello & more", 4242, "private"]);
    assertEquals(sent.entities, [{ type: "bold", offset: 0, length: 5 }]);
    assertEquals(sent.reply_markup, keyboard);
    const answer = await api.sendMessage(4242, "re", {
      reply_parameters: { message_id: sent.message_id },
    });
    assertEquals(answer.reply_to_message?.message_id, sent.message_id);
    const edited = await api.editMessageText(4242, sent.message_id, "changed");
    assert(edited !== true);
    const { text, reply_markup } = edited as { text?: string; reply_markup?: object };
    assertEquals([text, reply_markup], ["changed", undefined]);
    const same = await assertRejects(
      () => api.editMessageText(4242, sent.message_id, "changed"),
      GrammyError,
    );
    assert(same.description.startsWith("Bad Request: message is not modified"));
    await api.setMessageReaction(4242, sent.message_id, [{ type: "emoji", emoji: "👍" }]);
    await api.deleteMessage(4242, sent.message_id);
    const gone = await assertRejects(
      () => api.deleteMessage(4242, sent.message_id),
      GrammyError,
    );
    assertEquals([gone.error_code, gone.description], [
      400,
      "Bad Request: message to delete not found",
    ]);
    const [first, reply, edit, reaction, deletion] = captured(service);
    assertEquals(first!.payload.text, "<b>hello</b> &amp; more");
    assertEquals(first!.payload.channel, { id: "4242", name: "Telegram 4242" });
    assertEquals(first!.payload.contents?.[0]?.json, keyboard);
    assertEquals([first!.meta.parse_mode, first!.meta.bot_token], ["HTML", TOKEN]);
    assertEquals(reply!.payload.thread_ts, first!.payload.ts);
    assertEquals([edit!.payload.text, edit!.payload.change?.event_id], ["changed", first!.id]);
    assertEquals(reaction!.payload.change?.reaction, "👍");
    assertEquals([deletion!.type, deletion!.payload.text], ["chat.deletion", "changed"]);
  },
);

Deno.test("grammY sends files, albums and more, and downloads what it sent", async () => {
  await using service = await startService({ plugins: [chat] });
  const { api } = new Bot(TOKEN, { client: { apiRoot: service.ingress.url } });
  const photo = await api.sendPhoto("@news_channel", new InputFile(Buffer.from("png é"), "a.png"), {
    caption: "*c*",
    parse_mode: "MarkdownV2",
  });
  assertEquals([photo.caption, photo.photo.length], ["c", 1]);
  const document = await api.sendDocument(-42, "https://example.com/report.pdf");
  assertEquals([document.chat.type, document.document.file_id], [
    "group",
    "https://example.com/report.pdf",
  ]);
  const album = await api.sendMediaGroup(-1001234567890, [
    { type: "photo", media: new InputFile(Buffer.from("one"), "1.png"), caption: "first" },
    { type: "photo", media: new InputFile(Buffer.from("two"), "2.png") },
  ]);
  assertEquals(album.length, 2);
  const groups = album.map((one) => "media_group_id" in one ? one.media_group_id : undefined);
  assertEquals([new Set(groups).size, typeof groups[0]], [1, "string"]);
  const place = await api.sendLocation(4242, 51.5, -0.12);
  assertEquals(place.location, { latitude: 51.5, longitude: -0.12 });
  const poll = await api.sendPoll(4242, "Which?", ["a", "b"].map((text) => ({ text })));
  assertEquals(poll.message_id > place.message_id, true);
  const file = await api.getFile(photo.photo[0]!.file_id);
  const download = await fetch(`${service.ingress.url}/file/bot${TOKEN}/${file.file_path}`);
  assertEquals(await download.text(), "png é");
  const caption = await api.editMessageCaption("@news_channel", photo.message_id, {
    caption: "new",
  });
  assert(caption !== true);
  const events = captured(service);
  assertEquals(events.map(({ payload }) => payload.text), [
    "*c*",
    "[document] https://example.com/report.pdf",
    "first",
    "[2.png]",
    "[location] 51.5",
    "[poll] Which?",
    "new",
  ]);
  assertEquals(events[0]!.payload.channel.name, "@news_channel");
  assertEquals(await blobOf(service, events[0]!), "png é");
  assertEquals(await blobOf(service, events[3]!), "two");
  assertEquals(await blobOf(service, events[6]!), "png é");
});

Deno.test("grammY starts, waits for updates that never come, and stops", async () => {
  await using service = await startService({ plugins: [chat] });
  const bot = new Bot(TOKEN, { client: { apiRoot: service.ingress.url } });
  const started = Promise.withResolvers<void>();
  const running = bot.start({ onStart: () => started.resolve() });
  await started.promise;
  await bot.stop();
  await running;
  await bot.api.setMyCommands([{ command: "start", description: "Begin" }]);
  assertEquals(await bot.api.getMyCommands(), [{ command: "start", description: "Begin" }]);
  await bot.api.setWebhook("https://example.com/hook", { secret_token: "s" });
  assertEquals((await bot.api.getWebhookInfo()).url, "https://example.com/hook");
  const error = await assertRejects(() => bot.api.getUpdates(), GrammyError);
  assertEquals(error.error_code, 409);
  assertEquals(captured(service).map(({ type, meta }) => [type, meta.method]), [
    ["chat.call", "deleteWebhook"],
    ["chat.call", "setMyCommands"],
    ["chat.call", "setWebhook"],
  ]);
});

Deno.test("telegraf sends, answers a button and understands refusals", async () => {
  const config = { plugins: { chat: { providers: { chat4: { bot_token: TOKEN } } } } };
  await using service = await startService({ plugins: [chat], config });
  const connect = (token: string) =>
    new Telegraf(token, { telegram: { apiRoot: service.ingress.url } }).telegram;
  const telegram = connect(TOKEN);
  const sent = await telegram.sendMessage(4242, "hello");
  assertEquals(sent.text, "hello");
  assertEquals(await telegram.answerCbQuery("1", "Done"), true);
  const copied = await telegram.copyMessage(4243, 4242, sent.message_id);
  assert(copied.message_id > sent.message_id);
  const refusals: readonly [string, () => Promise<unknown>][] = [
    ["Bad Request: message text is empty", () => telegram.sendMessage(4242, " ")],
    ["Bad Request: message is too long", () => telegram.sendMessage(4242, "x".repeat(4097))],
    ["Bad Request: chat not found", () => telegram.sendMessage("nobody", "x")],
    [
      "Bad Request: message to edit not found",
      () => telegram.editMessageText(4242, 1, undefined, "x"),
    ],
    [
      "Bad Request: can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
      () =>
        telegram.sendMessage(4242, "x", {
          reply_markup: { inline_keyboard: [[{ text: "Go", style: "danger" } as never]] },
        }),
    ],
    ["Bad Request: BUTTON_DATA_INVALID", () =>
      telegram.sendMessage(4242, "x", {
        reply_markup: { inline_keyboard: [[{ text: "b", callback_data: "x".repeat(65) }]] },
      })],
    ["Unauthorized", () => connect("123456:other").getMe()],
    ["Unauthorized: invalid token specified", () => connect("nonsense").getMe()],
    ["Not Found: method not found", () => telegram.callApi("sendMesage" as "getMe", {})],
  ];
  for (const [description, run] of refusals) {
    const error = await assertRejects(run, TelegramError);
    assertEquals(error.description, description);
  }
  const events = captured(service);
  assertEquals(events.map(({ type }) => type), ["chat.message", "chat.call", "chat.message"]);
  assertEquals([events[2]!.payload.text, events[2]!.payload.channel.id], ["hello", "4243"]);
});
