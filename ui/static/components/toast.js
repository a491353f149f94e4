/** Short notices at the bottom of the page. */
import { html, signal } from "../lib/dom.js";

const SHOWN_MS = 4000;
/** @type {import("@preact/signals").Signal<readonly { id: number, text: string, problem: boolean }[]>} */
const notices = signal([]);
let lastId = 0;

/**
 * @param {string} text
 * @param {{ problem?: boolean }} [options]
 */
export function toast(text, options = {}) {
  const notice = { id: ++lastId, text, problem: options.problem === true };
  notices.value = [...notices.peek().slice(-2), notice];
  setTimeout(() => notices.value = notices.peek().filter(({ id }) => id !== notice.id), SHOWN_MS);
}

/** Container of the notices. */
export function Toasts() {
  return html`<div class="toasts" role="status" aria-live="polite">
    ${
    notices.value.map(({ id, text, problem }) =>
      html`<p key=${id} class=${`toast ${problem ? "problem" : ""}`}>${text}</p>`
    )
  }
  </div>`;
}
