/** Methods that read data, and methods that are captured as calls. */
import { noteHeld } from "../../../core/http/answer.ts";
import { compact } from "../../../core/compact.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { captureChat } from "../capture.ts";
import { storeFiles } from "../files.ts";
import { botOf, chatIn, toChannel } from "./chats.ts";
import { readContent } from "./content.ts";
import { readFormatted } from "./formats.ts";
import { toPostFile } from "./media.ts";
import { type Method, notesOf } from "./methods.ts";
import { uniqueId } from "./objects.ts";
import type { Env } from "./options.ts";
import type { Params } from "./params.ts";
import { fail, REFUSALS, refuseWith } from "./refusals.ts";
import { refuse } from "./reply.ts";
import { readRich } from "./rich.ts";

/** https://core.telegram.org/bots/api#getme */
export const getMe: Method = ({ token }) => ({
  ...botOf(token),
  can_join_groups: true,
  can_read_all_group_messages: false,
  supports_guest_queries: false,
  supports_inline_queries: false,
  can_connect_to_business: false,
  has_main_web_app: false,
  has_topics_enabled: false,
  allows_users_to_create_topics: false,
  can_manage_bots: false,
  supports_join_request_queries: false,
});

/** Maximum wait of a bot for updates, in seconds. */
const MAX_WAIT = 50;

/** https://core.telegram.org/bots/api#getupdates: always empty, after the requested wait. */
export const getUpdates: Method = async ({ token, params, env }) => {
  const { store, ctx } = env;
  if (store.bot(token).webhook !== "") refuseWith(REFUSALS.webhookActive);
  const seconds = Math.min(Math.max(params.integer("timeout"), 0), MAX_WAIT);
  if (seconds === 0) {
    store.endWait(token);
    return [];
  }
  const isOwn = await store.wait(token, seconds * 1000, ctx.signal);
  return isOwn ? [] : refuseWith(REFUSALS.otherPoll);
};

/** https://core.telegram.org/bots/api#setwebhook: the address is stored, but never called. */
export const setWebhook: Method = (call) => {
  const { params, env, token } = call;
  const url = params.text("url");
  if (url !== "" && !/^https:\/\/[^\s/]+/.test(url)) {
    fail("bad webhook: An HTTPS URL must be provided for webhook");
  }
  if (url.length > MAX_URL) fail("bad webhook: URL is too long");
  const secret = params.text("secret_token");
  if (secret.length > 256) fail("secret token is too long");
  if (/[^\w-]/.test(secret)) fail("secret token contains unallowed characters");
  const allowed = params.json("allowed_updates", "allowed updates");
  const settings = {
    max_connections: params.integer("max_connections", 40),
    ...(Array.isArray(allowed) && {
      allowed_updates: allowed.filter((one) => typeof one === "string" && one.length <= 64)
        .slice(0, 100),
    }),
  };
  env.store.changeBot(token, { webhook: url, webhookSettings: settings });
  env.store.endWait(token);
  return captureCall(call);
};

/** https://core.telegram.org/bots/api#deletewebhook */
export const deleteWebhook: Method = (call) => {
  call.env.store.changeBot(call.token, { webhook: "", webhookSettings: {} });
  return captureCall(call);
};

/** https://core.telegram.org/bots/api#getwebhookinfo */
export const getWebhookInfo: Method = ({ token, env }) => {
  const { webhook, webhookSettings } = env.store.bot(token);
  return {
    url: webhook,
    has_custom_certificate: false,
    pending_update_count: 0,
    ...webhookSettings,
  };
};

/** Longest address for updates, in characters. */
const MAX_URL = 2048;

/** https://core.telegram.org/bots/api#chatfullinfo */
export const getChat: Method = ({ params }) => ({
  ...chatIn(params),
  accent_color_id: 0,
  max_reaction_count: 11,
  accepted_gift_types: {
    unlimited_gifts: true,
    limited_gifts: true,
    unique_gifts: true,
    premium_subscription: true,
    gifts_from_channels: true,
  },
});

/** https://core.telegram.org/bots/api#getchatmember */
export const getChatMember: Method = ({ params, token }) => {
  chatIn(params);
  const id = params.integer("user_id");
  if (id <= 0) return fail("invalid user_id specified");
  const bot = botOf(token);
  return {
    user: id === bot.id ? bot : { id, is_bot: false, first_name: `User ${id}` },
    status: "member",
  };
};

/** https://core.telegram.org/bots/api#getchatadministrators: the bot itself. */
export const getAdministrators: Method = ({ params, token }) => {
  const { type } = chatIn(params);
  if (type === "private") return fail("there are no administrators in the private chat");
  const can = [
    ...["can_manage_chat", "can_delete_messages", "can_manage_video_chats"],
    ...["can_restrict_members", "can_promote_members", "can_change_info", "can_invite_users"],
    ...["can_post_stories", "can_edit_stories", "can_delete_stories"],
  ];
  return [{
    user: botOf(token),
    status: "administrator",
    can_be_edited: false,
    is_anonymous: false,
    ...Object.fromEntries(can.map((name) => [name, true])),
  }];
};

/** https://core.telegram.org/bots/api#getuserprofilephotos: nobody has a photo. */
export const getProfilePhotos: Method = ({ params }) => {
  if (params.integer("user_id") <= 0) return fail("invalid user_id specified");
  return { total_count: 0, photos: [] };
};

/** Colors of the icons of topics: https://core.telegram.org/bots/api#createforumtopic */
const BLUE = 7_322_096;
const MAX_TOPIC = 128;

/** https://core.telegram.org/bots/api#createforumtopic: its id is that of a message. */
export const createTopic: Method = async (call) => {
  const { params, env } = call;
  chatIn(params);
  // A longer name is cut: https://github.com/tdlib/td (ForumTopicManager.cpp)
  const name = [...params.text("name").trim()].slice(0, MAX_TOPIC).join("");
  if (name === "") return fail("name must be non-empty");
  await captureCall(call);
  const icon = params.text("icon_custom_emoji_id");
  return {
    message_thread_id: env.store.nextId(env.ctx.now().getTime()),
    name,
    icon_color: params.integer("icon_color", BLUE),
    ...(icon !== "" && { icon_custom_emoji_id: icon }),
  };
};

/** https://core.telegram.org/bots/api#createchatinvitelink and #exportchatinvitelink: made up. */
export const createLink: Method = async (call) => {
  const { method, params, env, token } = call;
  chatIn(params);
  await captureCall(call);
  const invite_link = `https://t.me/+${uniqueId(env.ctx.uuid())}`;
  if (method === "exportchatinvitelink") return invite_link;
  const name = params.text("name");
  const [expire_date, member_limit] = ["expire_date", "member_limit"].map((one) =>
    params.has(one) ? params.integer(one) : undefined
  );
  return {
    invite_link,
    creator: botOf(token),
    creates_join_request: params.flag("creates_join_request"),
    is_primary: false,
    is_revoked: false,
    ...(name !== "" && { name }),
    ...compact({ expire_date, member_limit }),
  };
};

/** https://core.telegram.org/bots/api#getchatmembercount */
export const countMembers: Method = ({ params }) => {
  chatIn(params);
  return 2;
};

/** https://core.telegram.org/bots/api#getfile */
export const getFile: Method = ({ params, env }) => {
  const id = params.text("file_id");
  if (id === "") return fail("file_id not specified");
  const blob = env.ctx.blobs.get(id) ??
    fail("wrong file_id or the file is temporarily unavailable");
  return {
    file_id: id,
    file_unique_id: uniqueId(id),
    file_size: blob.size,
    file_path: `documents/${id}`,
  };
};

/** `GET /file/bot{token}/documents/{file}`: https://core.telegram.org/bots/api#file */
export async function download({ params }: IngressCall, { ctx }: Env): Promise<Response> {
  const opened = await ctx.blobs.open(params.file ?? "");
  if (opened === undefined) return refuse({ status: 404, description: "Not Found" });
  const headers = {
    "content-type": "application/octet-stream",
    "content-length": String(opened.ref.size),
  };
  return noteHeld(new Response(opened.body, { headers }), opened.ref.size);
}

/** Maximum number of characters of the parameters in the summary. */
const MAX_SHOWN = 2000;

/** Records a call that sends no message, with its files, and answers with success. */
export const captureCall: Method = async (call) => {
  const { params, env, name, token } = call;
  const files = await storeFiles(env.ctx, params.files.map(toPostFile));
  const hasChat = params.text("chat_id") !== "";
  captureChat(env, {
    channel: hasChat
      ? toChannel(chatIn(params))
      : { id: `bot:${token.split(":")[0]}`, name: `Telegram bot ${token.split(":")[0]}` },
    author: { id: botOf(token).username, name: "", icon_url: "", bot: true },
    text: textOf(name, params),
    contents: [],
    files,
  }, { type: "chat.call", raw: call.call.raw, meta: notesOf(call) });
  return true;
};

function textOf(name: string, params: Params): string {
  const shown = params.names().filter((one) => one !== "chat_id")
    .map((one) => `${one}: ${params.text(one)}`);
  return [name, ...shown].join("\n").slice(0, MAX_SHOWN);
}

/** Parameters with the id of a user's query. */
const QUERY_IDS = [
  "callback_query_id",
  "inline_query_id",
  "shipping_query_id",
  "pre_checkout_query_id",
];

/** Answers a query of a user; any id is accepted. */
export const answerQuery: Method = (call) => {
  if (QUERY_IDS.every((name) => call.params.text(name) === "")) {
    fail("query is too old and response timeout expired or query ID is invalid");
  }
  return captureCall(call);
};

/** https://core.telegram.org/bots/api#sendchataction */
const ACTIONS: ReadonlySet<string> = new Set([
  ...["typing", "upload_photo", "record_video", "upload_video", "record_voice", "upload_voice"],
  ...["upload_document", "choose_sticker", "find_location", "record_video_note"],
  // Known to the vendor's server, too: https://github.com/tdlib/telegram-bot-api
  ...["upload_video_note", "record_audio", "upload_audio", "pick_up_location", "cancel"],
]);

/** Captures what the bot is said to do. */
export const sendAction: Method = (call) => {
  chatIn(call.params);
  const action = call.params.text("action").toLowerCase();
  return ACTIONS.has(action) ? captureCall(call) : fail("wrong parameter action in request");
};

/** https://core.telegram.org/bots/api#sendmessagedraft and #sendrichmessagedraft: previews of messages to come. */
export const sendDraft: Method = (call) => {
  const { params, method } = call;
  chatIn(params);
  if (!/^-?[1-9]\d{0,18}$/.test(params.text("draft_id"))) {
    return fail('parameter "draft_id" is required');
  }
  if (method === "sendrichmessagedraft") {
    readRich(params.json("rich_message", "InputRichMessage"), { params, isDraft: true });
  } else readFormatted(params.text("text"), params.text("parse_mode"));
  return captureCall(call);
};

/** https://core.telegram.org/bots/api#createinvoicelink: the address is made up. */
export const createInvoiceLink: Method = async (call) => {
  readContent("sendinvoice", call.params);
  await captureCall(call);
  return `https://t.me/$${uniqueId(call.env.ctx.uuid())}`;
};
