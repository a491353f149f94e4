/** The old Markdown, whose marks do not nest: https://core.telegram.org/bots/api#markdown-style */
import { bytesAt, cannot, type Entity, type Formatted, linkMembers } from "./entities.ts";

/** Parses a text. Throws `Refused`. */
export function readMarkdown(source: string): Formatted {
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
    if (!"_*`[".includes(character)) {
      text += character;
      i++;
      continue;
    }
    const { content, end, ...members } = entityAt(source, i);
    if (content !== "" && members.type !== "") {
      entities.push({ offset: text.length, length: content.length, ...members });
    }
    text += content;
    i = end;
  }
  return { text, entities };
}

/** Returns an entity, with its text and the position after it; the type is empty for no link. */
function entityAt(
  source: string,
  at: number,
): Pick<Entity, "type" | "url" | "user" | "language"> & {
  readonly content: string;
  readonly end: number;
} {
  const character = source[at]!;
  const isBlock = source.startsWith("```", at);
  const { begin, language } = isBlock ? blockAt(source, at + 3) : { begin: at + 1 };
  const mark = isBlock ? "```" : character === "[" ? "]" : character;
  const close = source.indexOf(mark, begin);
  if (close < 0) {
    return cannot(`Can't find end of the entity starting at byte offset ${bytesAt(source, at)}`);
  }
  const content = source.slice(begin, close);
  const end = close + mark.length;
  if (character === "`") {
    return isBlock
      ? { type: "pre", content, end, ...(language !== undefined && { language }) }
      : { type: "code", content, end };
  }
  if (character !== "[") return { type: character === "*" ? "bold" : "italic", content, end };
  if (source[end] !== "(") return { type: "", content, end, ...linkMembers(content) };
  const last = source.indexOf(")", end);
  const stop = last < 0 ? source.length : last;
  const url = source.slice(end + 1, stop);
  return { type: "", content, end: stop + 1, ...linkMembers(url) };
}

/** Returns where the text of a block begins, and its language: the word after the marks. */
export function blockAt(
  source: string,
  at: number,
): { readonly begin: number; readonly language?: string } {
  const word = /[^ \t\r\n\v`]*/y;
  word.lastIndex = at;
  const language = word.exec(source)![0];
  const after = at + language.length;
  const isLanguage = language !== "" && after < source.length && source[after] !== "`";
  const begin = isLanguage ? after : at;
  const line = /\r\n|\n\r|[\r\n]|/y;
  line.lastIndex = begin;
  const skipped = line.exec(source)![0].length;
  return { begin: begin + skipped, ...(isLanguage && { language }) };
}
