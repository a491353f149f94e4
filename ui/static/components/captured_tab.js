/** Shared parts of the tabs of captured items: the page with its tools, the filters, and the list with one item selected. */
import { html, useState } from "../lib/dom.js";
import { toQuery } from "../lib/api.js";
import { useFetchedList } from "../lib/fetched.js";
import { capital, formatCount, plural } from "../lib/format.js";
import { place, setQuery } from "../lib/router.js";
import { tallies } from "../lib/store.js";
import { markRead, pinnedFirst } from "../lib/unread.js";
import { OpenPage } from "./actions.js";
import { IconButton, ToolButton } from "./controls.js";
import { confirm } from "./dialog.js";
import { Empty } from "./empty.js";
import { ActiveFilters, QueryField } from "./filters.js";
import { ChosenBar, PickList, useChoice, usePicked } from "./pick_list.js";
import { PluginPage } from "./plugin_page.js";
import { removeAndTell } from "./removal.js";
import { Split } from "./split.js";

/** @import { Children } from "../lib/dom.js" */
/** @import { PluginInfo } from "../lib/types.d.ts" */
/** @import { ItemControls } from "./pick_list.js" */
/** @import { StartText } from "./plugin_page.js" */

/**
 * Singular and plural of an item's name.
 * @typedef {{ readonly one: string, readonly many: string }} Naming
 */

/** @type {Naming} */
export const MESSAGES = { one: "message", many: "messages" };

/**
 * Returns the items that match the filters of the address, kept fresh.
 * @template T
 * @typedef {(path: string, plugin: string, options: { most?: number | undefined }) => { value?: readonly T[], problem?: string }} UseList
 */

/**
 * The page of a plugin: the items that match the filters of the address, or how to send while there are none.
 * @template {{ readonly id: string }} T
 * @param {{ plugin: PluginInfo, naming: Naming, filters: Readonly<Record<string, string>>, more?: string, most?: number,
 *   start: StartText, useList?: UseList<T>,
 *   render: (views: readonly T[] | undefined) => Children }} props
 *   `filters` are parameters of the address, with their labels, that the list route takes too; `more` are further
 *   parameters of the route; `most` is the most entries to fetch, all by default; `useList` keeps the list fresh and
 *   must not change
 */
export function CapturedPage(
  { plugin, naming, filters, more, most, start, useList = useFetchedList, render },
) {
  const { query } = place.value;
  const { one, many } = naming;
  const conditions = toQuery(
    Object.fromEntries(Object.keys(filters).map((name) => [name, query.get(name)])),
  );
  const asked = more === undefined ? conditions : `${conditions || "?"}&${more}`;
  /** @type {{ value?: readonly T[], problem?: string }} */
  const { value: views, problem } = useList(`/${plugin.name}/messages${asked}`, plugin.name, {
    most,
  });
  const total = tallies.value.get(plugin.name)?.count ?? 0;
  const isFiltered = conditions !== "" && views !== undefined;
  const count = isFiltered
    ? `${formatCount(views.length)} of ${plural(total, one, many)}`
    : plural(total, one, many);
  return html`
    <${CapturedFrame} plugin=${plugin} naming=${naming} start=${start} problem=${problem}
      count=${count}
      isEmpty=${views !== undefined && total === 0 && conditions === ""}
      idsOf=${() => (views ?? []).map(({ id }) => id)}
      tools=${isFiltered && html`
        <${ToolButton} icon="trash" text="Delete matching" label=${`Delete matching ${many}`}
          danger=${true} disabled=${views.length === 0} onClick=${() =>
            askToDeleteMatching(plugin, { count: views.length, conditions, naming })} />
      `}>${render(views)}<//>
  `;
}

/**
 * The page of a plugin with the shared tools, or how to send while there are no items.
 * @param {{ plugin: PluginInfo, naming: Naming, start: StartText, problem?: string, count: string, isEmpty: boolean,
 *   idsOf: () => readonly string[], tools?: Children, children?: Children }} props `idsOf` returns the ids of the items
 *   shown; `tools` are added to the shared ones
 */
export function CapturedFrame(
  { plugin, naming, start, problem, count, isEmpty, idsOf, tools, children },
) {
  const { many } = naming;
  const { count: total = 0, unread = 0 } = tallies.value.get(plugin.name) ?? {};
  const all = html`
    <${ToolButton} icon="check" text="Mark all read" label="Mark all read"
      disabled=${unread === 0} onClick=${() => markRead(idsOf())} />
    ${tools}
    <${ToolButton} icon="trash" text="Clear" label=${`Clear all ${many}`} danger=${true}
      disabled=${total === 0} onClick=${() => askToClear(plugin, total, naming)} />
  `;
  return html`
    <${PluginPage} plugin=${plugin} start=${start} count=${count} unread=${unread}
      problem=${problem} isEmpty=${isEmpty} tools=${all}>${children}<//>
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
      `Every captured ${one} is deleted for everyone who uses this service, whatever the filters show. This cannot be undone.`,
    action: `Clear ${plural(count, one, many)}`,
    run: () => removeAndTell(`/${plugin.name}/messages`, { done: `All ${many} cleared` }),
  });
}

/**
 * @param {PluginInfo} plugin
 * @param {{ count: number, conditions: string, naming: Naming }} about
 */
function askToDeleteMatching(plugin, { count, conditions, naming: { one, many } }) {
  const what = plural(count, one, many);
  confirm({
    title: `Delete the ${what} that match?`,
    text:
      "Everything that matches the filters is deleted for everyone who uses this service, including what arrives meanwhile. This cannot be undone.",
    action: `Delete ${what}`,
    run: () =>
      removeAndTell(`/${plugin.name}/messages${conditions}`, { done: `Matching ${many} deleted` }),
  });
}

/**
 * The search field, and a button that opens the other filters.
 * @param {{ naming: Naming, filters: Readonly<Record<string, string>>, words?: Readonly<Record<string, string>>,
 *   tools?: Children, children?: Children }} props `words` are shown instead of values; `tools` are next to the search
 */
export function FilterBar({ naming, filters, words = {}, tools, children }) {
  const { query } = place.value;
  const [open, setOpen] = useState(false);
  const active = Object.keys(filters).filter((name) => name !== "search" && query.has(name)).length;
  const search = `Search ${naming.many}`;
  return html`<div class="filters">
    <div class="filters-line">
      <${QueryField} name="search" label=${search} placeholder=${search} search=${true} />
      <${IconButton} icon="filter" label=${active > 0 ? `Filters (${active} active)` : "Filters"}
        pressed=${open} onClick=${() => setOpen(!open)} />
      ${tools}
    </div>
    ${open && html`<div class="filters-fields">${children}</div>`}
    <${ActiveFilters} names=${filters} words=${words} />
  </div>`;
}

/**
 * Options whose labels are their values.
 * @param {readonly string[]} values
 */
export function choicesOf(values) {
  return values.map((value) => ({ value, label: value }));
}

/** For filters that are on, off or unset. */
export const PROBLEM_CHOICES = [
  { value: "true", label: "With problems" },
  { value: "false", label: "Without" },
];

/**
 * Shown while no item is selected, with the keys that select one.
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
 * The list of items beside the one that the address selects.
 * @template {{ readonly id: string }} T
 * @param {{ plugin: PluginInfo, naming: Naming, views: readonly T[] | undefined, filterBar: Children,
 *   rowHeight: number, renderRow: (view: T, unread: boolean) => Children,
 *   renderBeside?: (view: T, isEntry: boolean) => Children, removal: (view: T) => string,
 *   renderDetail: (view: T, controls: ItemControls) => Children }} props `removal` describes the deletion in a sentence
 */
export function PickedSplit(props) {
  const { plugin, naming, filterBar, rowHeight, renderRow, renderBeside } = props;
  const id = place.value.query.get("id");
  const views = props.views && pinnedFirst(props.views);
  const picked = views?.find((view) => view.id === id);
  const choice = useChoice(views ?? [], id, plugin.title);
  const { chosen } = choice;
  const choosing = chosen.size > 0;
  return html`
    <${Split} class="item-split" showDetail=${id !== null}
      list=${html`${filterBar}${
        choosing && html`
          <${ChosenBar} chosen=${chosen} total=${views?.length ?? 0} naming=${naming}
            path=${`/${plugin.name}/messages`} group=${plugin.title} onAll=${choice.chooseAll}
            onClear=${choice.clear} />
        `
      }${
        views !== undefined && html`
          <${PickList} views=${views} picked=${id} rowHeight=${rowHeight}
            label=${capital(naming.many)} group=${plugin.title} one=${naming.one} choice=${choice}
            renderBeside=${renderBeside} renderRow=${renderRow} />
        `
      }`}
      detail=${id === null
        ? html`<${NothingPicked} icon=${plugin.name} one=${naming.one} />`
        : picked !== undefined
        ? html`
          <${Picked} ...${props} key=${picked.id} view=${picked} views=${views ?? []}
            choosing=${choosing} />
        `
        : views !== undefined && html`<${NotListed} id=${id} one=${naming.one} />`} />
  `;
}

/**
 * Shown if the selected item is not in the list.
 * @param {{ id: string, one: string }} props
 */
function NotListed({ id, one }) {
  const close = () => setQuery({ id: null, view: null });
  return html`
    <${Empty} icon="search" title=${`This ${one} is not in the list`}>
      <p>It does not match the filters, was deleted, or was replaced by newer ones.</p>
      <p class="empty-actions">
        <${OpenPage} id=${id} />
        <button type="button" class="button" onClick=${close}>Back to the list</button>
      </p>
      <//>
  `;
}

/**
 * @template {{ readonly id: string }} T
 * @param {{ plugin: PluginInfo, naming: Naming, view: T, views: readonly T[], choosing: boolean,
 *   removal: (view: T) => string, renderDetail: (view: T, controls: ItemControls) => Children }} props
 */
function Picked({ plugin, naming: { one }, view, views, choosing, removal, renderDetail }) {
  const controls = usePicked(view.id, views, {
    group: plugin.title,
    one,
    choosing,
    askToDelete(next) {
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
  return renderDetail(view, controls);
}
