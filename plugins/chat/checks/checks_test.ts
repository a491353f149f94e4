import { type CheckedItem, testTwins } from "../../../tests/support/checks.ts";
import { CHECKS } from "./mod.ts";

const blocks = (json: unknown, more: object = {}): CheckedItem => ({
  provider: "chat1",
  payload: { text: "Hello", contents: [{ format: "chat1.blocks", data: "", json }] },
  raw: { body: JSON.stringify({ text: "Hello", blocks: json }) },
  ...more,
});
const section = (more: object) => ({ type: "section", ...more });
const text = (text: string): CheckedItem => ({
  provider: "chat1",
  payload: { text },
  raw: { body: JSON.stringify({ text }) },
});

const discord = (name: string, json: unknown, more: object = {}): CheckedItem => ({
  provider: "chat3",
  payload: { text: "Hello", contents: [{ format: `chat3.${name}`, data: "", json }], ...more },
});
/** Components of Discord, with the flag for all of them. */
const components = (...json: object[]): CheckedItem => ({
  ...discord("components", json),
  meta: { flags: 32768 },
});
const row = (...components: object[]) => ({ type: 1, components });
const button = (more: object = {}) => ({
  type: 2,
  style: 1,
  label: "Go",
  custom_id: "go",
  ...more,
});
const said = (text: string, allowed_mentions?: object): CheckedItem => ({
  provider: "chat3",
  payload: { text },
  meta: { allowed_mentions },
});
const telegram = (text: string, meta: object = {}): CheckedItem => ({
  provider: "chat4",
  payload: { text },
  meta: { kind: "text", plain: text, ...meta },
});
const content = (json: unknown, format = "content"): CheckedItem => ({
  provider: "chat4",
  payload: { text: "Hello", contents: [{ format: `chat4.${format}`, data: "", json }] },
});
const keyboard = (...buttons: object[]) => content({ inline_keyboard: [buttons] }, "reply_markup");
const users = (most: number) =>
  content(
    { keyboard: [[{ text: "Who?", request_users: { request_id: 1, max_quantity: most } }]] },
    "reply_markup",
  );
const checklist = (title: string, ...tasks: readonly object[]) =>
  content({ checklist: { title, tasks: tasks.length === 0 ? [{ id: 1, text: "a" }] : tasks } });
const file = (
  provider: string,
  size: number,
  meta: Readonly<Record<string, unknown>> = {},
): CheckedItem => ({
  provider,
  payload: { text: "", files: [{ blob: { id: "1" }, size, filename: "a.bin" }] },
  meta,
});

testTwins(CHECKS, {
  "chat.component_limit of a label": {
    bad: components(row(button({ label: "a".repeat(81) }))),
    good: components(row(button({ label: "a".repeat(80) }))),
    says: "81 characters; at most 80",
  },
  "chat.component_limit of a row": {
    bad: components(row(...Array.from({ length: 6 }, (_, i) => button({ custom_id: `${i}` })))),
    good: components(row(...Array.from({ length: 5 }, (_, i) => button({ custom_id: `${i}` })))),
    says: "6 entries; at most 5",
  },
  "chat.component_limit of an option": {
    bad: components(
      row({ type: 3, custom_id: "a", options: [{ label: "a".repeat(101), value: "a" }] }),
    ),
    good: components(row({ type: 3, custom_id: "a", options: [{ label: "a", value: "a" }] })),
  },
  "chat.component_limit of a gallery": {
    bad: components({ type: 12, items: Array(11).fill({ media: { url: "https://example.org" } }) }),
    good: components({
      type: 12,
      items: Array(10).fill({ media: { url: "https://example.org" } }),
    }),
    says: "11 entries; at most 10",
  },
  "chat.component_limit of a message": {
    bad: components(...Array(41).fill({ type: 14 })),
    good: components(...Array(40).fill({ type: 14 })),
    says: "41 components",
  },
  "chat.component_limit of text": {
    bad: components({ type: 10, content: "a".repeat(2000) }, {
      type: 10,
      content: "a".repeat(2001),
    }),
    good: components({ type: 10, content: "a".repeat(2000) }, {
      type: 10,
      content: "a".repeat(2000),
    }),
    says: "4001 characters in all text displays; at most 4000",
  },
  "chat.component_limit of a message without the flag": {
    bad: discord(
      "components",
      Array(6).fill(row({ type: 2, style: 5, label: "a", url: "https://a" })),
    ),
    good: discord(
      "components",
      Array(5).fill(row({ type: 2, style: 5, label: "a", url: "https://a" })),
    ),
    says: "6 action rows; at most 5",
  },
  "chat.component_member": {
    bad: components(row(button({ style: 5 }))),
    good: components(
      row(button({ style: 5, custom_id: undefined, url: "https://example.org" })),
    ),
    says: "A link button (style 5) needs url",
  },
  "chat.component_member of a section": {
    bad: components({ type: 9, components: [{ type: 10, content: "Hi" }] }),
    good: components({
      type: 9,
      components: [{ type: 10, content: "Hi" }],
      accessory: { type: 11, media: { url: "https://example.org/a.png" } },
    }),
    says: "A section needs accessory",
  },
  "chat.component_member of a row": {
    bad: components(row({ type: 5, custom_id: "a" }, { type: 6, custom_id: "b" })),
    good: components(row({ type: 5, custom_id: "a" }), row({ type: 6, custom_id: "b" })),
    says: "a single select",
  },
  "chat.component_member of a menu": {
    bad: components(row({ type: 5, custom_id: "a", min_values: 3, max_values: 2 })),
    good: components(row({ type: 5, custom_id: "a", min_values: 0, max_values: 25 })),
    says: "min_values is 3, above max_values of 2",
  },
  "chat.component_member of defaults": {
    bad: components(row({ type: 5, custom_id: "a", default_values: [{ id: "1" }, { id: "2" }] })),
    good: components(
      row({ type: 5, custom_id: "a", max_values: 2, default_values: [{ id: "1" }, { id: "2" }] }),
    ),
    says: "2 default_values; expected 1 to 1",
  },
  "chat.component_member of a container": {
    bad: components({ type: 17, accent_color: 0x1000000, components: [{ type: 14 }] }),
    good: components({ type: 17, accent_color: 0xffffff, components: [{ type: 14, spacing: 2 }] }),
    says: "accent_color is 16777216",
  },
  "chat.component_member of a file": {
    bad: components({ type: 13, file: { url: "https://example.org/a.pdf" } }),
    good: components({ type: 13, file: { url: "attachment://a.pdf" } }),
    says: "attachment://name",
  },
  "chat.component_type at the top": {
    bad: components(button()),
    good: components(row(button())),
    says: "Type 2 cannot be at the top of a message",
  },
  "chat.component_type in a section": {
    bad: components({ type: 9, components: [{ type: 14 }], accessory: button() }),
    good: components({ type: 9, components: [{ type: 10, content: "a" }], accessory: button() }),
    says: "Type 14 cannot be in components of this component; expected 10",
  },
  "chat.component_type": {
    bad: components({ type: 4, custom_id: "a" }),
    good: components({ type: 10, content: "Hi" }),
    says: "Type 4 is not a component",
  },
  "chat.component_type without the flag": {
    bad: discord("components", [{ type: 10, content: "Hi" }]),
    good: discord("components", [row(button())]),
    says: "only action rows",
  },
  "chat.component_id": {
    bad: components(row(button(), button())),
    good: components(row(button(), button({ custom_id: "stop" }))),
  },
  "chat.component_ignored": {
    bad: { ...discord("components", [row(button())]), meta: { components_ignored: "Yes" } },
    good: discord("components", [row(button())]),
  },
  "chat.embed_url": {
    bad: discord("embeds", [{ title: "a", url: "https://a" }, { title: "b", url: "https://a" }]),
    good: discord("embeds", [{ title: "a", url: "https://a" }, { title: "b", url: "https://b" }]),
  },
  "chat.attachment_reference": {
    bad: discord("embeds", [{ image: { url: "attachment://b.png" } }], {
      files: [{ blob: { id: "1" }, size: 1, filename: "a.png" }],
    }),
    good: discord("embeds", [{ image: { url: "attachment://a.png" } }], {
      files: [{ blob: { id: "1" }, size: 1, filename: "a.png" }],
    }),
    says: 'no file "b.png"',
  },
  "chat.mention_silent": {
    bad: said("Look, @here"),
    good: said("Look, @here, <@123>", { parse: ["everyone"] }),
    marks: "@here",
  },
  "chat.mention_silent of a role": {
    bad: said("Look, <@&12>", { parse: ["users"] }),
    good: said("Look, <@&12>", { roles: ["12"] }),
    marks: "<@&12>",
  },
  "chat.allowed_mentions": {
    bad: said("<@1>", { parse: ["users"], users: ["1"] }),
    good: said("<@1>", { parse: ["roles"], users: ["1"] }),
  },
  "chat.discord_poll": {
    bad: discord("poll", {
      question: { text: "Which?" },
      answers: [{ poll_media: { text: "a".repeat(56) } }],
    }),
    good: discord("poll", {
      question: { text: "Which?" },
      answers: [{ poll_media: { text: "a".repeat(55) } }],
      duration: 768,
    }),
    says: "56 characters; at most 55",
  },
  "chat.file_size": { bad: file("chat3", 10_485_761), good: file("chat3", 10_485_760) },
  "chat.file_description": {
    bad: {
      provider: "chat3",
      payload: { text: "", files: [{ blob: { id: "1" }, size: 1, title: "a".repeat(1025) }] },
    },
    good: {
      provider: "chat3",
      payload: { text: "", files: [{ blob: { id: "1" }, size: 1, title: "a".repeat(1024) }] },
    },
  },
  "chat.parse_mode of a tag": {
    bad: telegram("Paid: <b>12</b>"),
    good: telegram("Paid: <b>12</b>", { parse_mode: "HTML", plain: "Paid: 12" }),
    marks: "<b>",
  },
  "chat.parse_mode of a mark": {
    bad: telegram("Paid: **12**", { parse_mode: "HTML" }),
    good: telegram("Paid: *12*, 2 * 3 * 4", { parse_mode: "MarkdownV2" }),
    marks: "**12**",
  },
  "chat.parse_mode of a single mark": {
    bad: telegram("Paid: *12*"),
    good: telegram("2 * 3 * 4 is 2*3*4, or **"),
    marks: "*12*",
  },
  "chat.entities": {
    bad: telegram("Hello", { entities: [{ type: "bold", offset: 3, length: 3 }] }),
    good: telegram("Hello", { entities: [{ type: "bold", offset: 3, length: 2 }] }),
    says: "begins at 3",
  },
  "chat.entities beside a mode": {
    bad: telegram("a", {
      parse_mode: "HTML",
      caption_entities: [{ type: "bold", offset: 0, length: 1 }],
    }),
    good: telegram("a", { caption_entities: [{ type: "bold", offset: 0, length: 1 }] }),
    says: "ignored with parse_mode",
  },
  "chat.keyboard_button": {
    bad: keyboard({ text: "Go", url: "https://a.example", callback_data: "go" }),
    good: keyboard({ text: "Go", url: "https://a.example" }),
    says: "got url and callback_data",
  },
  "chat.keyboard_button with an address": {
    bad: keyboard({ text: "Go", web_app: { url: "http://a.example" } }),
    good: keyboard({ text: "Go", web_app: { url: "https://a.example" } }),
    says: "an address of https",
  },
  "chat.keyboard_button that takes money": {
    bad: keyboard({ text: "Help", callback_data: "help" }, { text: "Pay", pay: true }),
    good: keyboard({ text: "Pay", pay: true }, { text: "Help", callback_data: "help" }),
    says: "first one of the first row",
  },
  "chat.keyboard_limit": {
    bad: keyboard({ text: "Copy", copy_text: { text: "a".repeat(257) } }),
    good: keyboard({ text: "Copy", copy_text: { text: "a".repeat(256) } }),
  },
  "chat.keyboard_limit of users": {
    bad: users(11),
    good: users(10),
    says: "max_quantity is 11; expected 1 to 10",
  },
  "chat.keyboard_limit of a placeholder": {
    bad: content({ keyboard: [], input_field_placeholder: "a".repeat(65) }, "reply_markup"),
    good: content({ keyboard: [], input_field_placeholder: "a".repeat(64) }, "reply_markup"),
  },
  "chat.telegram_poll": {
    bad: content({ poll: { question: "a".repeat(301), options: ["a"] } }),
    good: content({ poll: { question: "a".repeat(300), options: [{ text: "a" }] } }),
  },
  "chat.telegram_poll of an option": {
    bad: content({ poll: { question: "a", options: ["a", "b".repeat(101)] } }),
    good: content({ poll: { question: "a", options: Array(12).fill("a") } }),
    says: "101 characters; expected 1 to 100",
  },
  "chat.telegram_poll of an explanation": {
    bad: content({ poll: { question: "a", options: ["b"], explanation: "a\nb\nc\nd" } }),
    good: content({ poll: { question: "a", options: ["b"], explanation: "a\nb\nc" } }),
    says: "3 line feeds; at most 2",
  },
  "chat.telegram_poll that is open too long": {
    bad: content({ poll: { question: "a", options: ["b"], close_date: 1_772_568_001 } }),
    good: content({ poll: { question: "a", options: ["b"], open_period: 2_628_000 } }),
    says: "expected 5 to 2628000",
  },
  "chat.telegram_poll that is a quiz": {
    bad: content({ poll: { question: "a", options: ["b"], type: "quiz" } }),
    good: content({
      poll: { question: "a", options: ["b"], type: "quiz", correct_option_ids: [0] },
    }),
  },
  "chat.telegram_value of a dice": {
    bad: content({ dice: { emoji: "🂡" } }),
    good: content({ dice: { emoji: "🎰" } }),
  },
  "chat.telegram_value of a live place": {
    bad: content({ location: { latitude: 1, longitude: 1, live_period: 86_401 } }),
    good: content({ location: { latitude: 1, longitude: 1, live_period: 0x7fffffff } }),
    says: "live_period is 86401; expected 60 to 86400",
  },
  "chat.telegram_value of tips": {
    bad: content({ invoice: { max_tip_amount: 500, suggested_tip_amounts: [100, 600] } }),
    good: content({ invoice: { max_tip_amount: 500, suggested_tip_amounts: [100, 500] } }),
    says: "none may exceed max_tip_amount",
  },
  "chat.telegram_value of stars": {
    bad: content({ invoice: { currency: "XTR", prices: [{ amount: 1 }, { amount: 2 }] } }),
    good: content({ invoice: { currency: "EUR", prices: [{ amount: 1 }, { amount: 2 }] } }),
  },
  "chat.telegram_value of a checklist": {
    bad: checklist("a".repeat(256)),
    good: checklist("a".repeat(255)),
    says: "256 characters; expected 1 to 255",
  },
  "chat.telegram_value of a task": {
    bad: checklist("Today", { id: 1, text: "a".repeat(101) }),
    good: checklist("Today", { id: 1, text: "a".repeat(100) }),
    says: "101 characters; expected 1 to 100",
  },
  "chat.telegram_value of tasks": {
    bad: checklist("Today", { id: 1, text: "a" }, { id: 1, text: "b" }),
    good: checklist("Today", { id: 1, text: "a" }, { id: 2, text: "b" }),
    says: "1 is also the id of another task",
  },
  "chat.telegram_value of too many tasks": {
    bad: checklist("Today", ...Array.from({ length: 31 }, (_, at) => ({ id: at + 1, text: "a" }))),
    good: checklist("Today", ...Array.from({ length: 30 }, (_, at) => ({ id: at + 1, text: "a" }))),
    says: "31 tasks; expected 1 to 30",
  },
  "chat.telegram_value of a quote": {
    bad: telegram("Hi", { reply_parameters: { message_id: 1, quote: "a".repeat(1025) } }),
    good: telegram("Hi", { reply_parameters: { message_id: 1, quote: "a".repeat(1024) } }),
  },
  "chat.keyboard_button with a style": {
    bad: keyboard({ text: "Go", callback_data: "go", style: "red" }),
    good: keyboard({ text: "Go", callback_data: "go", style: "danger", icon_custom_emoji_id: "1" }),
    says: "danger, success or primary",
  },
  "chat.keyboard_button to log in": {
    bad: keyboard({ text: "Go", login_url: { url: "http://a.example" } }),
    good: keyboard({ text: "Go", login_url: { url: "https://a.example" } }),
  },
  "chat.keyboard_button of a reply keyboard": {
    bad: content(
      { keyboard: [[{ text: "Go", request_contact: true, request_location: true }]] },
      "reply_markup",
    ),
    good: content({ keyboard: [["Yes", { text: "No", request_contact: true }]] }, "reply_markup"),
    says: "request_contact and request_location",
  },
  "chat.telegram_value": {
    bad: content({ location: { latitude: 91, longitude: 0 } }),
    good: content({ location: { latitude: -90, longitude: 180, horizontal_accuracy: 1500 } }),
    says: "latitude is 91; expected -90 to 90",
  },
  "chat.telegram_value of an invoice": {
    bad: content({ invoice: { title: "a".repeat(33), description: "a", payload: "1" } }),
    good: content({ invoice: { title: "a".repeat(32), description: "a", payload: "1" } }),
    says: "title has 33 characters",
  },
  "chat.telegram_file": {
    bad: file("chat4", 10_000_001, { kind: "photo" }),
    good: file("chat4", 10_000_001, { kind: "document" }),
  },
  "chat.fallback": {
    bad: blocks([section({ text: { type: "mrkdwn", text: "Hello" } })], {
      raw: { body: '{"blocks":[{"text":{"text":"Hello"}}]}' },
    }),
    good: blocks([section({ text: { type: "mrkdwn", text: "Hello" } })]),
  },
  "chat.mention": {
    bad: text("Ask @ada about it"),
    good: text("Ask <@U123> or ada@example.org, <!here>, https://example.org/@ada"),
    marks: "@ada",
  },
  "chat.markdown": {
    bad: text("This is **bold**"),
    good: text("This is *bold*, 2**3 is 8"),
    marks: "**bold**",
  },
  "chat.length": { bad: text("a".repeat(4001)), good: text("a".repeat(4000)) },
  "chat.placeholder": {
    bad: text("Deployed ${version}"),
    good: text("Deployed 1.2.3"),
    marks: "${version}",
  },
  "chat.private_link": {
    bad: text("See http://ci.local/1"),
    good: text("See https://ci.example.org/1"),
  },
}, (id) => !/^chat\.(?:card_|block_|image_alt$)/.test(id));
