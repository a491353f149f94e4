/** MarkdownV2, whose marks nest: https://core.telegram.org/bots/api#markdownv2-style */
import {
  bytesAt,
  cannot,
  type Entity,
  type Formatted,
  inOrder,
  isTimeFormat,
  linkMembers,
} from "./entities.ts";
import { tgParameters } from "./links.ts";
import { blockAt } from "./markdown.ts";

const RESERVED = "_*[]()~`>#+-=|{}.!\n";

/** Names of types in the vendor's errors. */
const NAMES: Readonly<Record<string, string>> = {
  bold: "Bold",
  italic: "Italic",
  underline: "Underline",
  strikethrough: "Strikethrough",
  spoiler: "Spoiler",
  code: "Code",
  pre: "Pre",
  text_link: "TextUrl",
  custom_emoji: "CustomEmoji",
  blockquote: "BlockQuote",
};

/** Marks that end what they begin; longer ones first. */
const MARKS: readonly (readonly [mark: string, type: string])[] = [
  ["__", "underline"],
  ["||", "spoiler"],
  ["*", "bold"],
  ["_", "italic"],
  ["~", "strikethrough"],
];
const MARK_OF: ReadonlyMap<string, string> = new Map([
  ...MARKS.map(([mark, type]) => [type, mark] as const),
  ["code", "`"],
  ["pre", "```"],
  ["text_link", "]"],
  ["custom_emoji", "]"],
]);

interface Open {
  readonly type: string;
  /** Position of its mark. */
  readonly at: number;
  /** Begin in the text without marks. */
  readonly begin: number;
  readonly language?: string;
}

/** Parses a text. Throws `Refused`. */
export function readMarkdownV2(source: string): Formatted {
  return new Reader(source).read();
}

class Reader {
  readonly #source: string;
  readonly #open: Open[] = [];
  readonly #entities: Entity[] = [];
  #text = "";
  #i = 0;
  #inQuote = false;
  /** Whether a quote may begin: only marks came since the begin of the line. */
  #atLine = true;

  constructor(source: string) {
    this.#source = source;
  }

  read(): Formatted {
    while (this.#i < this.#source.length) this.#step();
    if (this.#inQuote) this.#endQuoteAtEnd();
    const last = this.#open.at(-1);
    if (last !== undefined) return this.#unclosed(last);
    return { text: this.#text, entities: inOrder(this.#entities) };
  }

  #step(): void {
    const source = this.#source;
    const character = source[this.#i]!;
    const next = source.charCodeAt(this.#i + 1);
    if (character === "\\" && next > 0 && next < 127) {
      this.#add(source[this.#i + 1]!, 2);
      return;
    }
    const last = this.#open.at(-1);
    const isCode = last?.type === "code" || last?.type === "pre";
    if (!(isCode ? "`" : RESERVED).includes(character)) {
      this.#add(character);
      // A line feed in code begins no line.
      if (character === "\n") this.#atLine = false;
    } else if (last !== undefined && this.#isEnd(last, character)) {
      if (character === "\n") this.#endQuote(last);
      else this.#end(last);
    } else this.#begin(character);
  }

  #add(character: string, length = 1): void {
    this.#text += character;
    this.#i += length;
    if (character !== "\r") this.#atLine = character === "\n";
  }

  #isEnd({ type }: Open, character: string): boolean {
    const isCode = type === "code" || type === "pre";
    if (this.#inQuote && character === "\n" && !isCode) return this.#source[this.#i + 1] !== ">";
    // `__` in italic text begins an underline.
    if (type === "italic") return character === "_" && this.#source[this.#i + 1] !== "_";
    const mark = MARK_OF.get(type);
    return mark !== undefined && this.#source.startsWith(mark, this.#i);
  }

  #begin(character: string): void {
    const source = this.#source;
    const at = this.#i;
    const push = (type: string, length: number, language?: string): void => {
      this.#open.push({
        type,
        at,
        begin: this.#text.length,
        ...(language !== undefined && { language }),
      });
      this.#i += length;
    };
    const found = MARKS.find(([mark]) => source.startsWith(mark, at));
    if (character === "\n") this.#add(character);
    else if (found !== undefined) push(found[1], found[0].length);
    else if (character === "[") push("text_link", 1);
    else if (source.startsWith("![", at)) push("custom_emoji", 2);
    else if (source.startsWith("```", at)) {
      const { begin, language } = blockAt(source, at + 3);
      push("pre", begin - at, language);
    } else if (character === "`") push("code", 1);
    else if (character === ">" && this.#atLine) {
      if (this.#inQuote) this.#i++;
      else push("blockquote", 1);
      this.#inQuote = true;
    } else {
      cannot(`Character '${character}' is reserved and must be escaped with the preceding '\\'`);
    }
  }

  #end({ type, begin, language }: Open): void {
    this.#open.pop();
    this.#i += MARK_OF.get(type)!.length;
    const place = { offset: begin, length: this.#text.length - begin };
    const isEmpty = place.length === 0;
    if (type === "text_link") {
      const url = this.#source[this.#i] === "(" ? this.#target() : this.#text.slice(begin);
      const link = linkMembers(url);
      if (link !== undefined && !isEmpty) this.#entities.push({ ...place, ...link });
    } else if (type === "custom_emoji") {
      const members = this.#custom();
      if (!isEmpty) this.#entities.push({ ...place, ...members });
    } else if (!isEmpty) {
      this.#entities.push({ type, ...place, ...(language !== undefined && { language }) });
    }
  }

  /** Returns the address in parentheses. */
  #target(): string {
    const begin = ++this.#i;
    let url = "";
    while (this.#i < this.#source.length && this.#source[this.#i] !== ")") {
      const next = this.#source.charCodeAt(this.#i + 1);
      if (this.#source[this.#i] === "\\" && next > 0 && next < 127) this.#i++;
      url += this.#source[this.#i++];
    }
    if (this.#source[this.#i] !== ")") {
      return cannot(`Can't find end of a URL at byte offset ${bytesAt(this.#source, begin)}`);
    }
    this.#i++;
    return url;
  }

  /** Returns an emoji or a time: https://core.telegram.org/bots/api#markdownv2-style */
  #custom(): Pick<Entity, "type" | "custom_emoji_id" | "unix_time" | "date_time_format"> {
    if (this.#source[this.#i] !== "(") {
      return cannot("The entity must contain a tg://emoji or tg://time URL");
    }
    const url = this.#target();
    const id = tgParameters(url, "emoji")?.get("id") ?? "";
    if (/^-?(?!0+$)\d{1,19}$/.test(id)) return { type: "custom_emoji", custom_emoji_id: id };
    const time = tgParameters(url, "time");
    const unix = time?.get("unix") ?? "";
    const format = time?.get("format") ?? "";
    if (!/^[1-9]\d{0,9}$/.test(unix) || !isTimeFormat(format)) {
      return cannot("Invalid tg://emoji or tg://time URL specified");
    }
    return {
      type: "date_time",
      unix_time: Number(unix),
      ...(format !== "" && { date_time_format: format }),
    };
  }

  /** Ends a quote at the end of its last line; one that ends with `||` can be expanded. */
  #endQuote(last: Open): void {
    const isMark = last.type === "spoiler" &&
      /^\|\|\r?$/.test(this.#source.slice(last.at, this.#i));
    if (last.type !== "blockquote" && !isMark) this.#unclosed(last);
    if (isMark) this.#open.pop();
    const quote = this.#open.at(-1);
    if (quote?.type !== "blockquote") return this.#unclosed(quote ?? last);
    this.#open.pop();
    this.#inQuote = false;
    this.#add("\n");
    this.#quote(quote, isMark);
  }

  #endQuoteAtEnd(): void {
    const last = this.#open.at(-1);
    const isMark = last?.type === "spoiler" && last.at === this.#source.length - 2;
    if (isMark) this.#open.pop();
    const quote = this.#open.at(-1);
    if (quote?.type !== "blockquote") return;
    this.#open.pop();
    this.#quote(quote, isMark);
  }

  #quote({ begin }: Open, isExpandable: boolean): void {
    const length = this.#text.length - begin;
    const type = isExpandable ? "expandable_blockquote" : "blockquote";
    if (length > 0) this.#entities.push({ type, offset: begin, length });
  }

  #unclosed({ type, at, language }: Open): never {
    const name = type === "pre" && language !== undefined ? "PreCode" : NAMES[type]!;
    return cannot(`Can't find end of ${name} entity at byte offset ${bytesAt(this.#source, at)}`);
  }
}
