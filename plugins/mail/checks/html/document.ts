import type { Steps } from "../../../../core/bytes/steps.ts";
import { HtmlReader } from "../../html_reader.ts";

/** A part of the source, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One attribute of an element; its place is from the name to the end of the value. */
export interface HtmlAttribute extends Span {
  /** With entities decoded. */
  readonly value: string;
  /** Where the value begins in the source. */
  readonly valueStart: number;
}

/** One element; its place is the start tag. */
export interface HtmlElement extends Span {
  /** In lower case. */
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, HtmlAttribute>;
  readonly parent: HtmlElement | undefined;
  /** Whether it contains text directly. */
  readonly hasText: boolean;
  /** Text in links and titles, including the `alt` of pictures. */
  readonly text: string;
}

/** The parts of an HTML body that checks examine. */
export interface HtmlDocument {
  readonly source: string;
  /** In the order of their start tags. */
  readonly elements: readonly HtmlElement[];
  /** Style sheets of `style` elements. */
  readonly sheets: readonly { readonly css: string; readonly start: number }[];
  /** The first comment that is not conditional. */
  readonly comment: Span | undefined;
  readonly doctype: Span | undefined;
}

/** Maximum number of elements read, and most characters. */
const MAX_ELEMENTS = 50_000;
const MAX_SOURCE = 1024 * 1024;
/** Maximum number of ancestors that a closing tag is matched against. */
const MAX_CLIMB = 100;
/** Maximum characters of a link's text. */
const MAX_TEXT = 2000;

const VOID = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);
/** Elements whose text is collected. */
const TEXTUAL = new Set(["a", "title", "button"]);

/** Reads an HTML body into a list of elements that know their parents. */
export function* readDocument(html: string): Steps<HtmlDocument> {
  const reader = new DocumentReader(html.slice(0, MAX_SOURCE));
  yield* reader.read();
  return reader.finish();
}

type Building = { -readonly [K in keyof HtmlElement]: HtmlElement[K] } & {
  readonly attributes: Map<string, HtmlAttribute>;
};

class DocumentReader extends HtmlReader {
  readonly #elements: Building[] = [];
  readonly #sheets: { css: string; start: number }[] = [];
  readonly #open: Building[] = [];
  #current: Building | undefined;
  #sheet: Span | undefined;
  #textual: Building | undefined;
  #attributeStart = 0;
  #valueStart = 0;
  #comment: Span | undefined;
  #doctype: Span | undefined;

  finish(): HtmlDocument {
    this.#endSheet();
    return {
      source: this.html,
      elements: this.#elements,
      sheets: this.#sheets,
      comment: this.#comment,
      doctype: this.#doctype,
    };
  }

  override onopentagname(start: number, end: number): void {
    super.onopentagname(start, end);
    this.#current = {
      tag: this.tag,
      start: start - 1,
      end,
      attributes: new Map(),
      parent: this.#open.at(-1),
      hasText: false,
      text: "",
    };
  }

  override onattribname(start: number, end: number): void {
    super.onattribname(start, end);
    this.#attributeStart = start;
    this.#valueStart = end;
  }

  override onattribdata(start: number, end: number): void {
    if (this.value === "") this.#valueStart = start;
    super.onattribdata(start, end);
  }

  override onattribend(_quote: number, end: number): void {
    const attributes = this.#current?.attributes;
    if (attributes === undefined || attributes.has(this.attribute)) return;
    attributes.set(this.attribute, {
      value: this.value,
      start: this.#attributeStart,
      end,
      valueStart: this.#valueStart,
    });
  }

  override onopentagend(end: number): void {
    const element = this.#current;
    if (element === undefined) return;
    this.#current = undefined;
    element.end = end + 1;
    if (this.#elements.length >= MAX_ELEMENTS) return;
    this.#elements.push(element);
    if (element.tag === "img") this.#addText(element.attributes.get("alt")?.value ?? "");
    if (VOID.has(element.tag)) return;
    this.#open.push(element);
    if (TEXTUAL.has(element.tag)) this.#textual = element;
  }

  override onselfclosingtag(end: number): void {
    // HTML ignores the slash.
    this.onopentagend(end);
  }

  override onclosetag(start: number, end: number): void {
    this.#endSheet();
    const tag = this.html.slice(start, end).toLowerCase();
    const lowest = Math.max(0, this.#open.length - MAX_CLIMB);
    for (let at = this.#open.length - 1; at >= lowest; at--) {
      if (this.#open[at]!.tag !== tag) continue;
      this.#open.length = at;
      break;
    }
    if (this.#textual?.tag === tag) this.#textual = undefined;
  }

  override ontext(start: number, end: number): void {
    const within = this.#open.at(-1);
    if (within?.tag === "style") {
      this.#sheet = this.#sheet === undefined ? { start, end } : { ...this.#sheet, end };
      return;
    }
    if (within !== undefined && !within.hasText) {
      within.hasText = /\S/.test(this.html.slice(start, end));
    }
    this.#addText(this.html.slice(start, end));
  }

  override ontextentity(codepoint: number): void {
    this.#addText(String.fromCodePoint(codepoint));
  }

  override oncomment(start: number, end: number): void {
    if (this.#comment !== undefined) return;
    if (!/^\s*(\[if\b|<!\[endif\])/i.test(this.html.slice(start, Math.min(end, start + 40)))) {
      this.#comment = { start: start - "<!--".length, end: end + 1 };
    }
  }

  override ondeclaration(start: number, end: number): void {
    if (/^doctype/i.test(this.html.slice(start, end).replace(/^!/, ""))) {
      this.#doctype ??= { start: start - 2, end: end + 1 };
    }
  }

  #addText(text: string): void {
    if (this.#textual === undefined || this.#textual.text.length >= MAX_TEXT) return;
    this.#textual.text += text.slice(0, MAX_TEXT);
  }

  #endSheet(): void {
    if (this.#sheet === undefined) return;
    const { start, end } = this.#sheet;
    this.#sheets.push({ css: this.html.slice(start, end), start });
    this.#sheet = undefined;
  }
}
