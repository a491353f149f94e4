/** Keyboards of messages: https://core.telegram.org/bots/api#inlinekeyboardmarkup */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { Json } from "./fields.ts";
import type { Params } from "./params.ts";
import { fail } from "./refusals.ts";

/** Returns the keyboard of a call; `undefined` if it has none. Throws `Refused`. */
export function readMarkup(params: Params): Json | undefined {
  const markup = params.json("reply_markup", "reply keyboard markup");
  if (markup === undefined) return undefined;
  if (!isJsonObject(markup)) return fail("object expected as reply markup");
  const { inline_keyboard: rows } = markup;
  if (rows === undefined) return markup;
  if (!Array.isArray(rows)) {
    return fail('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array');
  }
  for (const row of rows) {
    if (!Array.isArray(row)) {
      return fail('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays');
    }
    for (const button of row) checkButton(button);
  }
  return markup;
}

function checkButton(button: unknown): void {
  if (!isJsonObject(button)) return fail("inlineKeyboardButton must be an Object");
  const { text, callback_data: data, style: _, icon_custom_emoji_id: __, ...actions } = button;
  if (typeof text !== "string" || text === "") {
    return fail('can\'t find field "text"');
  }
  if (data === undefined && Object.keys(actions).length === 0) {
    return fail("text buttons are unallowed in the inline keyboard");
  }
  if (data === undefined) return;
  const { length } = new TextEncoder().encode(String(data));
  if (length < 1 || length > 64) fail("BUTTON_DATA_INVALID");
}
