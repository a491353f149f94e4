/** A list of captured items of which one is picked, as the address says. */
import { html, useEffect } from "../lib/dom.js";
import { useKeys } from "../lib/keys.js";
import { setQuery } from "../lib/router.js";
import { isRead, markRead, readIds } from "../lib/unread.js";
import { Empty } from "./empty.js";
import { List } from "./list.js";

/**
 * @typedef {{ readonly id: string }} Item
 */

/**
 * @template {Item} T
 * @param {{ views: readonly T[], picked: T | undefined, rowHeight: number, label: string, group: string, one: string,
 *   renderRow: (view: T, unread: boolean) => import("../lib/dom.js").Children }} props `one` is what an item is called
 */
export function PickList({ views, picked, rowHeight, label, group, one, renderRow }) {
  if (views.length === 0) {
    return html`
      <${Empty} icon="search" title=${`No ${one} fits`}>
        <p>Take a filter off, or search for something else.</p>
        <//>
    `;
  }
  return html`
    <${List} items=${views} selected=${picked?.id ?? null} rowHeight=${rowHeight}
      label=${label} group=${group}
      onSelect=${(/** @type {string} */ id, /** @type {"step" | "open"} */ how) =>
        setQuery({ id }, { replace: how === "step" || picked !== undefined })}
      renderRow=${(/** @type {T} */ view) => renderRow(view, !isRead(readIds.value, view.id))} />
  `;
}

/**
 * Marks the picked item as read and gives it its keys. Gives what its detail needs.
 * @template {Item} T
 * @param {T} view
 * @param {readonly T[]} views
 * @param {{ group: string, one: string, askToDelete: (view: T, next: string | null) => void }} about
 *   `next` is the item to show when this one is gone
 */
export function usePicked(view, views, { group, one, askToDelete }) {
  const close = () => setQuery({ id: null });
  const at = views.findIndex(({ id }) => id === view.id);
  const next = views[at + 1] ?? views[at - 1];
  const askFirst = () => askToDelete(view, next?.id ?? null);
  useEffect(() => markRead([view.id]), [view.id]);
  useKeys([
    { keys: "Escape", about: `Close the ${one}`, group, run: close },
    { keys: "#", about: "Delete, after asking", group, run: askFirst },
  ]);
  return { close, askFirst };
}
