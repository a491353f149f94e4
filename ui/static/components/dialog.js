/** Confirmation dialogs, and the help. */
import { html, signal, useId, useLayoutEffect, useRef } from "../lib/dom.js";
import { currentKeys } from "../lib/keys.js";
import { IconButton } from "./controls.js";

/** @typedef {{ title: string, text: string, action: string, run: () => void | Promise<void> }} Question */

/** Labels printed on the keys. */
const KEY_NAMES = /** @type {Readonly<Record<string, string>>} */ ({
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  Escape: "Esc",
});

const question = signal(/** @type {Question | undefined} */ (undefined));
const helpShown = signal(false);

/**
 * Asks for confirmation of something that cannot be undone. The default is "Cancel".
 * @param {Question} asked `action` is the word on the button, such as `Delete 12 messages`
 */
export function confirm(asked) {
  question.value = asked;
}

/** Shows the available keys. */
export function showHelp() {
  helpShown.value = true;
}

/** Container of the dialogs. */
export function Dialogs() {
  return html`${question.value && html`<${Confirm} asked=${question.value} />`}
  ${helpShown.value && html`<${Help} />`}`;
}

/**
 * A dialog over the page; the focus returns to its old place.
 * @param {{ title: string, onClose: () => void, children?: import("../lib/dom.js").Children, class?: string }} props
 */
export function Modal({ title, onClose, children, class: extra = "" }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const titleId = useId();
  // Before the first paint: a key pressed at once is meant for the dialog.
  useLayoutEffect(() => {
    const opened = document.activeElement;
    dialog.current?.showModal();
    return () => opened instanceof HTMLElement && opened.focus();
  }, []);
  /** @param {MouseEvent} event */
  const onBackdrop = (event) => event.target === dialog.current && onClose();
  return html`
    <dialog ref=${dialog} class=${extra} aria-labelledby=${titleId} onClose=${onClose}
      onClick=${onBackdrop}>
      <div class="dialog-body">
          <h2 id=${titleId}>${title}</h2>
          ${children}
        </div>
    </dialog>
  `;
}

/** @param {{ asked: Question }} props */
function Confirm({ asked }) {
  const close = () => question.value = undefined;
  const run = () => {
    close();
    void asked.run();
  };
  return html`
    <${Modal} title=${asked.title} onClose=${close} class="confirm">
      <p>${asked.text}</p>
      <div class="dialog-actions">
        <button type="button" class="button" onClick=${close}>Cancel</button>
        <button type="button" class="button danger solid" onClick=${run}>${asked.action}</button>
      </div>
      <//>
  `;
}

function Help() {
  const close = () => helpShown.value = false;
  /** @type {Map<string, Map<string, string>>} */
  const groups = new Map();
  for (const { group, keys, about } of currentKeys()) {
    const rows = groups.get(group) ?? new Map();
    if (!rows.has(keys)) rows.set(keys, about);
    groups.set(group, rows);
  }
  return html`
    <${Modal} title="Keyboard" onClose=${close} class="help">
      <div class="help-close">
        <${IconButton} icon="close" label="Close" onClick=${close} />
      </div>
      <div class="help-groups">
          ${[...groups].reverse().map(([group, rows]) =>
            html`
              <section key=${group}>
                <h3>${group}</h3>
                <dl>
                            ${[...rows].map(([keys, about]) =>
                              html`
                                <div key=${keys}>
                                  <dt>${keys.split(" ").map((key) =>
                                    html`<kbd>${KEY_NAMES[key] ?? key}</kbd>`
                                  )}</dt>
                                  <dd>${about}</dd>
                                </div>
                              `
                            )}
                          </dl>
              </section>
            `
          )}
        </div>
      <//>
  `;
}
