/**
 * Replaces the `cid:` URLs (RFC 2392) of an HTML body with addresses of the pictures. Every other character stays as
 * sent: a tokenizer finds the URLs, so comments, scripts and text that looks like an attribute are left alone.
 */
import type { Steps } from "../../core/bytes/steps.ts";
import { HtmlReader } from "./html_reader.ts";

/** Returns the address of the part with this Content-ID, or `undefined` to keep the URL. */
export type ResolveCid = (contentId: string) => string | undefined;

/** Attributes whose value is one URL to load. */
const URL_ATTRIBUTES = new Set(["src", "background", "poster", "href", "xlink:href", "data"]);

/** Elements whose `href` is a link, not a picture. */
const LINKS = new Set(["a", "area"]);

/** Replaces the `cid:` URLs of `src` and the like, `srcset`, `style` attributes and `<style>` elements. */
export function* rewriteCids(html: string, resolve: ResolveCid): Steps<string> {
  if (!/cid|&/i.test(html)) return html;
  const rewriter = new Rewriter(html, resolve);
  yield* rewriter.read();
  return rewriter.finish();
}

/** Text between an attribute's name and its value. */
const BEFORE_VALUE = /[\t\n\f\r ]*=[\t\n\f\r ]*(["']?)/y;

class Rewriter extends HtmlReader {
  readonly #resolve: ResolveCid;
  /** The rewritten text up to `#end`. */
  readonly #parts: string[] = [];
  #end = 0;
  #nameEnd = 0;
  #style: { start: number; end: number } | undefined;

  constructor(html: string, resolve: ResolveCid) {
    super(html);
    this.#resolve = resolve;
  }

  finish(): string {
    return this.#parts.join("") + this.html.slice(this.#end);
  }

  override onattribname(start: number, end: number): void {
    super.onattribname(start, end);
    this.#nameEnd = end;
  }

  override onattribend(_quote: number, end: number): void {
    if (this.attribute === "href" && LINKS.has(this.tag)) return;
    const replacement = rewriteAttribute(this.attribute, this.value, this.#resolve);
    if (replacement === this.value) return;
    BEFORE_VALUE.lastIndex = this.#nameEnd;
    const before = BEFORE_VALUE.exec(this.html);
    if (before === null) return;
    const quote = before[1]!;
    const start = BEFORE_VALUE.lastIndex - quote.length;
    const stop = quote === "" ? end : this.html.indexOf(quote, start + 1) + 1;
    const escaped = replacement.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    this.#replace(start, stop, `"${escaped}"`);
  }

  override ontext(start: number, end: number): void {
    if (this.tag !== "style") return;
    // The text of one element may come in several chunks.
    if (this.#style === undefined) this.#style = { start, end };
    else this.#style.end = end;
  }

  override onclosetag(): void {
    this.#endStyle();
    this.tag = "";
  }

  override onend(): void {
    this.#endStyle();
  }

  #replace(start: number, end: number, replacement: string): void {
    this.#parts.push(this.html.slice(this.#end, start), replacement);
    this.#end = end;
  }

  #endStyle(): void {
    if (this.#style === undefined) return;
    const { start, end } = this.#style;
    this.#style = undefined;
    const css = this.html.slice(start, end);
    const replacement = rewriteCss(css, this.#resolve);
    if (replacement !== css) this.#replace(start, end, replacement);
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
    // Not percent-encoded, although RFC 2392 requires it.
    return resolve(contentId);
  }
}
