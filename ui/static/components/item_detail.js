/** One captured item beside its list: its head with what can be done, what is known of it, and its parts. */
import { html, useState } from "../lib/dom.js";
import { IconButton, Tabs } from "./controls.js";
import { Icon } from "./icons.js";

/** @import { Children } from "../lib/dom.js" */

/**
 * @param {{ id: string, name: string, heading: Children, actions: Children, onClose: () => void,
 *   onDelete: () => void, children?: Children }} props `name` is the plugin's; `actions` stand between the link to the
 *   event page and the button that deletes
 */
export function ItemDetail({ id, name, heading, actions, onClose, onDelete, children }) {
  return html`
    <article class=${`item-detail ${name}-detail`}>
      <header class="item-head">
        <${IconButton} icon="back" label="Back to the list" class="back" onClick=${onClose} />
        ${heading}
        <p class="item-actions">
          <a class="button" href=${`/ui/events/${id}`}><${Icon} name="external" />Event page</a>
          ${actions}
          <button type="button" class="button danger" onClick=${onDelete}><${Icon}
              name="trash" />Delete</button>
        </p>
      </header>
      <div class=${`item-body ${name}-body`}>${children}</div>
    </article>
  `;
}

/**
 * One at a time, the first unless another is picked.
 * @param {{ label: string, parts: readonly { readonly id: string, readonly label: string, readonly count?: number,
 *   readonly draw: () => Children }[], class?: string }} props
 */
export function ItemParts({ label, parts, class: extra = "" }) {
  const [picked, setPicked] = useState("");
  const part = parts.find(({ id }) => id === picked) ?? parts[0];
  if (part === undefined) return null;
  return html`
    <${Tabs} label=${label} items=${parts} current=${part.id} onPick=${setPicked} />
    <div class=${`item-part ${extra}`} role="tabpanel" key=${part.id}>${part.draw()}</div>
  `;
}
