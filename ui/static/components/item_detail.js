/** One captured item: its action bar, its head, its facts and its parts. */
import { html, useState } from "../lib/dom.js";
import { Action, CopyAddress, Delete, OpenPage } from "./actions.js";
import { checksPart, useChecks } from "./checks.js";
import { IconButton, Tabs } from "./controls.js";
import { FaultBadge } from "./fault_badge.js";
import { FindingBar } from "./pointing.js";

/** @import { Children } from "../lib/dom.js" */
/** @import { Finding } from "../lib/types.d.ts" */
/** @import { Checked } from "./checks.js" */
/** @import { Pointing } from "./pointing.js" */
/** @import { ItemControls } from "./pick_list.js" */

/**
 * The actions of an item next to its list.
 * @param {{ id: string, url: string | undefined, controls: ItemControls, actions?: Children }} props `actions` are the tab's own
 */
export function ItemBar({ id, url, controls, actions }) {
  const { onClose, onDelete, onUnread, onPin, isPinned, onPrevious, onNext } = controls;
  return html`
    <div class="item-actions item-bar" role="toolbar" aria-label="Actions">
      <${IconButton} icon="back" label="Back to the list" class="back" onClick=${onClose} />
      <${IconButton} icon="up" label="Previous (k)" disabled=${onPrevious === undefined}
        onClick=${onPrevious} />
      <${IconButton} icon="down" label="Next (j)" disabled=${onNext === undefined}
        onClick=${onNext} />
      <span class="pane-bar-space"></span>
      <${Action} icon="unread" text="Unread" label="Mark as unread (u)" onClick=${onUnread} />
      <${Action} icon="pin" text=${isPinned ? "Unpin" : "Pin"} label=${isPinned
        ? "Unpin (p)"
        : "Pin to the top, in this browser (p)"} pressed=${isPinned} onClick=${onPin} />
      <${OpenPage} id=${id} />
      <${CopyAddress} url=${url} />
      ${actions}
      <${Delete} onClick=${onDelete} />
    </div>
  `;
}

/**
 * @param {{ id: string, url?: string, name: string, heading: Children, meta?: Readonly<Record<string, unknown>>,
 *   actions?: Children, controls?: ItemControls, children?: Children }} props `name` is the plugin's; without `controls`
 *   the item has its own page, which has a bar and names the fault
 */
export function ItemDetail({ id, url, name, heading, meta, actions, controls, children }) {
  return html`
    <article class=${`item-detail ${name}-detail`}>
      ${controls &&
        html`<${ItemBar} id=${id} url=${url} controls=${controls} actions=${actions} />`}
      <header class="item-head">
        ${heading}
        ${controls && html`<${FaultBadge} name=${meta?.fault} />`}
        ${controls === undefined && actions &&
          html`<p class="item-actions item-own">${actions}</p>`}
      </header>
      <div class=${`item-body ${name}-body`}>${children}</div>
    </article>
  `;
}

/**
 * A part of an event. `places` are the parts of findings whose place it shows: `draw` then gets the finding,
 * and all of those parts.
 * @typedef {{ readonly id: string, readonly label: string, readonly count?: number, readonly places?: readonly string[],
 *   readonly draw: (finding?: Finding, pointing?: Pointing) => Children }} ItemPart
 */

/**
 * Tabs that show one part of an event at a time, the first by default, its checks as the last.
 * @param {{ id: string, label: string, parts: readonly ItemPart[], class?: string }} props
 */
export function ItemParts({ id, label, parts, class: extra = "" }) {
  return html`
    <${CheckedParts} checked=${useChecks(id)} label=${label} parts=${parts}
      class=${`item-part ${extra}`} />
  `;
}

/**
 * The same for findings that are already fetched.
 * @param {{ checked: Checked, label: string, parts: readonly ItemPart[], class: string }} props
 */
export function CheckedParts({ checked, label, parts: own, class: names }) {
  const [{ picked, current }, setPicked] = useState(
    /** @type {{ picked: string, current?: Finding }} */ ({ picked: "" }),
  );
  /** @param {Finding} finding */
  const partOf = ({ where }) =>
    where && own.find(({ places = [] }) => places.includes(where.part))?.id;
  /** @param {Finding} finding */
  const show = (finding) => setPicked({ picked: partOf(finding) ?? "", current: finding });
  /** @type {readonly ItemPart[]} */
  const parts = [
    ...own,
    checksPart(checked, {
      showPlace: (finding) => partOf(finding) === undefined ? undefined : () => show(finding),
    }),
  ];
  const part = parts.find(({ id }) => id === picked) ?? parts[0];
  if (part === undefined) return null;
  const inPart = checked.findings?.filter((finding) => partOf(finding) === part.id) ?? [];
  const pointing = current && { findings: inPart, current, onPick: show };
  return html`
    <${Tabs} label=${label} items=${parts} current=${part.id} onPick=${(
      /** @type {string} */ picked,
    ) => setPicked({ picked })} />
    <div class=${names} role="tabpanel" aria-label=${part.label} key=${part.id}>
      ${pointing && html`<${FindingBar} pointing=${pointing} />`}
      ${part.draw(current, pointing)}
    </div>
  `;
}
