import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import type { Steps } from "../../core/bytes/steps.ts";

/** Characters read between two pauses. */
const READ_STEP = 32 * 1024;

/**
 * Tokenizes HTML, and keeps the names of the current tag and attribute. It builds no tree: hostile nesting costs no
 * more than its length.
 */
export class HtmlReader implements TokenizerCallbacks {
  readonly html: string;
  /** In lower case. */
  tag = "";
  /** Name of the attribute, in lower case. */
  attribute = "";
  /** Value of the attribute, with entities decoded. */
  value = "";

  constructor(html: string) {
    this.html = html;
  }

  /** Reads the whole text with pauses. */
  *read(): Steps<void> {
    const tokenizer = new Tokenizer({}, this);
    for (let at = 0; at < this.html.length; at += READ_STEP) {
      tokenizer.write(this.html.slice(at, at + READ_STEP));
      yield;
    }
    tokenizer.end();
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.html.slice(start, end).toLowerCase();
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.html.slice(start, end).toLowerCase();
    this.value = "";
  }

  onattribdata(start: number, end: number): void {
    this.value += this.html.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    this.value += String.fromCodePoint(codepoint);
  }

  onattribend(_quote: number, _end: number): void {}
  onopentagend(_end: number): void {}
  onselfclosingtag(_end: number): void {}
  onclosetag(_start: number, _end: number): void {}
  ontext(_start: number, _end: number): void {}
  ontextentity(_codepoint: number): void {}
  oncdata(): void {}
  oncomment(_start: number, _end: number): void {}
  ondeclaration(_start: number, _end: number): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}
