/**
 * Keyboards of messages: https://core.telegram.org/bots/api#inlinekeyboardmarkup. What is refused,
 * and in what words, is that of https://github.com/tdlib/telegram-bot-api (Client.cpp) and
 * https://github.com/tdlib/td (ReplyMarkup.cpp).
 */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { Json } from "./fields.ts";
import { mentionedUser, readLink } from "./links.ts";
import type { Params } from "./params.ts";
import { fail } from "./refusals.ts";

/** Returns the keyboard of a call; `undefined` if it has none. Throws `Refused`. */
export function readMarkup(params: Params): Json | undefined {
  const markup = params.json("reply_markup", "reply keyboard markup");
  if (markup === undefined) return undefined;
  if (!isJsonObject(markup)) return fail("object expected as reply markup");
  const { inline_keyboard: inline, keyboard } = markup;
  const isPrivate = !/^[-@]/.test(params.text("chat_id").trim());
  if (keyboard !== undefined && keyboard !== null) {
    eachButton(keyboard, "keyboard", (button) => checkKey(button, isPrivate));
  }
  if (inline !== undefined && inline !== null) {
    eachButton(inline, "inline_keyboard", checkButton);
  }
  return markup;
}

function eachButton(rows: unknown, name: string, check: (button: unknown) => void): void {
  const field = `field "${name}"${name === "keyboard" ? "" : " of the InlineKeyboardMarkup"}`;
  if (!Array.isArray(rows)) return fail(`${field} must be an Array`);
  for (const row of rows) {
    if (!Array.isArray(row)) return fail(`${field} must be an Array of Arrays`);
    row.forEach(check);
  }
}

const STYLES: ReadonlySet<string> = new Set(["", "default", "primary", "danger", "success"]);

/** Checks the members that the buttons of both keyboards have; `wrong` refuses them. */
function checkCommon({ text, style }: Json, wrong: (reason: string) => never): void {
  if (text === undefined) wrong('Can\'t find field "text"');
  if (!isText(text)) wrong('Field "text" must be of type String');
  if (!STYLES.has(String(style ?? "").toLowerCase())) wrong("invalid button style specified");
}

/** The vendor's server reads numbers as texts. */
function isText(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** Actions of a button, besides `url` and `callback_data`. */
const ACTIONS = [
  ...["callback_game", "pay", "switch_inline_query", "switch_inline_query_chosen_chat"],
  ...["switch_inline_query_current_chat", "login_url", "web_app", "copy_text", "disabled"],
];
const MAX_DATA = 64;

/** https://core.telegram.org/bots/api#inlinekeyboardbutton */
function checkButton(button: unknown): void {
  const wrong = (reason: string): never => fail(`can't parse inline keyboard button: ${reason}`);
  if (!isJsonObject(button)) return wrong("InlineKeyboardButton must be an Object");
  checkCommon(button, wrong);
  const { text, url, callback_data: data } = button;
  for (const [name, value] of Object.entries({ url, callback_data: data })) {
    if (!isText(value ?? "")) wrong(`Field "${name}" must be of type String`);
  }
  // The first action counts.
  const action = isGiven(url)
    ? "url"
    : isGiven(data)
    ? "callback_data"
    : ACTIONS.find((name) => Object.hasOwn(button, name) && button[name] !== null);
  if (action === undefined) return wrong("Text buttons are unallowed in the inline keyboard");
  if (text === "") fail("inline keyboard button text must be non-empty");
  switch (action) {
    case "url":
      return checkUrl(String(url), "inline keyboard button");
    case "callback_data":
      if (new TextEncoder().encode(String(data)).length > MAX_DATA) fail("BUTTON_DATA_INVALID");
      return;
    case "login_url":
      return checkPage(button.login_url, {
        field: action,
        wrong,
        what: "inline keyboard button login",
        other: "link to a user can't be used in login URL buttons",
      });
    case "web_app":
      return checkPage(button.web_app, {
        field: action,
        wrong,
        what: "inline keyboard button Web App",
        other: "link to a user can't be used in Web App URL buttons",
      });
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function checkUrl(url: string, what: string, needs?: "https"): void {
  if (needs === undefined && mentionedUser(url) !== undefined) return;
  const link = readLink(url, needs);
  if ("error" in link) fail(`${what} URL '${url}' is invalid: ${link.error}`);
}

/** Checks a page that is opened for the user, which needs `https`. */
function checkPage(
  page: unknown,
  { field, wrong, what, other }: {
    readonly field: string;
    readonly wrong: (reason: string) => never;
    readonly what: string;
    readonly other: string;
  },
): void {
  if (!isJsonObject(page)) return wrong(`Field "${field}" must be of type Object`);
  const { url } = page;
  if (url === undefined) return wrong('Can\'t find field "url"');
  if (!isText(url)) return wrong('Field "url" must be of type String');
  if (mentionedUser(String(url)) !== undefined) fail(other);
  checkUrl(String(url), what, "https");
}

/** What a key requests, with the vendor's words where it may not. */
const REQUESTS: readonly (readonly [name: string, what: string])[] = [
  ["request_contact", "phone number can be requested"],
  ["request_location", "location can be requested"],
  ["request_poll", "poll can be requested"],
  ["web_app", "web App buttons can be used"],
  ["request_user", "users can be requested"],
  ["request_users", "users can be requested"],
  ["request_chat", "chats can be requested"],
  ["request_managed_bot", "managed bots can be requested"],
];

/** https://core.telegram.org/bots/api#keyboardbutton */
function checkKey(button: unknown, isPrivate: boolean): void {
  const wrong = (reason: string): never => fail(`can't parse keyboard button: ${reason}`);
  if (typeof button !== "string") {
    if (!isJsonObject(button)) return wrong("KeyboardButton must be a String or an Object");
    checkCommon(button, wrong);
  }
  const { text, ...actions }: Json = typeof button === "string" ? { text: button } : button;
  if (text === "") fail("keyboard button text must be non-empty");
  const [name, what] =
    REQUESTS.find(([one]) =>
      actions[one] !== undefined && actions[one] !== null && actions[one] !== false
    ) ?? [];
  if (name === undefined) return;
  if (!isPrivate) fail(`${what} in private chats only`);
  if (name !== "web_app") return;
  checkPage(actions.web_app, {
    field: name,
    wrong,
    what: "keyboard button Web App",
    other: "link to a user can't be used in Web App URL buttons",
  });
}
