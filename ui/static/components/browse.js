/** Shared parts of the tabs that are browsed level by level. */
import { html } from "../lib/dom.js";
import { place, setQuery } from "../lib/router.js";
import { CopyButton, IconButton } from "./controls.js";
import { Icon } from "./icons.js";
import { Captured } from "./text.js";

/** @import { Children } from "../lib/dom.js" */

/** Pixels of a row, as `.browse-row` in browse.css with its line. */
export const ROW_HEIGHT = 40;

/**
 * The path to the listed level, which is its last step.
 * @param {{ steps: readonly { readonly name: string, readonly open: () => void }[] }} props
 */
export function Crumbs({ steps }) {
  return html`
    <nav class="crumbs" aria-label="Path">
      ${steps.map(({ name, open }, at) =>
        html`
          ${at > 0 && html`<${Icon} name="chevron" />`}
          <button type="button" class="button quiet" aria-current=${at === steps.length - 1
            ? "page"
            : undefined}
            onClick=${open}><${Captured} text=${name} /></button>
        `
      )}
    </nav>
  `;
}

/**
 * The column heads, which sort the list; a second click reverses the order. The order is in the address, with a minus
 * if reversed.
 * @param {{ columns: readonly { readonly id: string, readonly label: string, readonly least?: boolean }[] }} props the
 *   first one is the name, and the default order; `least` is hidden first where space is short
 */
export function Columns({ columns }) {
  const first = columns[0]?.id;
  const order = place.value.query.get("order") ?? first;
  return html`
    <div class=${`browse-row browse-columns ${columns.length > 3 ? "wide" : ""}`} role="group"
      aria-label="Order">
      <span></span>
      ${columns.map(({ id, label, least }) => {
        const isPicked = order === id || order === `-${id}`;
        const isDown = order === `-${id}`;
        // People look for the largest and the newest.
        const usual = id === first ? null : `-${id}`;
        const turned = id === first ? `-${id}` : id;
        const isUsual = id === first ? !isDown : isDown;
        return html`
          <button type="button" key=${id} class=${least ? "least" : ""} aria-pressed=${isPicked}
            onClick=${() =>
              setQuery({ order: isPicked && isUsual ? turned : usual }, { replace: true })}>
            ${label}${isPicked && html`<span class="browse-arrow">${isDown ? "↓" : "↑"}</span>`}
          </button>
        `;
      })}
    </div>
  `;
}

/**
 * The head of the selected entry.
 * @param {{ icon: string, name: string, onClose: () => void, children?: Children }} props
 */
export function Head({ icon, name, onClose, children }) {
  return html`
    <header class="panel-head">
      <${IconButton} icon="back" label="Back to the list" class="back" onClick=${onClose} />
      <${Icon} name=${icon} size=${20} />
      <h2>
        <${Captured} text=${name} />
      </h2>
      <div class="item-actions panel-actions">${children}</div>
    </header>
  `;
}

/** @param {{ text: string, what: string }} props */
export function Copied({ text, what }) {
  return html`
    <span class="copied"><${Captured} class="mono" text=${text} /><${CopyButton} text=${text}
      title=${`Copy ${what}`} /></span>
  `;
}

/**
 * Returns the icon of a folder, or of a file by its type.
 * @param {{ folder: boolean, type: string }} row
 */
export function iconOf({ folder, type }) {
  if (folder) return "files";
  if (type.startsWith("image/")) return "image";
  if (type.startsWith("audio/")) return "audio";
  if (/zip|tar|compress/.test(type)) return "archive";
  return /json|xml|javascript|html/.test(type) ? "code" : "file";
}
