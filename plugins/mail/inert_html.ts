/**
 * Takes out of an HTML body whatever would reach another machine, or do anything at all, although the policy under which
 * the body is shown forbids it: browsers open connections for a `<link rel=preconnect>`, for a frame that they then
 * refuse, and for a link that is pressed.
 *
 * Every tag, attribute and text that stays is written anew, in one way that no browser can read as anything else than
 * this tokenizer did: no `<` stands where it does not begin a tag. It builds no tree: hostile nesting costs no more than
 * its length.
 *
 * @module
 */
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/** How links are written: for a page of its own they lead where they say, in a frame they only say it. */
export type Links = "live" | "inert";

/** Writes an HTML body that asks nobody for anything by itself; pictures and styles are for the policy to stop. */
export function toInertHtml(html: string, links: Links): string {
  // Inside a title the tokenizer takes this control character for `<`.
  const readable = html.replaceAll("\x1c", "");
  const writer = new Writer(readable, links);
  const tokenizer = new Tokenizer({}, writer);
  tokenizer.write(readable);
  tokenizer.end();
  return writer.parts.join("");
}

/** Elements that are left out with all that is in them, which no tokenizer reads as tags. */
const SWALLOWED = new Set(["script", "iframe", "noembed", "noframes"]);
/** Elements that are left out, and what is in them stays. */
const LEFT_OUT = new Set(
  ("applet base bgsound embed fencedframe frame frameset link object param plaintext portal " +
    "webview").split(" "),
);
/** Attributes that send, load or change something, whatever the element. */
const REFUSED = new Set(
  ("action archive attributionsrc background-src classid code codebase data download dynsrc formaction " +
    "formtarget http-equiv imagesrcset is longdesc lowsrc manifest nonce ping profile referrerpolicy " +
    "shadowrootmode srcdoc target").split(" "),
);
/** Elements of SVG whose `href` names a picture, or a part of the same one. */
const SVG_REFERENCES = new Set(
  ("feimage filter image lineargradient mpath pattern radialgradient textpath use").split(" "),
);
/** What a `<meta>` may say: how wide the page wants to be, and its colours. */
const META_NAMES = new Set(["viewport", "color-scheme", "supported-color-schemes"]);

const TAG_NAME = /^[a-z][a-z0-9:._-]*$/;
const ATTRIBUTE_NAME = /^[a-z_:][a-z0-9:._-]*$/;
/** `>` ends it in every browser, and what `<` begins in it begins nothing. */
const DOCTYPE = /^doctype[\s"'\w./:+-]*$/i;

type Attribute = readonly [name: string, value: string];

class Writer implements TokenizerCallbacks {
  readonly parts: string[] = [];
  readonly #html: string;
  readonly #links: Links;
  #tag = "";
  #attributes: Attribute[] = [];
  #name = "";
  #value = "";
  /** What the text that comes belongs to. */
  #inside: "text" | "style" | "nothing" = "text";
  #css = "";

  constructor(html: string, links: Links) {
    this.#html = html;
    this.#links = links;
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#html.slice(start, end).toLowerCase();
    this.#attributes = [];
  }

  onattribname(start: number, end: number): void {
    this.#name = this.#html.slice(start, end).toLowerCase();
    this.#value = "";
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.#html.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    this.#value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    this.#attributes.push([this.#name, this.#value]);
  }

  onopentagend(): void {
    this.#open("");
  }

  onselfclosingtag(): void {
    this.#open("/");
  }

  onclosetag(start: number, end: number): void {
    this.#endStyle();
    this.#inside = "text";
    const tag = this.#html.slice(start, end).toLowerCase();
    if (isKept(tag)) this.parts.push(`</${nameOf(tag)}>`);
  }

  ontext(start: number, end: number): void {
    const text = this.#html.slice(start, end);
    if (this.#inside === "text") this.parts.push(escapeText(text));
    // Its text comes in pieces, and a tag could be made of two.
    else if (this.#inside === "style") this.#css += text;
  }

  ontextentity(codepoint: number): void {
    if (this.#inside === "text") this.parts.push(escapeText(String.fromCodePoint(codepoint)));
  }

  /** The document type decides how old a browser is imitated. */
  ondeclaration(start: number, end: number): void {
    const declaration = this.#html.slice(start, end).replace(/^!/, "");
    if (DOCTYPE.test(declaration)) this.parts.push(`<!${declaration}>`);
  }

  onend(): void {
    this.#endStyle();
  }

  oncdata(): void {}
  oncomment(): void {}
  onprocessinginstruction(): void {}

  #open(slash: string): void {
    const tag = this.#tag;
    this.#inside = SWALLOWED.has(tag) ? "nothing" : tag === "style" ? "style" : "text";
    if (!isKept(tag) || (tag === "meta" && !isHarmlessMeta(this.#attributes))) return;
    const written = this.#keptAttributes().map(([name, value]) =>
      ` ${name}="${escapeText(value).replaceAll('"', "&quot;")}"`
    );
    this.parts.push(`<${nameOf(tag)}${written.join("")}${slash}>`);
  }

  #keptAttributes(): readonly Attribute[] {
    const kept: Attribute[] = [];
    let hidden: string | undefined;
    for (const [name, value] of this.#attributes) {
      if (!isKeptAttribute(name, value)) continue;
      if (!isLink(this.#tag, name) || this.#mayLead(value.trim())) kept.push([name, value]);
      else {
        hidden = value.trim();
        kept.push([name, "#"]);
      }
    }
    // What is pointed at says where it would lead; the first attribute of a name counts.
    return hidden === undefined ? kept : [["title", hidden], ...kept];
  }

  /** A browser connects to where a link leads as soon as it is pressed, whether or not it may go there. */
  #mayLead(address: string): boolean {
    return /^(?:#|mailto:|tel:)/i.test(address) ||
      (this.#links === "live" && /^https?:/i.test(address));
  }

  #endStyle(): void {
    if (this.#css !== "") this.parts.push(withoutTags(this.#css));
    this.#css = "";
  }
}

function isKept(tag: string): boolean {
  return TAG_NAME.test(tag) && !SWALLOWED.has(tag) && !LEFT_OUT.has(tag);
}

function isKeptAttribute(name: string, value: string): boolean {
  if (!ATTRIBUTE_NAME.test(name) || name.startsWith("on") || REFUSED.has(name)) return false;
  // SVG can change an attribute of an element by itself: a link that leads nowhere, for one.
  return name !== "attributename" || !/href/i.test(value);
}

function isLink(tag: string, name: string): boolean {
  return (name === "href" || name === "xlink:href") && !SVG_REFERENCES.has(tag);
}

function isHarmlessMeta(attributes: readonly Attribute[]): boolean {
  const [name, ...more] = attributes.filter(([name]) => name === "name");
  return name !== undefined && more.length === 0 && META_NAMES.has(name[1].trim().toLowerCase());
}

/** Inside `<xmp>` a browser would show what stands for `<` as it is written. */
function nameOf(tag: string): string {
  return tag === "xmp" ? "pre" : tag;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Inside SVG a browser reads the text of `<style>` as markup. `\3c ` is CSS for `<`. */
function withoutTags(css: string): string {
  return css.replaceAll("<!--", "").replace(/<(?=[a-z!/?])/gi, "\\3c ");
}
