/** Lists of rows of equal height. Long lists render only the visible rows. */
import { html, useEffect, useLayoutEffect, useRef, useState } from "../lib/dom.js";
import { useKeys } from "../lib/keys.js";

/** Longer lists render only the visible rows. */
const WINDOW_ABOVE = 500;
/** Rows rendered above and below the visible ones. */
const MARGIN = 12;
/** Rows to scroll before others are rendered: fewer than the margin, so that none is ever missing. */
const STRIDE = 6;

/**
 * A list with one selected row, moved by `j`, `k` and the arrow keys. New rows above do not move the visible ones.
 * @template {{ readonly id: string }} T
 * @param {{ items: readonly T[], selected: string | null, rowHeight: number, label: string,
 *   onSelect: (id: string, how: "step" | "open") => void, renderRow: (item: T, selected: boolean) => import("../lib/dom.js").Children,
 *   group?: string, onNearEnd?: () => void, choice?: Choice, renderBeside?: (item: T, isEntry: boolean) => import("../lib/dom.js").Children }} props
 *   `rowHeight` in pixels, as in the style sheet; `onNearEnd` is called while the last rows are visible, for lists that
 *   fetch more; `choice` adds a checkbox to each row; `renderBeside` is for controls, which a row
 *   cannot hold; Tab reaches those of the entry, which is the selected or the first row
 */
export function List(
  {
    items,
    selected,
    rowHeight,
    label,
    onSelect,
    renderRow,
    group = "List",
    onNearEnd,
    choice,
    renderBeside,
  },
) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [view, setView] = useState({ first: 0, count: 40 });
  const drawn = useRef(/** @type {Drawn<T>} */ ({ rows: new Map() }));
  const stepped = useRef(false);
  useKeepPlace(box, items, rowHeight);
  useReveal(box, { items, selected, rowHeight });
  useFocusOfStep(box, stepped, selected);
  /** @param {string} id */
  const stepTo = (id) => {
    stepped.current = true;
    onSelect(id, "step");
  };
  /** @param {number} by */
  const step = (by) => {
    const at = items.findIndex(({ id }) => id === selected);
    const next = items[at < 0 ? (by > 0 ? 0 : items.length - 1) : at + by];
    if (next !== undefined) stepTo(next.id);
  };
  /** @param {number} at */
  const jump = (at) => {
    const item = items.at(at);
    if (item !== undefined) stepTo(item.id);
  };
  useKeys([
    { keys: "j", about: "Next", group, run: () => step(1) },
    { keys: "k", about: "Previous", group, run: () => step(-1) },
    { keys: "ArrowDown", about: "Next", group, run: () => step(1) },
    { keys: "ArrowUp", about: "Previous", group, run: () => step(-1) },
    { keys: "g g", about: "First", group, run: () => jump(0) },
    { keys: "G", about: "Last", group, run: () => jump(-1) },
    {
      keys: "Enter",
      about: "Open",
      group,
      run: () => selected === null ? step(1) : onSelect(selected, "open"),
    },
  ]);
  const windowed = items.length > WINDOW_ABOVE;
  const from = windowed ? Math.max(0, view.first - MARGIN) : 0;
  const to = windowed ? Math.min(items.length, view.first + view.count + MARGIN) : items.length;
  const measure = () => {
    const element = box.current;
    if (element === null) return;
    const { scrollTop: top, clientHeight: height } = element;
    if (windowed) {
      const first = Math.floor(top / rowHeight / STRIDE) * STRIDE;
      const count = Math.ceil(height / rowHeight) + STRIDE;
      setView((last) => last.first === first && last.count === count ? last : { first, count });
    }
    if ((items.length - MARGIN) * rowHeight < top + height) onNearEnd?.();
  };
  useEffect(measure, [windowed, items.length]);
  /** @param {T} item */
  const renderItem = (item) => {
    const isSelected = item.id === selected;
    const isEntry = isSelected || (selected === null && item === items[0]);
    const known = earlier.get(item.id);
    const same = known?.item === item && known.isSelected === isSelected &&
      known.isEntry === isEntry;
    const node = same ? known.node : html`
      <li key=${item.id} data-id=${item.id} class=${`row ${isSelected ? "selected" : ""} ${
        choice === undefined ? "" : "choosable"
      }`} aria-current=${isSelected ? "true" : undefined}>
        ${choice !== undefined && html`<${Tick} id=${item.id} choice=${choice} />`}
        <button type="button" class="row-button" tabindex=${isEntry ? 0 : -1} onClick=${() =>
          onSelect(item.id, "open")}>
                  ${renderRow(item, isSelected)}
                </button>
        ${renderBeside?.(item, isEntry)}
      </li>
    `;
    drawn.current.rows.set(item.id, { item, isSelected, isEntry, node });
    return node;
  };
  const earlier = reusable(drawn.current, renderRow, onSelect);
  drawn.current = { rows: new Map(), renderRow, onSelect };
  return html`
    <div class="list-box" ref=${box} onScroll=${measure}>
      <ol class="list" aria-label=${label} style=${{
        paddingTop: `${from * rowHeight}px`,
        paddingBottom: `${(items.length - to) * rowHeight}px`,
      }}>
          ${items.slice(from, to).map(renderItem)}
        </ol>
    </div>
  `;
}

/**
 * The rows chosen for a bulk action.
 * @typedef {object} Choice
 * @property {ReadonlySet<string>} chosen
 * @property {(id: string, through: boolean) => void} onChoose turns one round; `through`: all from the last one to it
 */

/**
 * The checkbox of a row.
 * @param {{ id: string, choice: Choice }} props
 */
function Tick({ id, choice: { chosen, onChoose } }) {
  return html`
    <label class="row-tick" title="Select (x)">
      <input type="checkbox" checked=${chosen.has(id)} aria-label="Select" tabindex="-1"
        onClick=${(/** @type {MouseEvent} */ event) => onChoose(id, event.shiftKey)} />
    </label>
  `;
}

/**
 * The rows of the last rendering, and their inputs.
 * @template T
 * @typedef {object} Drawn
 * @property {Map<string, { item: T, isSelected: boolean, isEntry: boolean, node: import("../lib/dom.js").Children }>} rows
 * @property {unknown} [renderRow]
 * @property {unknown} [onSelect]
 */

/**
 * Returns the cached rows, which saves most of the time of scrolling. They are valid until the parent renders again,
 * because its rows might then look different.
 * @template T
 * @param {Drawn<T>} drawn
 * @param {unknown} renderRow
 * @param {unknown} onSelect
 * @returns {Drawn<T>["rows"]}
 */
function reusable(drawn, renderRow, onSelect) {
  return drawn.renderRow === renderRow && drawn.onSelect === onSelect ? drawn.rows : new Map();
}

/**
 * Keeps the visible rows in place when others arrive above.
 * @template {{ readonly id: string }} T
 * @param {{ current: HTMLElement | null }} box
 * @param {readonly T[]} items
 * @param {number} rowHeight
 */
function useKeepPlace(box, items, rowHeight) {
  const before = useRef(items);
  useLayoutEffect(() => {
    const element = box.current;
    const earlier = before.current;
    before.current = items;
    if (element === null || earlier === items || element.scrollTop < rowHeight / 2) return;
    const topRow = earlier[Math.floor(element.scrollTop / rowHeight)];
    if (topRow === undefined) return;
    const was = earlier.indexOf(topRow);
    const is = items.findIndex(({ id }) => id === topRow.id);
    if (is >= 0 && is !== was) element.scrollTop += (is - was) * rowHeight;
  }, [items]);
}

/**
 * Scrolls to the selected row when the selection changes, but not when the list does.
 * @template {{ readonly id: string }} T
 * @param {{ current: HTMLElement | null }} box
 * @param {{ items: readonly T[], selected: string | null, rowHeight: number }} about
 */
function useReveal(box, { items, selected, rowHeight }) {
  useLayoutEffect(() => {
    const element = box.current;
    const index = items.findIndex(({ id }) => id === selected);
    if (element === null || index < 0) return;
    const top = index * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + rowHeight - element.clientHeight;
    }
  }, [selected, items.length === 0]);
}

/**
 * Moves the focus to the row that a key selected: otherwise Enter would open the row that was clicked before.
 * @param {{ current: HTMLElement | null }} box
 * @param {{ current: boolean }} stepped whether a key changed the selection
 * @param {string | null} selected
 */
function useFocusOfStep(box, stepped, selected) {
  useLayoutEffect(() => {
    if (!stepped.current) return;
    stepped.current = false;
    const element = box.current;
    const focused = document.activeElement;
    const isFree = focused === document.body || focused?.matches(".row-button");
    if (element === null || !isFree) return;
    const row = element.querySelector(".row.selected > .row-button");
    if (row instanceof HTMLElement) row.focus({ preventScroll: true });
  }, [selected]);
}
