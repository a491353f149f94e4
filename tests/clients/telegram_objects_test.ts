import { assert, assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { chat } from "../../plugins/chat/mod.ts";
import type { ChatMessage } from "../../plugins/chat/model.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

/** Returns what a script printed. */
async function run(python: string, name: string, service: TestService) {
  const script = new URL(`python/${name}`, import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, service.ingress.url], { env: { NO_PROXY: "*" } });
  return JSON.parse(stdout);
}

/** Returns the events of sends, edits and calls, oldest first, with their content as sent. */
function captured(service: TestService) {
  const events = service.events.list({ provider: "chat4" }) as CapturedEvent<ChatMessage>[];
  return events.toReversed().map(({ payload, meta }) => ({
    line: [meta.method, payload.text, payload.files?.length ?? 0],
    content: payload.contents?.find(({ format }) => format === "chat4.content")?.json,
    meta,
  }));
}

Deno.test("python-telegram-bot parses every kind of message that it sends", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [chat] });
  const { dice, ...seen } = await run(python, "telegram_objects.py", service);
  for (const [emoji, most] of [["🎲", 6], ["🏀", 5], ["🎰", 64]] as const) {
    assert(dice[emoji] >= 1 && dice[emoji] <= most, `${emoji} ${dice[emoji]}`);
  }
  assertEquals(seen, {
    text: ["Build failed", ["Build"], 4242, true],
    photo: ["see", 7, true, true],
    again: true,
    file: true,
    poll: {
      is_id: true,
      question: "Ship it?",
      options: [["yes", 0, true], ["no", 0, true]],
      voters: 0,
      flags: [false, false, false],
      type: "regular",
    },
    quiz: [[1], 60, true],
    forwarded: [true, true],
    stopped: [true, true],
    venue: ["Office", "1 High Street", 51.5, "f1", -0.12],
    location: [[51.5, 600], [52, 600], [52, null]],
    contact: ["+15551234567", "Ada", "L"],
    invoice: ["Ticket", "One seat", "", "EUR", 1045],
    link: "https://t.me/$",
    game: ["chess", true, 1],
    album: [true, "first", [640, 360]],
    animation: [10, "a.gif"],
    audio: ["P", "T", true],
    others: [true, 240, "👍", "regular"],
    paid: [5, 4, 320],
    checklist: [["Dinner", ["buy", "cook"]], ["Lunch", ["buy"]]],
    business: "b1",
    edited: ["Build passed", [], true],
    button: "https://example.com/",
    copy: true,
    reply: [true, "Build passed", true, 7],
    chat: [4242, true],
    action: true,
    refused: [
      "Poll has already been closed",
      "Message is not a poll",
      "Message can't be edited",
      "Wrong parameter action in request",
      "There must be at least one price",
      "Poll question must be non-empty",
      "Invalid media price specified",
    ],
  });
  const events = captured(service);
  const file = "[application.octet-stream]";
  const photo = events.find(({ line }) => line[1] === "see")!;
  assertEquals([photo.meta.kind, photo.meta.has_spoiler], ["photo", true]);
  assertEquals(
    events.map(({ line }) => line).filter(([, text]) => !String(text).startsWith("[photo]")),
    [
      ["sendMessage", "<b>Build</b> failed", 0],
      ["sendPhoto", "see", 1],
      ["sendPoll", "[poll] Ship it?", 0],
      ["sendPoll", "[poll] 1 + 1?", 0],
      ["forwardMessage", "[poll] Ship it?", 0],
      ["stopPoll", "[poll] Ship it?", 0],
      ["sendDice", "[dice] 🎲", 0],
      ["sendDice", "[dice] 🏀", 0],
      ["sendDice", "[dice] 🎰", 0],
      ["sendVenue", "[venue] 51.5", 0],
      ["sendLocation", "[location] 51.5", 0],
      ["editMessageLiveLocation", "[location] 52", 0],
      ["stopMessageLiveLocation", "[location] 52", 0],
      ["sendContact", "[contact] +15551234567", 0],
      ["sendInvoice", "[invoice] Ticket", 0],
      [
        "createInvoiceLink",
        String(events.find(({ meta }) => meta.method === "createInvoiceLink")!.line[1]),
        0,
      ],
      ["sendGame", "[game] chess", 0],
      ["sendMediaGroup", "*first*", 1],
      ["sendMediaGroup", `${file} ${file}`, 2],
      ["sendAnimation", "[a.gif]", 1],
      ["sendAudio", file, 1],
      ["sendVoice", file, 1],
      ["sendVideoNote", file, 1],
      ["sendSticker", file, 1],
      ["sendPaidMedia", "[paid_media] 5", 2],
      ["sendChecklist", "[checklist] Dinner", 0],
      ["editMessageChecklist", "[checklist] Lunch", 0],
      ["editMessageText", "Build passed", 0],
      ["copyMessage", "copied", 1],
      ["sendMessage", "re", 0],
      ["sendMessage", "re", 0],
      ["sendChatAction", "sendChatAction\naction: typing", 0],
    ],
  );
  const sent = (method: string) => events.find(({ line }) => line[0] === method)!.content;
  // Everything that was sent, and nothing that was made up.
  assertEquals(sent("sendPoll"), {
    poll: {
      question: "Ship it?",
      options: [{ text: "yes" }, { text: "<i>no</i>", text_parse_mode: "HTML" }],
      is_anonymous: false,
    },
  });
  assertEquals(sent("stopPoll"), {
    poll: {
      question: "Ship it?",
      options: [{ text: "yes" }, { text: "<i>no</i>", text_parse_mode: "HTML" }],
      is_anonymous: false,
      is_closed: true,
    },
  });
  assertEquals(sent("sendVenue"), {
    venue: {
      latitude: 51.5,
      longitude: -0.12,
      title: "Office",
      address: "1 High Street",
      foursquare_id: "f1",
    },
  });
  assertEquals(sent("sendInvoice"), {
    invoice: {
      title: "Ticket",
      description: "One seat",
      payload: "order-7",
      currency: "EUR",
      prices: [{ label: "Ticket", amount: 1000 }, { label: "Tax", amount: 45 }],
    },
  });
});

Deno.test("aiogram, whose models are strict, parses every kind of message", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [chat] });
  assertEquals(await run(python, "aiogram_calls.py", service), {
    me: [123456, true],
    text: ["hello", "bold"],
    photo: ["see", true],
    poll: [["yes", "no"], 2, true, "Now"],
    media: [7, 2],
    stopped: true,
    dice: true,
    venue: 2.5,
    location: 1.5,
    contact: "Ada",
    invoice: [1000, "s"],
    game: true,
    album: ["first", "clip-id", 1],
    live: 0,
    files: {
      document: 5,
      audio: 5,
      video: 5,
      animation: 5,
      voice: 5,
      video_note: 5,
      sticker: 5,
    },
    paid: ["photo", "video"],
    checklist: "buy",
    rich: ["# Report", "All **green**"],
    blocks: ["To buy", "milk", 7],
    changed: "<p>new</p>",
    draft: true,
    forwarded: "user",
    edited: ["new", "italic"],
    chat: true,
    refused:
      "Bad Request: exactly one of html, markdown and blocks must be used in InputRichMessage",
  });
  const events = captured(service);
  const rich = events.filter(({ meta }) => meta.kind === "rich_message");
  assertEquals(rich.map(({ line }) => line), [
    ["sendRichMessage", "# Report\n\nAll **green**", 0],
    ["sendRichMessage", "To buy\nmilk", 1],
    ["editMessageText", "<p>new</p>", 0],
  ]);
  assertEquals(rich.map(({ content }) => content).at(-1), { rich_message: { html: "<p>new</p>" } });
  const album = events.filter(({ meta }) => meta.method === "sendMediaGroup");
  assertEquals(album.map(({ content }) => content), [
    undefined,
    { live_photo: "clip-id", photo: "still-id" },
  ]);
});
