/** Formatted captured text. */
import { html, useMemo } from "../../lib/dom.js";
import { splitLinks } from "../../lib/text.js";
import { OutLink } from "../../components/text.js";
import { parseMarkdown, parseMrkdwn } from "./format_text.js";

/** @import { Token } from "./types.d.ts" */

/**
 * @param {{ text: string, markup: "mrkdwn" | "markdown" | "plain", class?: string }} props
 */
export function RichText({ text, markup, class: extra = "" }) {
  const tokens = useMemo(
    () =>
      markup === "mrkdwn"
        ? parseMrkdwn(text)
        : markup === "markdown"
        ? parseMarkdown(text)
        : [/** @type {Token} */ ({ kind: "text", text })],
    [text, markup],
  );
  return html`<div class=${`rich ${extra}`} dir="auto">${tokens.map(draw)}</div>`;
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
      return html`<bdi key=${i}>${
        splitLinks(token.text).map((piece) =>
          piece.kind === "link"
            ? html`<${OutLink} href=${piece.text}>${piece.text}<//>`
            : piece.kind === "unseen"
            ? html`<span class="unseen">${piece.text}</span>`
            : piece.text
        )
      }</bdi>`;
    case "code":
      return html`<code key=${i}>${token.text}</code>`;
    case "pre":
      return html`<pre key=${i}>${token.text}</pre>`;
    case "mention":
      return html`<span key=${i} class="mention">${token.text}</span>`;
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
      return html`<${OutLink} key=${i} href=${token.href}>${token.children.map(draw)}<//>`;
  }
}

/**
 * A text that leads somewhere, when the address is harmless.
 * @param {{ href: string, text: string }} props
 */
export function TextLink({ href, text }) {
  return html`<${OutLink} href=${href}><bdi>${text || href}</bdi><//>`;
}

/**
 * A picture of somebody else's: its words and address. It is never loaded.
 * @param {{ href: string, text: string }} props
 */
export function PictureLink({ href, text }) {
  return html`<span class="picture" title="A picture; it is not loaded">
    <span class="picture-mark" aria-hidden="true">▧</span>
    <${OutLink} href=${href}><bdi>${text || href || "(no address)"}</bdi><//>
  </span>`;
}

/**
 * What would be a button there; here it does nothing, or leads where it would.
 * @param {{ text: string, href?: string, tone?: string }} props
 */
export function ActionMark({ text, href = "", tone = "" }) {
  const label = html`<bdi>${text || "(no label)"}</bdi>`;
  return html`<span class=${`action-mark ${tone}`} title=${
    href === "" ? "A button; it does nothing here" : href
  }>${href === "" ? label : html`<${OutLink} href=${href}>${label}<//>`}</span>`;
}
