/** Two panes side by side, or one at a time on a narrow page. */
import { html } from "../lib/dom.js";

/**
 * @param {{ list: import("../lib/dom.js").Children, detail: import("../lib/dom.js").Children, showDetail: boolean, class?: string }} props `showDetail` says which of the two a
 *   narrow page shows
 */
export function Split({ list, detail, showDetail, class: extra = "" }) {
  return html`
    <div class=${`split ${showDetail ? "on-detail" : "on-list"} ${extra}`}>
      <section class="pane pane-list" aria-label="List">${list}</section>
      <section class="pane pane-detail" aria-label="Selected">${detail}</section>
    </div>
  `;
}
