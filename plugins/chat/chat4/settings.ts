/**
 * What a bot can set and read back: its commands, name, descriptions, rights and menu button.
 * Refusals are those of https://github.com/tdlib/telegram-bot-api (Client.cpp).
 */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { botOf } from "./chats.ts";
import { captureCall } from "./fetch.ts";
import type { Json } from "./fields.ts";
import type { Method, MethodCall } from "./methods.ts";
import type { Params } from "./params.ts";
import { fail } from "./refusals.ts";

const MAX_COMMANDS = 100;
/** Settings kept for one bot, in all languages, scopes and chats; beyond that, the oldest is dropped. */
const MAX_SETTINGS = 1000;

const SCOPES: ReadonlySet<unknown> = new Set([
  ...["default", "all_private_chats", "all_group_chats", "all_chat_administrators"],
  ...["chat", "chat_administrators", "chat_member"],
]);

/** Returns the scope and language of commands as one text: https://core.telegram.org/bots/api#botcommandscope */
function scopeOf(params: Params): string {
  const scope = params.json("scope", "BotCommandScope") ?? { type: "default" };
  const wrong = (reason: string): never => fail(`can't parse BotCommandScope: ${reason}`);
  if (!isJsonObject(scope)) return wrong("BotCommandScope must be an Object");
  const { type, chat_id: chat, user_id: user } = scope;
  if (type === undefined) return wrong('Can\'t find field "type"');
  if (!SCOPES.has(type)) return wrong("Unsupported type specified");
  const language = params.text("language_code");
  if (!String(type).startsWith("chat")) return `commands ${type} ${language}`;
  if (chat === undefined) return wrong('Can\'t find field "chat_id"');
  if (chat === "") return wrong("Empty chat_id specified");
  if (type !== "chat_member") return `commands ${type} ${chat} ${language}`;
  if (user === undefined) return wrong('Can\'t find field "user_id"');
  if (!(Number(user) > 0)) return wrong("Invalid user_id specified");
  return `commands ${type} ${chat} ${user} ${language}`;
}

function change({ env, token }: MethodCall, key: string, value: unknown): void {
  const { settings } = env.store.bot(token);
  const changed = { ...settings, [key]: value };
  if (value === undefined) delete changed[key];
  if (Object.keys(changed).length > MAX_SETTINGS) delete changed[Object.keys(changed)[0]!];
  env.store.changeBot(token, { settings: changed });
}

/** https://core.telegram.org/bots/api#setmycommands */
export const setCommands: Method = (call) => {
  const key = scopeOf(call.params);
  const commands = call.params.json("commands", "commands");
  if (!Array.isArray(commands)) return fail("expected an Array of BotCommand");
  if (commands.length > MAX_COMMANDS) return fail("BOT_COMMANDS_TOO_MUCH");
  const kept = commands.map((one: unknown) => {
    if (!isJsonObject(one)) return fail("expected an Object as BotCommand");
    const { command, description, is_ephemeral } = one;
    if (typeof command !== "string" || !/^\/?[a-z0-9_]{1,32}$/.test(command)) {
      return fail("BOT_COMMAND_INVALID");
    }
    if (typeof description !== "string" || !/^[^]{1,256}$/.test(description)) {
      return fail("BOT_COMMAND_DESCRIPTION_INVALID");
    }
    return {
      command: command.replace("/", ""),
      description,
      ...(is_ephemeral === true && { is_ephemeral }),
    };
  });
  change(call, key, kept);
  return captureCall(call);
};

/** https://core.telegram.org/bots/api#deletemycommands */
export const deleteCommands: Method = (call) => {
  change(call, scopeOf(call.params), undefined);
  return captureCall(call);
};

/** https://core.telegram.org/bots/api#getmycommands: those of exactly this scope and language. */
export const getCommands: Method = ({ token, params, env }) =>
  env.store.bot(token).settings[scopeOf(params)] ?? [];

/** Texts of the profile, by language, with their members. */
const TEXTS: Readonly<Record<string, string>> = {
  name: "name",
  description: "description",
  shortdescription: "short_description",
};

/** https://core.telegram.org/bots/api#setmyname, #setmydescription and #setmyshortdescription */
export const setText: Method = (call) => {
  const { method, params } = call;
  const member = TEXTS[method.slice("setmy".length)]!;
  const text = params.text(member);
  const key = `${member} ${params.text("language_code")}`;
  change(call, key, text === "" ? undefined : text);
  return captureCall(call);
};

/** https://core.telegram.org/bots/api#getmyname: that of the language, or the usual one. */
export const getText: Method = ({ method, params, env, token }) => {
  const member = TEXTS[method.slice("getmy".length)]!;
  const { settings } = env.store.bot(token);
  const usual = member === "name" ? botOf(token).first_name : "";
  return {
    [member]: settings[`${member} ${params.text("language_code")}`] ?? settings[`${member} `] ??
      usual,
  };
};

const BUTTONS: ReadonlySet<unknown> = new Set(["default", "commands", "web_app"]);

/** https://core.telegram.org/bots/api#setchatmenubutton */
export const setMenuButton: Method = (call) => {
  const { params } = call;
  const button = params.json("menu_button", "menu button");
  const wrong = (reason: string): never => fail(`can't parse menu button: ${reason}`);
  if (button !== undefined) {
    if (!isJsonObject(button)) return wrong("MenuButton must be an Object");
    if (!BUTTONS.has(button.type)) return wrong("MenuButton has unsupported type");
  }
  change(call, `menu ${params.text("chat_id")}`, button);
  return captureCall(call);
};

/** https://core.telegram.org/bots/api#getchatmenubutton */
export const getMenuButton: Method = ({ params, env, token }) => {
  const { settings } = env.store.bot(token);
  const { type, ...button } =
    (settings[`menu ${params.text("chat_id")}`] ?? settings["menu "] ?? {}) as Json;
  return { type: type ?? "commands", ...button };
};

/** Members of every `ChatAdministratorRights`, and those that only groups or channels have. */
const RIGHTS = [
  ...["is_anonymous", "can_manage_chat", "can_delete_messages", "can_manage_video_chats"],
  ...["can_restrict_members", "can_promote_members", "can_change_info", "can_invite_users"],
  ...["can_post_stories", "can_edit_stories", "can_delete_stories"],
];

/** https://core.telegram.org/bots/api#setmydefaultadministratorrights */
export const setRights: Method = (call) => {
  const { params } = call;
  const rights = params.json("rights", "ChatAdministratorRights");
  if (rights !== undefined && !isJsonObject(rights)) {
    return fail("can't parse ChatAdministratorRights: ChatAdministratorRights must be an Object");
  }
  change(call, `rights ${params.flag("for_channels")}`, rights);
  return captureCall(call);
};

/** https://core.telegram.org/bots/api#getmydefaultadministratorrights */
export const getRights: Method = ({ params, env, token }) => {
  const { settings } = env.store.bot(token);
  const none = Object.fromEntries(RIGHTS.map((name) => [name, false]));
  return { ...none, ...settings[`rights ${params.flag("for_channels")}`] as Json | undefined };
};
