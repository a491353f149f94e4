/** Typed parameters of methods: https://core.telegram.org/bots/api#available-methods */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { Entity, Formatted } from "./entities.ts";
import { readFormatted } from "./formats.ts";
import { mentionedUser, readLink } from "./links.ts";
import type { Params } from "./params.ts";
import { fail } from "./refusals.ts";

/** An object of the vendor. */
export type Json = Readonly<Record<string, unknown>>;

/** How a parameter is read. */
export type FieldType = "text" | "number" | "flag" | "json";

/** Returns the parameters that are present, in the order of `fields`. Throws `Refused`. */
export function readFields(
  params: Params,
  fields: Readonly<Record<string, FieldType>>,
): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(fields)) {
    if (params.text(name).trim() === "") continue;
    const value = readField(params, { name, type });
    // Go's client sends `null` for lists without items.
    if (value !== null) read[name] = value;
  }
  return read;
}

function readField(
  params: Params,
  { name, type }: { readonly name: string; readonly type: FieldType },
): unknown {
  switch (type) {
    case "text":
      return params.text(name);
    case "number": {
      const number = Number(params.text(name));
      return Number.isFinite(number) ? number : fail(`can't parse "${name}" as Number`);
    }
    case "flag":
      return params.flag(name);
    case "json":
      return params.json(name, name);
  }
}

/** Refuses a call without one of these parameters. */
export function requireFields(params: Params, names: readonly string[]): void {
  for (const name of names) {
    if (params.text(name) === "") fail(`parameter "${name}" is required`);
  }
}

/** Returns a required text of an object. */
export function textIn(object: Json, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : fail(`can't find field "${name}"`);
}

/** Returns a text without its marks; `entities` count if there is no parse mode. */
export function readMarked(
  text: string,
  mode?: unknown,
  entities?: unknown,
): Formatted {
  const formatted = readFormatted(text, String(mode ?? ""));
  const isGiven = entities !== undefined && entities !== null;
  return isGiven && (mode ?? "") === "" ? { text, entities: entitiesOf(entities) } : formatted;
}

/** Types of entities; those that the vendor's server finds itself are accepted, too. */
const ENTITIES: ReadonlySet<unknown> = new Set([
  ...["bold", "italic", "underline", "strikethrough", "spoiler", "code", "pre", "text_link"],
  ...["text_mention", "custom_emoji", "blockquote", "expandable_blockquote", "date_time"],
  ...["mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number"],
  "bank_card_number",
]);
/** Members that a type requires. */
const REQUIRED: ReadonlyMap<unknown, string> = new Map([
  ["text_link", "url"],
  ["text_mention", "user"],
  ["custom_emoji", "custom_emoji_id"],
  ["date_time", "unix_time"],
]);

/**
 * Checks a list of `MessageEntity`. Refusals are those of
 * https://github.com/tdlib/telegram-bot-api (`get_text_entity` of Client.cpp).
 */
export function entitiesOf(value: unknown): readonly Entity[] {
  if (!Array.isArray(value) || !value.every(isJsonObject)) {
    return fail("expected an Array of MessageEntity");
  }
  const wrong = (reason: string): never => fail(`can't parse MessageEntity: ${reason}`);
  for (const entity of value) {
    const { type } = entity;
    const needed = ["offset", "length", "type", ...[REQUIRED.get(type) ?? []].flat()];
    const missing = needed.find((name) => entity[name] === undefined);
    if (missing !== undefined) wrong(`Can't find field "${missing}"`);
    if (!ENTITIES.has(type)) wrong("Unsupported type specified");
    if (type !== "text_link") continue;
    const url = String(entity.url);
    const link = readLink(url);
    if ("error" in link && mentionedUser(url) === undefined) {
      fail(`entity URL '${url}' is invalid: ${link.error}`);
    }
  }
  return value as unknown as readonly Entity[];
}

/** Returns a text and its entities as members of an object. */
export function markedMembers(name: string, { text, entities }: Formatted): Json {
  return { [name]: text, ...(entities.length > 0 && { [`${name}_entities`]: entities }) };
}

/** Returns the length of a text as the vendor's server counts it: code points, without spaces around. */
export function charactersOf(text: string): number {
  return [...text.trim()].length;
}
