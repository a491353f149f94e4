/**
 * Formatted texts: https://core.telegram.org/bots/api#formatting-options. Finds markup that the
 * vendor refuses, and the range of each format; offsets count UTF-16 code units of the text without
 * its marks.
 */
import { ownValue } from "../../../core/own.ts";
import { fail } from "./refusals.ts";

/** A part of a text with a format. */
export interface Entity {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly language?: string;
}

/** A text without marks. */
export interface Formatted {
  readonly text: string;
  readonly entities: readonly Entity[];
}

/** Longest text with its marks, in bytes. */
const MAX_BYTES = 32_768;

/** Parses a text in a parse mode. Throws `Refused`. */
export function readFormatted(text: string, parseMode: string): Formatted {
  if (text.length > MAX_BYTES || bytesAt(text, text.length) > MAX_BYTES) {
    return fail("text is too long");
  }
  switch (parseMode.toLowerCase()) {
    case "":
      return { text, entities: [] };
    case "html":
      return readHtml(text);
    case "markdownv2":
      return readMarkdownV2(text);
    case "markdown":
      return readMarkdown(text);
    default:
      return fail("unsupported parse_mode");
  }
}

/** Position as the vendor counts it. */
function bytesAt(text: string, index: number): number {
  return new TextEncoder().encode(text.slice(0, index)).length;
}

function cannot(reason: string): never {
  return fail(`can't parse entities: ${reason}`);
}

const HTML_TAGS: Readonly<Record<string, string>> = {
  ...{ b: "bold", strong: "bold", i: "italic", em: "italic", u: "underline", ins: "underline" },
  ...{ s: "strikethrough", strike: "strikethrough", del: "strikethrough" },
  ...{ code: "code", pre: "pre", a: "text_link", blockquote: "blockquote" },
  ...{ span: "spoiler", "tg-spoiler": "spoiler", "tg-emoji": "custom_emoji" },
};
const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };

interface Open {
  readonly tag: string;
  readonly begin: number;
  readonly url: string;
}

function readHtml(source: string): Formatted {
  let text = "";
  const open: Open[] = [];
  const entities: Entity[] = [];
  const part = /<(\/?)([^<>]*)>|&(#x?[0-9a-fA-F]+|[a-z]+);|[^<&]+|[<&]/g;
  for (const { 0: whole, 1: slash, 2: inner = "", 3: character, index } of source.matchAll(part)) {
    if (character !== undefined || slash === undefined) {
      text += (character === undefined ? undefined : decodeCharacter(character)) ?? whole;
      continue;
    }
    const tag = /^[a-z][a-z0-9-]*/i.exec(inner)?.[0].toLowerCase() ?? "";
    if (slash === "/") {
      const { type, begin, url } = closeTag(source, index, { open, tag });
      addEntity(entities, { type, begin, end: text.length, url });
      continue;
    }
    if (!Object.hasOwn(HTML_TAGS, tag)) {
      return cannot(`Unsupported start tag "${tag}" at byte offset ${bytesAt(source, index)}`);
    }
    const url = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(inner);
    open.push({ tag, begin: text.length, url: url?.[1] ?? url?.[2] ?? url?.[3] ?? "" });
  }
  const last = open.at(-1);
  if (last !== undefined) {
    return cannot(`Can't find end tag corresponding to start tag "${last.tag}"`);
  }
  return { text, entities };
}

/** Consumes the tag that ends here, with its type. */
function closeTag(
  source: string,
  index: number,
  { open, tag }: { readonly open: Open[]; readonly tag: string },
): Open & { readonly type: string } {
  const last = open.pop();
  if (last === undefined) {
    return cannot(`Unexpected end tag at byte offset ${bytesAt(source, index)}`);
  }
  if (tag === "" || tag === last.tag) return { ...last, type: HTML_TAGS[last.tag]! };
  return cannot(
    `Unmatched end tag at byte offset ${bytesAt(source, index)}, ` +
      `expected "</${last.tag}>", found "</${tag}>"`,
  );
}

function decodeCharacter(name: string): string | undefined {
  if (!name.startsWith("#")) return ownValue(NAMED, name);
  const code = name[1] === "x" ? parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

function addEntity(
  entities: Entity[],
  { type, begin, end, url = "", language = "" }: {
    type: string;
    begin: number;
    end: number;
    url?: string;
    language?: string;
  },
): void {
  if (end <= begin || (type === "text_link" && url === "")) return;
  entities.push({
    type,
    offset: begin,
    length: end - begin,
    ...(type === "text_link" && { url }),
    ...(language !== "" && { language }),
  });
}

/** Longest address of a link, in characters. */
const MAX_TARGET = 4096;
const RESERVED = "_*[]()~`>#+-=|{}.!";
/** Longer marks first. */
const MARKS: readonly (readonly [mark: string, type: string])[] = [
  ["__", "underline"],
  ["||", "spoiler"],
  ["*", "bold"],
  ["_", "italic"],
  ["~", "strikethrough"],
];

interface OpenMark {
  readonly mark: string;
  readonly type: string;
  readonly at: number;
  readonly begin: number;
}

function readMarkdownV2(source: string): Formatted {
  let text = "";
  let i = 0;
  const open: OpenMark[] = [];
  const entities: Entity[] = [];
  while (i < source.length) {
    const character = source[i]!;
    const next = source.charCodeAt(i + 1);
    if (character === "\\" && next > 0 && next < 127) {
      text += source[i + 1];
      i += 2;
      continue;
    }
    if (character === "`") {
      const code = readCode(source, i);
      addEntity(entities, { ...code, begin: text.length, end: text.length + code.content.length });
      text += code.content;
      i = code.end;
      continue;
    }
    const isLink = character === "[" || (character === "!" && source[i + 1] === "[");
    if (isLink) {
      const mark = character === "!" ? "![" : "[";
      open.push({ mark, type: "text_link", at: i, begin: text.length });
      i += mark.length;
      continue;
    }
    if (character === "]" && open.at(-1)?.type === "text_link") {
      const { url, length } = readTarget(source, i);
      addEntity(entities, { type: "text_link", begin: open.pop()!.begin, end: text.length, url });
      i += length;
      continue;
    }
    const isQuote = character === ">" && (i === 0 || source[i - 1] === "\n");
    if (isQuote) {
      i++;
      continue;
    }
    const found = MARKS.find(([mark]) => source.startsWith(mark, i));
    if (found !== undefined) {
      const [mark, type] = found;
      if (open.at(-1)?.mark === mark) {
        addEntity(entities, { type, begin: open.pop()!.begin, end: text.length });
      } else open.push({ mark, type, at: i, begin: text.length });
      i += mark.length;
      continue;
    }
    if (RESERVED.includes(character)) {
      return cannot(
        `Character '${character}' is reserved and must be escaped with the preceding '\\'`,
      );
    }
    text += character;
    i++;
  }
  const last = open.at(-1);
  if (last !== undefined) return unclosed(source, last.type, last.at);
  return { text, entities };
}

/** Returns the address after the text of a link, and the length of its marks. */
function readTarget(source: string, at: number): { readonly url: string; readonly length: number } {
  const found = /^\]\(((?:\\.|[^)\\])*)\)/.exec(source.slice(at, at + MAX_TARGET));
  return { url: (found?.[1] ?? "").replace(/\\(.)/g, "$1"), length: found?.[0].length ?? 1 };
}

function unclosed(source: string, type: string, at: number): never {
  const name = type.split("_").map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
  return cannot(`Can't find end of ${name} entity at byte offset ${bytesAt(source, at)}`);
}

/** `code`, or a block between three marks, whose first word is its language. */
function readCode(source: string, at: number) {
  const isBlock = source.startsWith("```", at);
  const mark = isBlock ? "```" : "`";
  let end = at + mark.length;
  while (end < source.length && !source.startsWith(mark, end)) {
    end += source[end] === "\\" ? 2 : 1;
  }
  if (end >= source.length) return unclosed(source, isBlock ? "pre" : "code", at);
  const inner = source.slice(at + mark.length, end).replace(/\\(.)/g, "$1");
  const language = isBlock ? /^([^\s`]+)\n/.exec(inner)?.[1] ?? "" : "";
  const content = isBlock ? inner.slice(language.length).replace(/^\n/, "") : inner;
  return { type: isBlock ? "pre" : "code", content, language, end: end + mark.length };
}

/** The old mode: marks do not nest, and most characters need no escape. */
function readMarkdown(source: string): Formatted {
  let text = "";
  let i = 0;
  const entities: Entity[] = [];
  while (i < source.length) {
    const character = source[i]!;
    if (character === "\\" && /[_*`[]/.test(source[i + 1] ?? "")) {
      text += source[i + 1];
      i += 2;
      continue;
    }
    if (character === "`") {
      const code = readCode(source, i);
      addEntity(entities, { ...code, begin: text.length, end: text.length + code.content.length });
      text += code.content;
      i = code.end;
      continue;
    }
    const wanted = character === "[" ? "]" : character;
    if (!"_*[".includes(character)) {
      text += character;
      i++;
      continue;
    }
    const end = source.indexOf(wanted, i + 1);
    if (end < 0) {
      return cannot(
        `Can't find end of the entity starting at byte offset ${bytesAt(source, i)}`,
      );
    }
    const content = source.slice(i + 1, end);
    const link = character === "["
      ? /^\(([^)]*)\)/.exec(source.slice(end + 1, end + MAX_TARGET))
      : null;
    addEntity(entities, {
      type: character === "*" ? "bold" : character === "_" ? "italic" : "text_link",
      begin: text.length,
      end: text.length + content.length,
      url: link?.[1] ?? "",
    });
    text += content;
    i = end + 1 + (link?.[0].length ?? 0);
  }
  return { text, entities };
}
