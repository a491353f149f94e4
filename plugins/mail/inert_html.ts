/**
 * Removes everything from an HTML body that would contact another machine or run. The content security policy of the
 * page is not enough: browsers open connections for a `<link rel=preconnect>`, for a frame that they then refuse, and
 * for a pressed link.
 *
 * The rest is written in a form that every browser parses like this tokenizer: each `<` begins a
 * tag.
 */
import type { Steps } from "../../core/bytes/steps.ts";
import { HtmlReader } from "./html_reader.ts";

/** Form of links: in a tab they work, in a frame they only show their address. */
export type Links = "live" | "inert";

/** Returns a body that contacts no other machine; pictures and styles are left to the policy. */
export function* toInertHtml(html: string, links: Links): Steps<string> {
  // Inside a title the tokenizer reads this control character as `<`.
  const writer = new Writer(html.replaceAll("\x1c", ""), links);
  yield* writer.read();
  return writer.parts.join("");
}

/** Elements removed with their content, which no tokenizer reads as tags. */
const SWALLOWED = new Set(["script", "iframe", "noembed", "noframes"]);
/** Elements removed without their content. */
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
/** Harmless names of a `<meta>`: page width and colours. */
const META_NAMES = new Set(["viewport", "color-scheme", "supported-color-schemes"]);

const TAG_NAME = /^[a-z][a-z0-9:._-]*$/;
const ATTRIBUTE_NAME = /^[a-z_:][a-z0-9:._-]*$/;
/** No character of it can begin or end a tag. */
const DOCTYPE = /^doctype[\s"'\w./:+-]*$/i;

type Attribute = readonly [name: string, value: string];

class Writer extends HtmlReader {
  readonly parts: string[] = [];
  readonly #links: Links;
  #attributes: Attribute[] = [];
  /** Owner of the text that follows. */
  #inside: "text" | "style" | "nothing" = "text";
  #css = "";

  constructor(html: string, links: Links) {
    super(html);
    this.#links = links;
  }

  override onopentagname(start: number, end: number): void {
    super.onopentagname(start, end);
    this.#attributes = [];
  }

  override onattribend(): void {
    this.#attributes.push([this.attribute, this.value]);
  }

  override onopentagend(): void {
    this.#open("");
  }

  override onselfclosingtag(): void {
    this.#open("/");
  }

  override onclosetag(start: number, end: number): void {
    this.#endStyle();
    this.#inside = "text";
    const tag = this.html.slice(start, end).toLowerCase();
    if (isKept(tag)) this.parts.push(`</${nameOf(tag)}>`);
  }

  override ontext(start: number, end: number): void {
    const text = this.html.slice(start, end);
    if (this.#inside === "text") this.parts.push(escapeText(text));
    // Its text comes in chunks, which could form a tag together.
    else if (this.#inside === "style") this.#css += text;
  }

  override ontextentity(codepoint: number): void {
    if (this.#inside === "text") this.parts.push(escapeText(String.fromCodePoint(codepoint)));
  }

  /** Keeps the document type, which selects the rendering mode. */
  override ondeclaration(start: number, end: number): void {
    const declaration = this.html.slice(start, end).replace(/^!/, "");
    if (DOCTYPE.test(declaration)) this.parts.push(`<!${declaration}>`);
  }

  override onend(): void {
    this.#endStyle();
  }

  #open(slash: string): void {
    const tag = this.tag;
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
      if (!isLink(this.tag, name) || this.#mayLead(value.trim())) kept.push([name, value]);
      else {
        hidden = value.trim();
        kept.push([name, "#"]);
      }
    }
    // The tooltip shows the address; the first attribute of a name counts.
    return hidden === undefined ? kept : [["title", hidden], ...kept];
  }

  /** A browser connects as soon as a link is pressed, even if the policy forbids following it. */
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
  // SVG can animate attributes, such as the address of an inert link.
  return name !== "attributename" || !/href/i.test(value);
}

function isLink(tag: string, name: string): boolean {
  return (name === "href" || name === "xlink:href") && !SVG_REFERENCES.has(tag);
}

function isHarmlessMeta(attributes: readonly Attribute[]): boolean {
  const [name, ...more] = attributes.filter(([name]) => name === "name");
  return name !== undefined && more.length === 0 && META_NAMES.has(name[1].trim().toLowerCase());
}

/** Inside `<xmp>` a browser would show `&lt;` literally. */
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
