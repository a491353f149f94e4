/** A list of captured items: the address selects one, and several can be ticked. */
import { html, useEffect, useRef, useState } from "../lib/dom.js";
import { messageOf, remove } from "../lib/api.js";
import { plural } from "../lib/format.js";
import { useKeys } from "../lib/keys.js";
import { place, setQuery } from "../lib/router.js";
import { isRead, markRead, markUnread, pinnedIds, readIds, togglePin } from "../lib/unread.js";
import { IconButton } from "./controls.js";
import { confirm } from "./dialog.js";
import { Empty } from "./empty.js";
import { Icon } from "./icons.js";
import { List } from "./list.js";
import { toast } from "./toast.js";

/** @import { Choice } from "./list.js" */

/**
 * @typedef {{ readonly id: string }} Item
 */

/**
 * @template {Item} T
 * @param {{ views: readonly T[], picked: string | null, rowHeight: number, label: string, group: string, one: string,
 *   choice: Choice, renderBeside?: (view: T, isEntry: boolean) => import("../lib/dom.js").Children,
 *   renderRow: (view: T, unread: boolean) => import("../lib/dom.js").Children }} props `one` is the singular of an item's
 *   name
 */
export function PickList(
  { views, picked, rowHeight, label, group, one, choice, renderBeside, renderRow },
) {
  // Read here, so that the rows render again when they change.
  const [read, pinned] = [readIds.value, pinnedIds.value];
  if (views.length === 0) {
    return html`
      <${Empty} icon="search" title=${`No ${one} matches`}>
        <p>Remove a filter, or search for something else.</p>
        <//>
    `;
  }
  return html`
    <${List} items=${views} selected=${picked} rowHeight=${rowHeight} label=${label}
      group=${group}
      choice=${choice}
      renderBeside=${(/** @type {T} */ view, /** @type {boolean} */ isEntry) =>
        html`${pinned.has(view.id) && html`<${PinMark} />`}${renderBeside?.(view, isEntry)}`}
      onSelect=${(/** @type {string} */ id, /** @type {"step" | "open"} */ how) =>
        setQuery({ id }, { replace: how === "step" || picked !== null })}
      renderRow=${(/** @type {T} */ view) => renderRow(view, !isRead(read, view.id))} />
  `;
}

function PinMark() {
  return html`
    <span class="row-pin" title="Pinned"><${Icon} name="pin" size=${13} /><span
        class="hidden">Pinned.</span></span>
  `;
}

/**
 * The actions on the selected item, shared by every tab and by the bar above an item.
 * @typedef {object} ItemControls
 * @property {() => void} onClose
 * @property {() => void} onDelete which asks first
 * @property {() => void} onUnread
 * @property {() => void} onPin
 * @property {boolean} isPinned
 * @property {(() => void) | undefined} onPrevious absent at the top of the list
 * @property {(() => void) | undefined} onNext absent at its end
 */

/**
 * Marks the selected item as read and binds its keys.
 * @param {string} id
 * @param {readonly Item[]} views
 * @param {{ group: string, one: string, choosing: boolean, askToDelete: (next: string | null) => void }} about `next` is
 *   the item to show after a deletion; while several are ticked, close and delete apply to those
 * @returns {ItemControls}
 */
export function usePicked(id, views, { group, one, choosing, askToDelete }) {
  const at = views.findIndex((view) => view.id === id);
  const [before, after] = at < 0 ? [] : [views[at - 1], views[at + 1]];
  const step = (/** @type {Item | undefined} */ to) =>
    to && (() => setQuery({ id: to.id }, { replace: true }));
  const controls = {
    onClose: () => setQuery({ id: null, view: null }),
    onDelete: () => askToDelete((after ?? before)?.id ?? null),
    onUnread: () => markUnread([id]),
    onPin: () => togglePin(id),
    isPinned: pinnedIds.value.has(id),
    onPrevious: step(before),
    onNext: step(after),
  };
  useEffect(() => markRead([id]), [id]);
  useKeys([
    { keys: "u", about: "Mark as unread", group, run: controls.onUnread },
    { keys: "p", about: "Pin, or unpin", group, run: controls.onPin },
    ...(choosing ? [] : [
      { keys: "Escape", about: `Close the ${one}`, group, run: controls.onClose },
      { keys: "#", about: "Delete, after confirmation", group, run: controls.onDelete },
    ]),
  ]);
  return controls;
}

/**
 * The ticked rows that are in the list.
 * @param {readonly Item[]} views
 * @param {string | null} picked
 * @param {string} group
 */
export function useChoice(views, picked, group) {
  const [ticked, setTicked] = useState(/** @type {ReadonlySet<string>} */ (new Set()));
  const last = useRef(/** @type {string | null} */ (null));
  const chosen = new Set(views.map(({ id }) => id).filter((id) => ticked.has(id)));
  /** @type {Choice["onChoose"]} */
  const onChoose = (id, through) => {
    const next = new Set(chosen);
    const [from, to] = [last.current ?? id, id].map((one) => views.findIndex((v) => v.id === one));
    if (through && from !== undefined && to !== undefined && from >= 0) {
      for (const view of views.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(view.id);
    } else if (!next.delete(id)) next.add(id);
    last.current = id;
    setTicked(next);
  };
  const chooseAll = () =>
    setTicked(chosen.size === views.length ? new Set() : new Set(views.map(({ id }) => id)));
  const clear = () => setTicked(new Set());
  useKeys([
    {
      keys: "x",
      about: "Select this one as well",
      group,
      run: () => picked && onChoose(picked, false),
    },
    { keys: "X", about: "Select all, or none", group, run: chooseAll },
  ]);
  return { chosen, onChoose, chooseAll, clear };
}

/** Items deleted in parallel. */
const LANES = 8;

/**
 * The bar with the actions on all ticked items.
 * @param {{ chosen: ReadonlySet<string>, total: number, path: string, naming: { one: string, many: string },
 *   group: string, onAll: () => void, onClear: () => void }} props items are deleted at `path` and their id
 */
export function ChosenBar({ chosen, total, path, naming: { one, many }, group, onAll, onClear }) {
  const count = plural(chosen.size, one, many);
  const ids = [...chosen];
  const ask = () =>
    confirm({
      title: `Delete ${count}?`,
      text: "They are deleted for everyone who uses this service. This cannot be undone.",
      action: `Delete ${count}`,
      run: () => removeAll(path, ids, count),
    });
  useKeys([
    { keys: "Escape", about: "Select none", group, run: onClear },
    { keys: "#", about: "Delete the selected items, after confirmation", group, run: ask },
  ]);
  return html`
    <div class="chosen-bar" role="toolbar" aria-label="Selected">
      <label class="row-tick" title="All or none (X)">
        <input type="checkbox" aria-label="Select all" checked=${chosen.size === total}
          onClick=${onAll} />
      </label>
      <span role="status">${chosen.size} selected</span>
      <${IconButton} icon="check" label="Mark as read" onClick=${() => markRead(ids)} />
      <${IconButton} icon="unread" label="Mark as unread" onClick=${() => markUnread(ids)} />
      <${IconButton} icon="trash" label=${`Delete ${count}`} danger=${true} onClick=${ask} />
      <${IconButton} icon="close" label="Select none" onClick=${onClear} />
    </div>
  `;
}

/**
 * @param {string} path
 * @param {string[]} ids
 * @param {string} count
 */
async function removeAll(path, ids, count) {
  const waiting = [...ids];
  const lane = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      await remove(`${path}/${encodeURIComponent(id)}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
    if (ids.includes(place.peek().query.get("id") ?? "")) {
      setQuery({ id: null, view: null }, { replace: true });
    }
    toast(`${count} deleted`);
  } catch (error) {
    toast(messageOf(error), { problem: true });
  }
}
