/**
 * Reads the visible text of an HTML body, and its links. A tokenizer without a tree: hostile nesting costs no more than
 * its length.
 */
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/** Elements that start a new line. */
const BLOCKS = new Set(
  ("address article aside blockquote body br center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header " +
    "hr li main nav ol option p pre section table tbody tfoot thead tr ul").split(" "),
);
/** Elements with invisible text. */
const HIDDEN = new Set(["script", "style", "head", "title", "template", "noscript"]);

/** Content of an HTML body. */
export interface HtmlText {
  readonly text: string;
  /** Values of `href`, in order. */
  readonly hrefs: readonly string[];
}

/** Reads an HTML body. */
export function readHtml(html: string): HtmlText {
  const reader = new Reader(html);
  const tokenizer = new Tokenizer({}, reader);
  tokenizer.write(html);
  tokenizer.end();
  return { text: tidy(reader.parts.join("")), hrefs: reader.hrefs };
}

function tidy(text: string): string {
  return text.split("\n").map((line) => line.replace(/[\s\u200b-\u200d\ufeff]+/g, " ").trim())
    .filter((line) => line !== "").join("\n");
}

class Reader implements TokenizerCallbacks {
  readonly parts: string[] = [];
  readonly hrefs: string[] = [];
  readonly #html: string;
  /** The outermost open element that is hidden. */
  #hidden = "";
  #tag = "";
  #attribute = "";
  #value = "";

  constructor(html: string) {
    this.#html = html;
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#html.slice(start, end).toLowerCase();
    this.#break();
  }

  onopentagend(): void {
    // A body ends an unclosed head.
    if (this.#tag === "body") this.#hidden = "";
    else if (this.#hidden === "" && HIDDEN.has(this.#tag)) this.#hidden = this.#tag;
  }

  onclosetag(start: number, end: number): void {
    this.#tag = this.#html.slice(start, end).toLowerCase();
    if (this.#tag === this.#hidden) this.#hidden = "";
    this.#break();
  }

  ontext(start: number, end: number): void {
    // A line break in the source is a space for the reader.
    if (this.#hidden === "") this.parts.push(this.#html.slice(start, end).replace(/\s+/g, " "));
  }

  ontextentity(codepoint: number): void {
    if (this.#hidden === "") this.parts.push(String.fromCodePoint(codepoint));
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#html.slice(start, end).toLowerCase();
    this.#value = "";
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.#html.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    this.#value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    if (this.#attribute === "href") this.hrefs.push(this.#value.trim());
  }

  onselfclosingtag(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #break(): void {
    if (this.#tag === "td" || this.#tag === "th") this.parts.push(" ");
    else if (BLOCKS.has(this.#tag)) this.parts.push("\n");
  }
}
