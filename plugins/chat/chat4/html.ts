/** HTML of messages: https://core.telegram.org/bots/api#html-style */
import { ownValue } from "../../../core/own.ts";
import {
  bytesAt,
  cannot,
  type Entity,
  type Formatted,
  inOrder,
  isTimeFormat,
  linkMembers,
} from "./entities.ts";

const TAGS: Readonly<Record<string, string>> = {
  ...{ b: "bold", strong: "bold", i: "italic", em: "italic", u: "underline", ins: "underline" },
  ...{ s: "strikethrough", strike: "strikethrough", del: "strikethrough" },
  ...{ code: "code", pre: "pre", a: "text_link", blockquote: "blockquote" },
  ...{ span: "spoiler", "tg-spoiler": "spoiler", "tg-emoji": "custom_emoji" },
  "tg-time": "date_time",
};
const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };
const SPACES = " \t\r\n\v\0";
/** A character reference; its semicolon may be missing. */
const REFERENCE = /&(?:#x([0-9a-fA-F]*)|#(\d*)|([a-zA-Z]*));?/y;

const isSpace = (character: string): boolean => SPACES.includes(character);

interface Open {
  readonly tag: string;
  readonly begin: number;
  readonly attributes: ReadonlyMap<string, string>;
}

/** Parses a text. Throws `Refused`. */
export function readHtml(source: string): Formatted {
  let text = "";
  let i = 0;
  const open: Open[] = [];
  const entities: Entity[] = [];
  while (i < source.length) {
    if (source[i] === "&") {
      const reference = referenceAt(source, i);
      text += reference?.text ?? "&";
      i = reference?.end ?? i + 1;
    } else if (source[i] !== "<") {
      const next = source.slice(i).search(/[<&]/);
      const end = next < 0 ? source.length : i + next;
      text += source.slice(i, end);
      i = end;
    } else if (source[i + 1] === "/") {
      const { tag, end } = endTagAt(source, i);
      closeTag(source, i, { tag, open, entities, text });
      i = end;
    } else {
      const { tag, attributes, end } = startTagAt(source, i);
      open.push({ tag, attributes, begin: text.length });
      i = end;
    }
  }
  const last = open.at(-1);
  if (last !== undefined) {
    return cannot(`Can't find end tag corresponding to start tag "${last.tag}"`);
  }
  if (!text.isWellFormed()) {
    return cannot(
      "Text contains invalid Unicode characters after decoding HTML entities, " +
        "check for unmatched surrogate code units",
    );
  }
  // The language of code that is not a block is dropped.
  const kept = entities.map(({ language, ...entity }) =>
    entity.type === "pre" && language !== undefined ? { ...entity, language } : entity
  );
  return { text, entities: inOrder(kept) };
}

/** Returns the character that a reference stands for; `undefined` if it stands for none. */
function referenceAt(
  source: string,
  at: number,
): { readonly text: string; readonly end: number } | undefined {
  REFERENCE.lastIndex = at;
  const [whole = "", hex, decimal, name] = REFERENCE.exec(source) ?? [];
  const end = at + whole.length;
  if (hex === undefined && decimal === undefined) {
    const text = ownValue(NAMED, name ?? "");
    return text === undefined ? undefined : { text, end };
  }
  const code = hex === undefined ? Number(decimal) : parseInt(hex || "0", 16);
  const isTooLong = whole.replace(";", "").length >= 10;
  if (code === 0 || code >= 0x10ffff || isTooLong) return undefined;
  return { text: String.fromCodePoint(code), end };
}

function endTagAt(source: string, at: number): { readonly tag: string; readonly end: number } {
  let i = skip(source, at + 2, (one) => !isSpace(one) && one !== ">");
  const tag = source.slice(at + 2, i).toLowerCase();
  i = skip(source, i, isSpace);
  if (source[i] !== ">") return cannot(`Unclosed end tag at byte offset ${bytesAt(source, at)}`);
  return { tag, end: i + 1 };
}

/** Returns the first position from `i` on whose character is another one. */
function skip(source: string, i: number, isOne: (character: string) => boolean): number {
  while (i < source.length && isOne(source[i]!)) i++;
  return i;
}

function startTagAt(source: string, at: number): Omit<Open, "begin"> & { readonly end: number } {
  const offset = () => bytesAt(source, at);
  let i = skip(source, at + 1, (one) => !isSpace(one) && one !== ">");
  if (i >= source.length) return cannot(`Unclosed start tag at byte offset ${offset()}`);
  const tag = source.slice(at + 1, i).toLowerCase();
  if (!Object.hasOwn(TAGS, tag)) {
    return cannot(`Unsupported start tag "${tag}" at byte offset ${offset()}`);
  }
  const attributes = new Map<string, string>();
  const unclosed = () => cannot(`Unclosed start tag "${tag}" at byte offset ${offset()}`);
  for (;;) {
    i = skip(source, i, isSpace);
    if (source[i] === ">") break;
    const begin = i;
    i = skip(source, i, (one) => !isSpace(one) && !`=>/"'`.includes(one));
    const name = source.slice(begin, i);
    if (name === "") {
      return cannot(`Empty attribute name in the tag "${tag}" at byte offset ${offset()}`);
    }
    i = skip(source, i, isSpace);
    if (i >= source.length) return unclosed();
    if (source[i] !== "=") {
      attributes.set(name, "");
      continue;
    }
    i = skip(source, i + 1, isSpace);
    if (i >= source.length) return unclosed();
    const { value, end } = valueAt(source, i);
    if (end >= source.length) return cannot(`Unclosed start tag at byte offset ${offset()}`);
    attributes.set(name, value);
    i = end;
  }
  if (tag === "span" && attributes.get("class") !== "tg-spoiler") {
    return cannot(`Tag "span" must have class "tg-spoiler" at byte offset ${offset()}`);
  }
  return { tag, attributes, end: i + 1 };
}

/** Returns the value of an attribute, which is a name or between quotes. */
function valueAt(source: string, at: number): { readonly value: string; readonly end: number } {
  const quote = source[at]!;
  if (quote !== '"' && quote !== "'") {
    const end = skip(source, at, (one) => /[a-z0-9.-]/i.test(one));
    const next = source[end] ?? "\0";
    if (!isSpace(next) && next !== ">") {
      return cannot(`Unexpected end of name token at byte offset ${bytesAt(source, at)}`);
    }
    return { value: source.slice(at, end).toLowerCase(), end };
  }
  const close = source.indexOf(quote, at + 1);
  const end = close < 0 ? source.length : close;
  const value = source.slice(at + 1, end)
    .replace(/&[#a-zA-Z\d]+;?/g, (found) => {
      const { text = "", end: after = 0 } = referenceAt(found, 0) ?? {};
      return text + found.slice(after);
    });
  return { value, end: end + 1 };
}

/** Consumes the start tag that ends here, and adds its entity. */
function closeTag(
  source: string,
  at: number,
  { tag, open, entities, text }: {
    readonly tag: string;
    readonly open: Open[];
    readonly entities: Entity[];
    readonly text: string;
  },
): void {
  const last = open.pop();
  const offset = () => bytesAt(source, at);
  if (last === undefined) return cannot(`Unexpected end tag at byte offset ${offset()}`);
  if (tag !== "" && tag !== last.tag) {
    return cannot(
      `Unmatched end tag at byte offset ${offset()}, ` +
        `expected "</${last.tag}>", found "</${tag}>"`,
    );
  }
  if (last.begin === text.length) return;
  const found = entityOf(last, { text, before: entities.at(-1) });
  if (found?.isInstead === true) entities.pop();
  if (found !== undefined) entities.push(found.entity);
}

/** Returns the entity of a tag, which may be instead of the one before. */
function entityOf(
  { tag, begin, attributes }: Open,
  { text, before }: { readonly text: string; readonly before: Entity | undefined },
): { readonly entity: Entity; readonly isInstead?: boolean } | undefined {
  const place = { offset: begin, length: text.length - begin };
  const isSame = before?.offset === begin && before.length === place.length;
  const language = /^language-(.+)/s.exec(attributes.get("class") ?? "")?.[1];
  switch (tag) {
    case "a": {
      const link = linkMembers(attributes.get("href") || text.slice(begin));
      return link && { entity: { ...place, ...link } };
    }
    case "blockquote": {
      const type = attributes.has("expandable") ? "expandable_blockquote" : "blockquote";
      return { entity: { type, ...place } };
    }
    case "code":
      // The language of code in `pre`, or around one, is that of the `pre`.
      return isSame && before.type === "pre" && language !== undefined
        ? { entity: { ...before, language }, isInstead: true }
        : { entity: { type: "code", ...place, ...(language !== undefined && { language }) } };
    case "pre":
      return isSame && before.type === "code" && before.language !== undefined
        ? { entity: { ...before, type: "pre" }, isInstead: true }
        : { entity: { type: "pre", ...place } };
    case "tg-emoji": {
      const id = attributes.get("emoji-id") ?? "";
      return /^-?(?!0+$)\d{1,19}$/.test(id)
        ? { entity: { type: "custom_emoji", ...place, custom_emoji_id: id } }
        : cannot("Invalid custom emoji identifier specified");
    }
    case "tg-time": {
      const time = timeOf(attributes);
      return time && { entity: { ...place, ...time } };
    }
    default:
      return { entity: { type: TAGS[tag]!, ...place } };
  }
}

/** https://core.telegram.org/bots/api#date-time-entity-formatting: without a time, a text. */
function timeOf(
  attributes: Open["attributes"],
): Pick<Entity, "type" | "unix_time" | "date_time_format"> | undefined {
  const format = attributes.get("format") ?? "";
  if (!isTimeFormat(format)) return cannot("Invalid date format used");
  const unix_time = Number(/^\d{1,10}$/.exec(attributes.get("unix") ?? "")?.[0] ?? 0);
  if (unix_time === 0) return undefined;
  return { type: "date_time", unix_time, ...(format !== "" && { date_time_format: format }) };
}
