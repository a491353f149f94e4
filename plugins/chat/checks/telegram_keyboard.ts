/** Keyboards of Telegram: https://core.telegram.org/bots/api#inlinekeyboardmarkup and #replykeyboardmarkup */
import type { Found } from "../../../core/plugin.ts";
import { lengthOf } from "./walk.ts";

const API = "https://core.telegram.org/bots/api";

type Json = Readonly<Record<string, unknown>>;

/** Actions of a button: https://core.telegram.org/bots/api#inlinekeyboardbutton */
const ACTIONS = [
  ...["url", "callback_data", "web_app", "login_url", "switch_inline_query"],
  ...["switch_inline_query_current_chat", "switch_inline_query_chosen_chat", "copy_text"],
  ...["callback_game", "pay", "disabled"],
];
/** https://core.telegram.org/bots/api#inlinekeyboardbutton */
const STYLES: ReadonlySet<unknown> = new Set(["danger", "success", "primary"]);
/** Actions of a button of the reply keyboard, which may have none: https://core.telegram.org/bots/api#keyboardbutton */
const REQUESTS = [
  ...["request_users", "request_chat", "request_managed_bot", "request_contact"],
  ...["request_location", "request_poll", "web_app"],
];
/** Allowed schemes by the member with the address. */
const SCHEMES: Readonly<Record<string, RegExp>> = {
  url: /^(https?|tg|ton):|^[\w-]+(\.[\w-]+)+(\/|$)/i,
  web_app: /^https:\/\//i,
  login_url: /^https:\/\//i,
};
const EXPECTED: Readonly<Record<string, string>> = {
  url: "http, https or tg",
  web_app: "https",
  login_url: "https",
};
const MAX_COPIED = 256;
const MAX_PLACEHOLDER = 64;
const MAX_USERS = 10;

/** Yields the findings of a reply markup. */
export function* keyboardFindings(markup: unknown): Generator<Found | undefined> {
  const { inline_keyboard: rows, keyboard, input_field_placeholder: placeholder } = (markup ??
    {}) as Json;
  const shown = lengthOf(placeholder);
  if (placeholder !== undefined && (shown < 1 || shown > MAX_PLACEHOLDER)) {
    yield {
      id: "chat.keyboard_limit",
      message: `${shown} characters; expected 1 to ${MAX_PLACEHOLDER}`,
      where: { part: "reply_markup", path: "reply_markup.input_field_placeholder" },
      source: `${API}#replykeyboardmarkup`,
    };
  }
  for (const [i, row] of (Array.isArray(rows) ? rows : []).entries()) {
    yield undefined;
    for (const [j, button] of (Array.isArray(row) ? row : []).entries()) {
      const path = `reply_markup.inline_keyboard[${i}][${j}]`;
      yield* ofButton((button ?? {}) as Json, { path, isFirst: i === 0 && j === 0 });
    }
  }
  for (const [i, row] of (Array.isArray(keyboard) ? keyboard : []).entries()) {
    yield undefined;
    for (const [j, button] of (Array.isArray(row) ? row : []).entries()) {
      yield* ofReply((button ?? {}) as Json, `reply_markup.keyboard[${i}][${j}]`);
    }
  }
}

function* ofReply(button: Json, path: string): Generator<Found> {
  yield* ofStyle(button, path);
  const most = (button.request_users as Json | null | undefined)?.max_quantity;
  if (most !== undefined && !(Number(most) >= 1 && Number(most) <= MAX_USERS)) {
    yield {
      id: "chat.keyboard_limit",
      message: `max_quantity is ${JSON.stringify(most)}; expected 1 to ${MAX_USERS}`,
      where: { part: "reply_markup", path: `${path}.request_users.max_quantity` },
      source: `${API}#keyboardbuttonrequestusers`,
    };
  }
  const actions = REQUESTS.filter((name) => Object.hasOwn(button, name));
  if (actions.length < 2) return;
  yield {
    id: "chat.keyboard_button",
    message: `A button does at most one thing; got ${actions.join(" and ")}`,
    where: { part: "reply_markup", path },
    source: `${API}#keyboardbutton`,
  };
}

function* ofStyle({ style }: Json, path: string): Generator<Found> {
  if (style === undefined || STYLES.has(style)) return;
  yield {
    id: "chat.keyboard_button",
    message: `${
      JSON.stringify(style)?.slice(0, 60)
    } is not a style; expected danger, success or primary`,
    where: { part: "reply_markup", path: `${path}.style` },
  };
}

function* ofButton(
  button: Json,
  { path, isFirst }: { readonly path: string; readonly isFirst: boolean },
): Generator<Found> {
  const wrong = (message: string, at = path): Found => ({
    id: "chat.keyboard_button",
    message,
    where: { part: "reply_markup", path: at },
  });
  yield* ofStyle(button, path);
  const actions = ACTIONS.filter((name) => Object.hasOwn(button, name));
  if (actions.length !== 1) {
    const got = actions.length === 0 ? "none" : actions.join(" and ");
    yield wrong(`A button does exactly one thing; got ${got}`);
  }
  for (const [name, scheme] of Object.entries(SCHEMES)) {
    const value = button[name];
    if (value === undefined) continue;
    const [url, at] = typeof value === "object"
      ? [(value as Json | null)?.url, `${path}.${name}.url`]
      : [value, `${path}.${name}`];
    if (typeof url === "string" && scheme.test(url)) continue;
    yield wrong(
      `${JSON.stringify(url)?.slice(0, 100) ?? "No address"}: expected an address of ${
        EXPECTED[name]
      }`,
      at,
    );
  }
  for (const name of ["pay", "callback_game"]) {
    if (Object.hasOwn(button, name) && !isFirst) {
      yield wrong(`A button with ${name} must be the first one of the first row`);
    }
  }
  const copied = lengthOf(button.copy_text);
  if (button.copy_text !== undefined && (copied < 1 || copied > MAX_COPIED)) {
    yield {
      id: "chat.keyboard_limit",
      message: `${copied} characters; expected 1 to ${MAX_COPIED}`,
      where: { part: "reply_markup", path: `${path}.copy_text.text` },
      source: `${API}#copytextbutton`,
    };
  }
}
