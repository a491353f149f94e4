/** Actions on a captured item, with the same labels and icons on every page. */
import { html } from "../lib/dom.js";
import { CopyButton } from "./controls.js";
import { Icon } from "./icons.js";

/** @import { Children } from "../lib/dom.js" */

/**
 * An icon with its label; where space is short the label is only read aloud.
 * @param {{ icon: string, text: string }} props
 */
function Face({ icon, text }) {
  return html`<${Icon} name=${icon} /><span class="action-text">${text}</span>`;
}

/**
 * An action button of an item.
 * @param {{ icon: string, text: string, onClick: () => void, label?: string, pressed?: boolean, disabled?: boolean,
 *   danger?: boolean, class?: string }} props `label` is the long form of `text`
 */
export function Action(
  { icon, text, onClick, label = text, pressed, disabled, danger, class: extra = "" },
) {
  return html`
    <button type="button" class=${`button action ${danger ? "danger" : ""} ${extra}`} title=${label}
      aria-label=${label} aria-pressed=${pressed} disabled=${disabled} onClick=${onClick}>
      <${Face} icon=${icon} text=${text} />
    </button>
  `;
}

/** @param {{ id: string }} props of the event */
export function OpenPage({ id }) {
  return html`
    <a class="button action" href=${`/ui/events/${id}`} title="Open the page of this event"
      aria-label="Open page"><${Face} icon="external" text="Open page" /></a>
  `;
}

/** @param {{ url: string | undefined }} props of the event's page; the address of this window unless given */
export function CopyAddress({ url }) {
  return html`
    <${CopyButton} class="action" icon="link" label="Copy address"
      title="Copy the address of this event's page"
      text=${url ?? location.href} />
  `;
}

/** @param {{ href: string, what?: string }} props `what` is saved */
export function Download({ href, what }) {
  const label = what === undefined ? "Download" : `Download ${what}`;
  return html`
    <a class="button action" href=${href} download title=${label} aria-label=${label}>
      <${Face} icon="download" text="Download" />
    </a>
  `;
}

/** @param {{ onClick: () => void, text?: string }} props `onClick` asks for confirmation */
export function Delete({ onClick, text = "Delete" }) {
  return html`<${Action} icon="trash" text=${text} danger=${true} onClick=${onClick} />`;
}
