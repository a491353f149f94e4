/**
 * Shows an HTML body with the pictures it carries: `cid:` URLs (RFC 2392) become addresses of the pictures. Only the
 * values concerned are replaced; every other character stays as sent.
 *
 * The places are found with the HTML tokenizer of `htmlparser2`, so that comments, scripts and text that merely looks
 * like an attribute are left alone. It builds no tree: hostile nesting costs no more than its length.
 */
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/** The address of the part with this Content-ID, or `undefined` when the URL is to stay as it is. */
export type ResolveCid = (contentId: string) => string | undefined;

/** Attributes whose value is one URL that a mail may load. */
const URL_ATTRIBUTES = new Set(["src", "background", "poster", "href", "xlink:href", "data"]);

/** Elements whose `href` leads somewhere instead of showing a picture. */
const LINKS = new Set(["a", "area"]);

/** Replaces the `cid:` URLs of `src` and the like, `srcset`, `style` attributes and `<style>` elements. */
export function rewriteCids(html: string, resolve: ResolveCid): string {
  if (!/cid|&/i.test(html)) return html;
  const output = new Splices(html);
  const tokenizer = new Tokenizer({}, new Rewriter(html, output, resolve));
  tokenizer.write(html);
  tokenizer.end();
  return output.finish();
}

/** Text with some ranges replaced, in ascending order. */
class Splices {
  readonly #text: string;
  readonly #parts: string[] = [];
  #end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  replace(start: number, end: number, replacement: string): void {
    this.#parts.push(this.#text.slice(this.#end, start), replacement);
    this.#end = end;
  }

  finish(): string {
    return this.#parts.join("") + this.#text.slice(this.#end);
  }
}

/** What stands between an attribute's name and its value. */
const BEFORE_VALUE = /[\t\n\f\r ]*=[\t\n\f\r ]*(["']?)/y;

class Rewriter implements TokenizerCallbacks {
  readonly #html: string;
  readonly #output: Splices;
  readonly #resolve: ResolveCid;
  #tag = "";
  #attribute = "";
  #nameEnd = 0;
  #value = "";
  #style: { start: number; end: number } | undefined;

  constructor(html: string, output: Splices, resolve: ResolveCid) {
    this.#html = html;
    this.#output = output;
    this.#resolve = resolve;
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#html.slice(start, end).toLowerCase();
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#html.slice(start, end).toLowerCase();
    this.#nameEnd = end;
    this.#value = "";
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.#html.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    this.#value += String.fromCodePoint(codepoint);
  }

  onattribend(_quote: number, end: number): void {
    if (this.#attribute === "href" && LINKS.has(this.#tag)) return;
    const replacement = rewriteAttribute(this.#attribute, this.#value, this.#resolve);
    if (replacement === this.#value) return;
    BEFORE_VALUE.lastIndex = this.#nameEnd;
    const before = BEFORE_VALUE.exec(this.#html);
    if (before === null) return;
    const quote = before[1]!;
    const start = BEFORE_VALUE.lastIndex - quote.length;
    const stop = quote === "" ? end : this.#html.indexOf(quote, start + 1) + 1;
    const escaped = replacement.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    this.#output.replace(start, stop, `"${escaped}"`);
  }

  ontext(start: number, end: number): void {
    if (this.#tag !== "style") return;
    // The text of one element may come in several pieces.
    if (this.#style === undefined) this.#style = { start, end };
    else this.#style.end = end;
  }

  onclosetag(): void {
    this.#endStyle();
    this.#tag = "";
  }

  onend(): void {
    this.#endStyle();
  }

  onopentagend(): void {}
  onselfclosingtag(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  ontextentity(): void {}

  #endStyle(): void {
    if (this.#style === undefined) return;
    const { start, end } = this.#style;
    this.#style = undefined;
    const css = this.#html.slice(start, end);
    const replacement = rewriteCss(css, this.#resolve);
    if (replacement !== css) this.#output.replace(start, end, replacement);
  }
}

function rewriteAttribute(name: string, value: string, resolve: ResolveCid): string {
  if (URL_ATTRIBUTES.has(name)) return rewriteUrl(value.trim(), resolve) ?? value;
  if (name === "style") return rewriteCss(value, resolve);
  if (name !== "srcset") return value;
  return value.split(",").map((candidate) => {
    const [, lead, url, rest] = /^(\s*)(\S*)(.*)$/s.exec(candidate)!;
    const address = rewriteUrl(url!, resolve);
    return address === undefined ? candidate : `${lead}${address}${rest}`;
  }).join(",");
}

const CSS_URL = /url\(\s*(?:"(cid:[^"\\\n]*)"|'(cid:[^'\\\n]*)'|(cid:[^\s"'()\\]*))\s*\)/gi;

function rewriteCss(css: string, resolve: ResolveCid): string {
  return css.replace(CSS_URL, (whole, ...quoted: (string | undefined)[]) => {
    const address = rewriteUrl(quoted.slice(0, 3).find((url) => url !== undefined)!, resolve);
    return address === undefined ? whole : `url("${address}")`;
  });
}

function rewriteUrl(url: string, resolve: ResolveCid): string | undefined {
  if (!/^cid:/i.test(url)) return undefined;
  const contentId = url.slice("cid:".length);
  try {
    return resolve(decodeURIComponent(contentId));
  } catch {
    // Not percent-encoded, though RFC 2392 asks for it.
    return resolve(contentId);
  }
}
