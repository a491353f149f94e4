/** The frame of a page: title, count and tools. */
import { html, useEffect } from "../lib/dom.js";
import { unreadTotal } from "../lib/store.js";
import { navShown } from "./shell.js";
import { IconButton } from "./controls.js";

/**
 * @param {{ title: string, count?: string, tools?: import("../lib/dom.js").Children, children?: import("../lib/dom.js").Children, class?: string, unread?: number }} props
 *   `unread` is shown in the window title; the total of all plugins by default
 */
export function Page({ title, count, tools, children, class: extra = "", unread }) {
  const news = unread ?? unreadTotal.value;
  useEffect(() => {
    document.title = `${news > 0 ? `(${news}) ` : ""}${title} · Standin`;
  }, [title, news]);
  return html`<main class=${`page ${extra}`} id="main">
    <header class="page-head">
      <${IconButton} icon="menu" label="Menu" class="menu-button" expanded=${navShown.value} onClick=${() =>
    navShown.value = true} />
      <h1>${title}</h1>
      ${count !== undefined && html`<span class="page-count">${count}</span>`}
      <div class="page-tools">${tools}</div>
    </header>
    ${children}
  </main>`;
}

/**
 * An error of a fetch.
 * @param {{ text: string | undefined }} props
 */
export function Problem({ text }) {
  if (text === undefined) return null;
  return html`<p class="problem" role="alert">${text}</p>`;
}
