/** Formatted captured text. */
import { html, useMemo } from "../../lib/dom.js";
import { splitLinks } from "../../lib/text.js";
import { Captured, OutLink } from "../../components/text.js";
import { parseEntities, parseMarkdown, parseMrkdwn, wordsOf } from "../../lib/chat_markup.js";

/** @import { Markup, Token } from "./types.d.ts" */

/** @type {Readonly<Record<Markup, (text: string) => readonly Token[]>>} */
const PARSERS = {
  mrkdwn: parseMrkdwn,
  markdown: parseMarkdown,
  plain: (text) => [{ kind: "text", text }],
};

/**
 * @param {{ text: string, markup: Markup, entities?: unknown, class?: string }} props `entities` are the formatted
 *   parts of a plain text, as Telegram describes them
 */
export function RichText({ text, markup, entities, class: extra = "" }) {
  const tokens = useMemo(
    () => Array.isArray(entities) ? parseEntities(text, entities) : PARSERS[markup](text),
    [text, markup, entities],
  );
  return html`<div class=${`rich ${extra}`} dir="auto">${tokens.map(draw)}</div>`;
}

/**
 * The same on one line, without links: for rows.
 * @param {{ text: string, markup: Markup }} props
 */
export function TextPreview({ text, markup }) {
  return html`<bdi class="row-snippet">${PARSERS[markup](text).map(drawFlat)}</bdi>`;
}

/**
 * @param {Token} token
 * @param {number} i
 * @returns {import("preact").VNode}
 */
function drawFlat(token, i) {
  if (token.kind === "strong" || token.kind === "heading") {
    return html`<strong key=${i}>${token.children.map(drawFlat)}</strong>`;
  }
  if (token.kind === "em") return html`<em key=${i}>${token.children.map(drawFlat)}</em>`;
  if (token.kind === "strike") return html`<s key=${i}>${token.children.map(drawFlat)}</s>`;
  if ("children" in token) return html`<span key=${i}>${token.children.map(drawFlat)}</span>`;
  return html`<${Captured} key=${i} text=${token.text} />`;
}

/** Text in which only addresses are links. @param {{ text: string }} props */
export function PlainText({ text }) {
  return html`${draw({ kind: "text", text }, 0)}`;
}

/**
 * @param {Token} token
 * @param {number} i
 * @returns {import("preact").VNode}
 */
function draw(token, i) {
  switch (token.kind) {
    case "text":
      return html`<bdi key=${i}>${splitLinks(token.text).map(drawPart)}</bdi>`;
    case "code":
      return html`<code key=${i}><${Captured} text=${token.text} /></code>`;
    case "pre":
      return html`<pre key=${i}><${Captured} text=${token.text} /></pre>`;
    case "mention":
      return html`<span key=${i} class="mention"><${Captured} text=${token.text} /></span>`;
    case "strong":
      return html`<strong key=${i}>${token.children.map(draw)}</strong>`;
    case "heading":
      return html`<strong key=${i} class="heading">${token.children.map(draw)}</strong>`;
    case "em":
      return html`<em key=${i}>${token.children.map(draw)}</em>`;
    case "strike":
      return html`<s key=${i}>${token.children.map(draw)}</s>`;
    case "quote":
      return html`<blockquote key=${i}>${token.children.map(draw)}</blockquote>`;
    case "link":
      return html`
        <${OutLink} key=${i} href=${token.href}>
          <${Captured} text=${wordsOf(token)} />
          <//>
      `;
  }
}

/** @param {import("../../lib/text.js").Part} part */
function drawPart({ kind, text }) {
  if (kind === "link") return html`<${OutLink} href=${text}>${text}<//>`;
  return kind === "unseen" ? html`<span class="unseen">${text}</span>` : text;
}

/**
 * A link, if the address is harmless.
 * @param {{ href: string, text: string }} props
 */
export function TextLink({ href, text }) {
  return html`
    <${OutLink} href=${href}>
      <${Captured} text=${text || href} />
      <//>
  `;
}

/**
 * A remote picture: its text and URL. It is never loaded.
 * @param {{ href: string, text: string }} props
 */
export function PictureLink({ href, text }) {
  return html`<span class="picture" title="A picture; it is not loaded">
    <span class="picture-mark" aria-hidden="true">▧</span>
    <${OutLink} href=${href}><${Captured} text=${text || href || "(no address)"} /><//>
  </span>`;
}

/**
 * A button of the original service; here it does nothing, or opens its URL.
 * @param {{ text: string, href?: string, tone?: string }} props
 */
export function ActionMark({ text, href = "", tone = "" }) {
  const label = html`<${Captured} text=${text || "(no label)"} />`;
  return html`<span class=${`action-mark ${tone}`} title=${
    href === "" ? "A button; it does nothing here" : href
  }>${href === "" ? label : html`<${OutLink} href=${href}>${label}<//>`}</span>`;
}
