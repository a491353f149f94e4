/** Captured text, shown so that it can neither hide characters nor reorder the text around it. */
import { html } from "../lib/dom.js";
import { safeHref, splitFound, splitLinks, splitUnseen } from "../lib/text.js";

/** @import { Part } from "../lib/text.js" */

/** @param {Part} part */
export function renderPart(part) {
  if (part.kind === "unseen") {
    return html`<span class="unseen" title="An invisible character">${part.text}</span>`;
  }
  if (part.kind === "link") return html`<${OutLink} href=${part.text}>${part.text}<//>`;
  return part.text;
}

/**
 * A short captured text inside other text.
 * @param {{ text: string | undefined, class?: string, found?: string }} props `found` is what to mark in it
 */
export function Captured({ text = "", class: className, found = "" }) {
  const parts = splitUnseen(text);
  if (found === "") return html`<bdi class=${className}>${parts.map(renderPart)}</bdi>`;
  return html`<bdi class=${className}>${
    parts.map((part) => part.kind === "text" ? renderFound(part.text, found) : renderPart(part))
  }</bdi>`;
}

/**
 * @param {string} text
 * @param {string} wanted
 */
function renderFound(text, wanted) {
  return splitFound(text, wanted).map(({ text, found }) =>
    found ? html`<mark class="found">${text}</mark>` : text
  );
}

/** Longest text shown at first, in characters. */
const FIRST = 200_000;

/**
 * A captured text of any length, with its line breaks, and its web addresses as links.
 * @param {{ text: string, shown?: number, onMore?: () => void }} props
 */
export function CapturedBlock({ text, shown = FIRST, onMore }) {
  const cut = text.length > shown;
  return html`<pre class="plain" dir="auto" tabindex="0">${
    splitLinks(cut ? text.slice(0, shown) : text).map(renderPart)
  }</pre>
  ${
    cut && html`<p class="cut">Cut after ${shown.toLocaleString("en-US")} characters.
      ${onMore && html`<button class="button" onClick=${onMore}>Show more</button>`}</p>`
  }`;
}

/**
 * A link out of captured content: plain text unless the address is harmless. The target learns nothing about this page.
 * @param {{ href: string, children?: import("../lib/dom.js").Children }} props
 */
export function OutLink({ href, children }) {
  const safe = safeHref(href);
  if (safe === undefined) return html`<span>${children}</span>`;
  return html`<a class="out" href=${safe} target="_blank" rel="noopener noreferrer">${children}</a>`;
}
