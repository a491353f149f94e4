/** What tabs of captured items have in common: the page with its tools, the filters, and the list with one item picked. */
import { html, useState } from "../lib/dom.js";
import { toQuery } from "../lib/api.js";
import { useFetchedList } from "../lib/fetched.js";
import { formatCount, plural } from "../lib/format.js";
import { place } from "../lib/router.js";
import { tallies } from "../lib/store.js";
import { markRead } from "../lib/unread.js";
import { IconButton, ToolButton } from "./controls.js";
import { confirm } from "./dialog.js";
import { Empty, Start } from "./empty.js";
import { ActiveFilters, QueryField } from "./filters.js";
import { Page, Problem } from "./page.js";
import { PickList, usePicked } from "./pick_list.js";
import { removeAndTell } from "./removal.js";
import { Split } from "./split.js";

/** @import { Children } from "../lib/dom.js" */
/** @import { PluginInfo } from "../lib/types.d.ts" */

/**
 * What an item is called, alone and with others.
 * @typedef {{ readonly one: string, readonly many: string }} Naming
 */

/** @type {Naming} */
export const MESSAGES = { one: "message", many: "messages" };

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * The page of a plugin: what fits the filters of the address, or how to send as long as there is nothing.
 * @template {{ readonly id: string }} T
 * @param {{ plugin: PluginInfo, naming: Naming, filters: Readonly<Record<string, string>>, more?: string, most?: number,
 *   start: { readonly title: string, readonly text: string, readonly children?: Children },
 *   render: (views: readonly T[] | undefined) => Children }} props
 *   `filters` are parameters of the address, with their labels, that the list route takes too; `more` is what else is
 *   asked of that; `most` is how many entries are wanted, all unless given
 */
export function CapturedPage({ plugin, naming, filters, more, most, start, render }) {
  const { query } = place.value;
  const { one, many } = naming;
  const conditions = toQuery(
    Object.fromEntries(Object.keys(filters).map((name) => [name, query.get(name)])),
  );
  const asked = more === undefined ? conditions : `${conditions || "?"}&${more}`;
  /** @type {{ value?: readonly T[], problem?: string }} */
  const { value: views, problem } = useFetchedList(
    `/${plugin.name}/messages${asked}`,
    plugin.name,
    { most },
  );
  const [howTo, setHowTo] = useState(false);
  const tally = tallies.value.get(plugin.name);
  const total = tally?.count ?? 0;
  const isEmpty = views !== undefined && total === 0 && conditions === "";
  const count = conditions !== "" && views !== undefined
    ? `${formatCount(views.length)} of ${plural(total, one, many)}`
    : plural(total, one, many);
  const tools = html`
    <${ToolButton} icon="terminal" text="How to send" label="How to send" pressed=${howTo}
      onClick=${() => setHowTo(!howTo)} />
    <${ToolButton} icon="check" text="Mark all read" label="Mark all as read"
      disabled=${!tally?.unread} onClick=${() => markRead((views ?? []).map(({ id }) => id))} />
    <${ToolButton} icon="trash" text="Clear" label=${`Clear all ${many}`} danger=${true}
      disabled=${total === 0} onClick=${() => askToClear(plugin, total, naming)} />
  `;
  return html`
    <${Page} title=${plugin.title} count=${count} unread=${tally?.unread ?? 0} tools=${tools}
      class=${`${plugin.name}-page`}>
        <${Problem} text=${problem} />
        ${isEmpty || howTo
          ? html`
            <${Start} plugin=${plugin} isEmpty=${isEmpty} title=${start.title} text=${start.text}>
              ${start.children}
              <//>
          `
          : render(views)}
      <//>
  `;
}

/**
 * @param {PluginInfo} plugin
 * @param {number} count
 * @param {Naming} naming
 */
function askToClear(plugin, count, { one, many }) {
  confirm({
    title: `Clear ${plural(count, one, many)}?`,
    text:
      `Every captured ${one} is removed for everybody who uses this service, whatever the filters show. This cannot be undone.`,
    action: `Clear ${plural(count, one, many)}`,
    run: () => removeAndTell(`/${plugin.name}/messages`, { done: `All ${many} cleared` }),
  });
}

/**
 * The search, and the other filters behind a button.
 * @param {{ naming: Naming, filters: Readonly<Record<string, string>>, children?: Children }} props
 */
export function FilterBar({ naming, filters, children }) {
  const { query } = place.value;
  const [open, setOpen] = useState(false);
  const active = Object.keys(filters).filter((name) => name !== "search" && query.has(name)).length;
  const search = `Search ${naming.many}`;
  return html`<div class="filters">
    <div class="filters-line">
      <${QueryField} name="search" label=${search} placeholder=${search} search=${true} />
      <${IconButton} icon="filter" label=${active > 0 ? `Filters (${active} active)` : "Filters"}
        pressed=${open} onClick=${() => setOpen(!open)} />
    </div>
    ${open && html`<div class="filters-fields">${children}</div>`}
    <${ActiveFilters} names=${filters} />
  </div>`;
}

/**
 * Choices whose labels are their values.
 * @param {readonly string[]} values
 */
export function choicesOf(values) {
  return values.map((value) => ({ value, label: value }));
}

/** For filters that are on, off or not set. */
export const PROBLEM_CHOICES = [
  { value: "true", label: "With problems" },
  { value: "false", label: "Without" },
];

/**
 * Stands where an item would, with the keys to get to one.
 * @param {{ icon: string, one: string }} props
 */
export function NothingPicked({ icon, one }) {
  return html`
    <${Empty} icon=${icon} title=${`No ${one} selected`}>
      <p
        class="keys-hint"><kbd>j</kbd> <kbd>k</kbd> move · <kbd>/</kbd> searches · <kbd>?</kbd> shows every key</p>
      <//>
  `;
}

/**
 * The items beside the one that the address names.
 * @template {{ readonly id: string }} T
 * @param {{ plugin: PluginInfo, naming: Naming, views: readonly T[] | undefined, filterBar: Children,
 *   rowHeight: number, renderRow: (view: T, unread: boolean) => Children, removal: (view: T) => string,
 *   renderDetail: (view: T, about: { onClose: () => void, onDelete: () => void }) => Children }} props
 *   `removal` says what is removed, as a sentence
 */
export function PickedSplit(props) {
  const { plugin, naming, views, filterBar, rowHeight, renderRow } = props;
  const id = place.value.query.get("id");
  const picked = views?.find((view) => view.id === id);
  return html`
    <${Split} class="item-split" showDetail=${picked !== undefined}
      list=${html`${filterBar}${
        views !== undefined && html`
          <${PickList} views=${views} picked=${picked} rowHeight=${rowHeight}
            label=${capital(naming.many)} group=${plugin.title} one=${naming.one}
            renderRow=${renderRow} />
        `
      }`}
      detail=${picked === undefined
        ? html`<${NothingPicked} icon=${plugin.name} one=${naming.one} />`
        : html`<${Picked} ...${props} key=${picked.id} view=${picked} views=${views ?? []} />`} />
  `;
}

/**
 * @template {{ readonly id: string }} T
 * @param {{ plugin: PluginInfo, naming: Naming, view: T, views: readonly T[], removal: (view: T) => string,
 *   renderDetail: (view: T, about: { onClose: () => void, onDelete: () => void }) => Children }} props
 */
function Picked({ plugin, naming: { one }, view, views, removal, renderDetail }) {
  const { close, askFirst } = usePicked(view, views, {
    group: plugin.title,
    one,
    askToDelete(view, next) {
      confirm({
        title: `Delete this ${one}?`,
        text: `${removal(view)} This cannot be undone.`,
        action: `Delete ${one}`,
        run: () =>
          removeAndTell(`/${plugin.name}/messages/${view.id}`, {
            done: `${capital(one)} deleted`,
            next,
          }),
      });
    },
  });
  return renderDetail(view, { onClose: close, onDelete: askFirst });
}
