/** Calls of Telegram that are refused in the words of its server: https://github.com/tdlib/telegram-bot-api */
import { assertEquals } from "@std/assert";
import { chat } from "../../plugins/chat/mod.ts";
import { startService } from "../support/service.ts";

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
  ["an empty album", "sendMediaGroup", '{"chat_id":1,"media":[]}', "there are no messages to send"],
  [
    "a document beside a photo",
    "sendMediaGroup",
    '{"chat_id":1,"media":[{"type":"photo","media":"a"},{"type":"document","media":"b"}]}',
    "document can't be mixed with other media types",
  ],
  [
    "captions above and below",
    "sendMediaGroup",
    JSON.stringify({
      chat_id: 1,
      media: [
        { type: "photo", media: "a", show_caption_above_media: true },
        { type: "photo", media: "b" },
      ],
    }),
    "parameter show_caption_above_media must be the same for all messages",
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
    "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
  ],
  ...([
    [{ text: "b", url: "http://localhost:3000" }, "http://localhost:3000", "Wrong HTTP URL"],
    [{ text: "b", url: "ftp://e.example" }, "ftp://e.example", "Unsupported URL protocol"],
    [
      { text: "b", url: "https://{{host}}/" },
      "https://{{host}}/",
      "Disallowed character in URL host",
    ],
    [
      { text: "b", url: "tel:+15550100" },
      "tel:+15550100",
      "Wrong port number specified in the URL",
    ],
  ] as const).map(([button, url, why]): [string, string, string, string] => [
    `a button to ${url}`,
    "sendMessage",
    JSON.stringify({ chat_id: 1, text: "x", reply_markup: { inline_keyboard: [[button]] } }),
    `inline keyboard button URL '${url}' is invalid: ${why}`,
  ]),
  [
    "a web app without TLS",
    "sendMessage",
    '{"chat_id":1,"text":"x","reply_markup":{"inline_keyboard":[[{"text":"b","web_app":{"url":"http://e.example"}}]]}}',
    "inline keyboard button Web App URL 'http://e.example' is invalid: Only HTTPS links are allowed",
  ],
  [
    "an unknown style",
    "sendMessage",
    '{"chat_id":1,"text":"x","reply_markup":{"inline_keyboard":[[{"text":"b","callback_data":"c","style":"red"}]]}}',
    "can't parse inline keyboard button: invalid button style specified",
  ],
  [
    "a misspelled action",
    "sendMessage",
    '{"chat_id":1,"text":"x","reply_markup":{"inline_keyboard":[[{"text":"b","data":"c"}]]}}',
    "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
  ],
  [
    "a key without text",
    "sendMessage",
    '{"chat_id":1,"text":"x","reply_markup":{"keyboard":[[{"request_contact":true}]]}}',
    "can't parse keyboard button: Can't find field \"text\"",
  ],
  [
    "a key for the number in a group",
    "sendMessage",
    '{"chat_id":-100123,"text":"x","reply_markup":{"keyboard":[[{"text":"b","request_contact":true}]]}}',
    "phone number can be requested in private chats only",
  ],
  [
    "an unknown entity",
    "sendMessage",
    '{"chat_id":1,"text":"x","entities":[{"type":"big","offset":0,"length":1}]}',
    "can't parse MessageEntity: Unsupported type specified",
  ],
  [
    "a link entity without address",
    "sendMessage",
    '{"chat_id":1,"text":"x","entities":[{"type":"text_link","offset":0,"length":1}]}',
    "can't parse MessageEntity: Can't find field \"url\"",
  ],
  [
    "a reply to nothing",
    "sendMessage",
    '{"chat_id":1,"text":"x","reply_parameters":{"chat_id":1}}',
    'can\'t find field "message_id"',
  ],
  [
    "options of previews in a list",
    "sendMessage",
    '{"chat_id":1,"text":"x","link_preview_options":[]}',
    "object expected as link preview options",
  ],
  [
    "a price of an unknown currency",
    "sendMessage",
    '{"chat_id":1,"text":"x","suggested_post_parameters":{"price":{"currency":"EUR","amount":1}}}',
    "invalid suggested post price currency specified",
  ],
  [
    "an escape too few",
    "sendMessage",
    '{"chat_id":1,"text":"5 < 6","parse_mode":"HTML"}',
    'can\'t parse entities: Unsupported start tag "" at byte offset 2',
  ],
  [
    "a long question",
    "sendPoll",
    JSON.stringify({ chat_id: 1, question: "q".repeat(301), options: ["a"] }),
    "poll question length must not exceed 300",
  ],
  [
    "a long option",
    "sendPoll",
    JSON.stringify({ chat_id: 1, question: "q", options: [{ text: "a".repeat(101) }] }),
    "poll options length must not exceed 100",
  ],
  [
    "13 options",
    "sendPoll",
    JSON.stringify({ chat_id: 1, question: "q", options: Array(13).fill("a") }),
    "poll can't have more than 12 options",
  ],
  [
    "an empty list of options",
    "sendPoll",
    '{"chat_id":1,"question":"q","options":[]}',
    "poll must have at least one answer option",
  ],
  [
    "a quiz without answer",
    "sendPoll",
    '{"chat_id":1,"question":"q","options":["a","b"],"type":"quiz"}',
    "correct quiz option list must be non-empty",
  ],
  [
    "the answer 2 of two",
    "sendPoll",
    '{"chat_id":1,"question":"q","options":["a","b"],"type":"quiz","correct_option_ids":[2]}',
    "wrong quiz correct_option_id",
  ],
  [
    "a place off the globe",
    "sendLocation",
    '{"chat_id":1,"latitude":91,"longitude":1}',
    "invalid location specified",
  ],
  [
    "a short live period",
    "sendLocation",
    '{"chat_id":1,"latitude":1,"longitude":1,"live_period":59}',
    "wrong live location period specified",
  ],
  [
    "a place off the globe",
    "sendVenue",
    '{"chat_id":1,"latitude":1,"longitude":181,"title":"t","address":"a"}',
    "wrong venue location specified",
  ],
  [
    "a tip above the maximum",
    "sendInvoice",
    '{"chat_id":1,"title":"T","description":"D","payload":"p","currency":"EUR","prices":[{"label":"l","amount":1}],"max_tip_amount":5,"suggested_tip_amounts":[6]}',
    "suggested tip amount can't be bigger than max_tip_amount",
  ],
  [
    "no tasks",
    "sendChecklist",
    '{"chat_id":1,"business_connection_id":"b","checklist":{"title":"T","tasks":[]}}',
    "checklist must have at least 1 task",
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
    const response = await fetch(`${service.ingress.url}/bot123456:any/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    assertEquals([response.status, await response.json()], [400, {
      ok: false,
      error_code: 400,
      description: `Bad Request: ${reason}`,
    }]);
    assertEquals(service.events.count(), 0);
    assertEquals(service.rejected.list({ provider: "chat4" }).length, 1);
  });
}
