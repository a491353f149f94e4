/** The generic list: all events, or those of a plugin without a tab. */
import { html, useState } from "../lib/dom.js";
import { messageOf, remove, toQuery } from "../lib/api.js";
import { formatCount, plural } from "../lib/format.js";
import { nameOfProvider } from "../lib/providers.js";
import { place, setQuery } from "../lib/router.js";
import { events, loading, plugins, tallies, unreadTotal } from "../lib/store.js";
import { markRead, pinnedFirst } from "../lib/unread.js";
import { aboutText, ownText } from "../lib/summary.js";
import { BundleTools } from "../components/bundle.js";
import { IconButton, Time, ToolButton, UnreadDot } from "../components/controls.js";
import { NothingPicked } from "../components/captured_tab.js";
import { confirm } from "../components/dialog.js";
import { Empty, Start } from "../components/empty.js";
import { EventDetail } from "../components/event_detail.js";
import { FaultMark } from "../components/fault_badge.js";
import { ActiveFilters, QueryChoice, QueryField } from "../components/filters.js";
import { Icon } from "../components/icons.js";
import { ItemBar } from "../components/item_detail.js";
import { Page, Problem } from "../components/page.js";
import { ChosenBar, PickList, useChoice, usePicked } from "../components/pick_list.js";
import { Provider } from "../components/provider.js";
import { Split } from "../components/split.js";
import { toast } from "../components/toast.js";
import { Captured } from "../components/text.js";
import { askToDelete, useEvent } from "./event.js";

/** @import { EventRecord, PluginInfo } from "../lib/types.d.ts" */

const ROW_HEIGHT = 62;
/** Name of the keys' group in the help. */
const GROUP = "Events";
const NAMING = { one: "event", many: "events" };

/** @param {{ plugin?: PluginInfo }} props without a plugin, events of all */
export function EventsPage({ plugin }) {
  const { query } = place.value;
  const selected = query.get("id");
  const all = plugin === undefined
    ? events.value
    : events.value.filter((event) => event.plugin === plugin.name);
  const fits = conditionsOf(query);
  const shown = pinnedFirst(fits === undefined ? all : all.filter(fits));
  const choice = useChoice(shown, selected, GROUP);
  const choosing = choice.chosen.size > 0;
  const title = plugin?.title ?? "All events";
  const count = shown.length === all.length
    ? plural(all.length, "event")
    : `${formatCount(shown.length)} of ${plural(all.length, "event")}`;
  const [howTo, setHowTo] = useState(false);
  const isEmpty = plugin !== undefined && all.length === 0 && loading.value.done;
  const tools = html`
    ${plugin !== undefined && html`
      <${ToolButton} icon="terminal" text="How to send" label="How to send" pressed=${howTo}
        onClick=${() => setHowTo(!howTo)} />
    `}
    <${Tools} plugin=${plugin} all=${all} />
  `;
  return html`
    <${Page} title=${title} count=${count} unread=${plugin &&
      (tallies.value.get(plugin.name)?.unread ?? 0)} tools=${tools}>
      ${plugin !== undefined && (howTo || isEmpty)
        ? html`
          <${Start} plugin=${plugin} isEmpty=${isEmpty} title="Nothing captured yet"
            text=${plugin.description} />
        `
        : html`
          <${Split}
            showDetail=${selected !== null}
            list=${html`<${Filters} plugin=${plugin} all=${all} />${
              choosing && html`
                <${ChosenBar} chosen=${choice.chosen} total=${shown.length} naming=${NAMING}
                  path="/events" group=${GROUP} onAll=${choice.chooseAll}
                  onClear=${choice.clear} />
              `
            }${
              shown.length === 0
                ? html`<${NoRows} plugin=${plugin} filtered=${all.length > 0} />`
                : html`
                  <${PickList} views=${shown} picked=${selected} rowHeight=${ROW_HEIGHT}
                    label=${title} group=${GROUP} one="event" choice=${choice}
                    renderRow=${(/** @type {EventRecord} */ event, /** @type {boolean} */ unread) =>
                      html`
                        <${Row} event=${event} unread=${unread} showIcon=${plugin === undefined} />
                      `} />
                `
            }`}
            detail=${selected === null
              ? html`<${NothingPicked} icon=${plugin?.name ?? "events"} one="event" />`
              : html`<${Picked} id=${selected} views=${shown} choosing=${choosing} />`}
          />
        `}
      <//>
  `;
}

/**
 * Returns the conditions as the list route of the API takes them; nothing without conditions.
 * @param {URLSearchParams} query
 * @returns {((event: EventRecord) => boolean) | undefined}
 */
function conditionsOf(query) {
  const wanted = /** @type {const} */ (["plugin", "provider", "type"]).flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [{ name, value }];
  });
  const search = query.get("search")?.toLowerCase();
  if (wanted.length === 0 && search === undefined) return undefined;
  return (event) =>
    wanted.every(({ name, value }) => event[name] === value) &&
    (search === undefined || bears(event, search));
}

/**
 * @param {EventRecord} event
 * @param {string} part in lower case
 */
function bears({ summary, type, summary_parts: { from, to = [], title, snippet } }, part) {
  return [summary, type, from, ...to, title, snippet]
    .some((text) => text?.toLowerCase().includes(part));
}

/** @param {{ plugin: PluginInfo | undefined, all: readonly EventRecord[] }} props */
function Tools({ plugin, all }) {
  const count = all.length;
  const name = plugin?.title ?? "all plugins";
  const unread = plugin === undefined
    ? unreadTotal.value
    : tallies.value.get(plugin.name)?.unread ?? 0;
  const clear = () =>
    confirm({
      title: `Clear ${plural(count, "event")}?`,
      text:
        `Every event of ${name} is deleted for everyone who uses this service. This cannot be undone.`,
      action: `Clear ${plural(count, "event")}`,
      run: async () => {
        try {
          await remove(`/events${toQuery({ plugin: plugin?.name })}`);
          setQuery({ id: null }, { replace: true });
          toast("Cleared");
        } catch (error) {
          toast(messageOf(error), { problem: true });
        }
      },
    });
  return html`
    <${BundleTools} count=${count} plugin=${plugin?.name} />
    <${ToolButton} icon="check" text="Mark all read" label="Mark all read" disabled=${unread ===
      0}
      onClick=${() => markRead(all.map(({ id }) => id))} />
    <${ToolButton} icon="trash" text="Clear" label="Clear" danger=${true} disabled=${count === 0}
      onClick=${clear} />
  `;
}

/** @param {{ plugin: PluginInfo | undefined, all: readonly EventRecord[] }} props */
function Filters({ plugin, all }) {
  const [open, setOpen] = useState(false);
  const asOptions = (/** @type {Iterable<string>} */ values) =>
    [...new Set(values)].sort().map((value) => ({ value, label: value }));
  const names = {
    provider: "Provider",
    type: "Type",
    ...(plugin === undefined ? { plugin: "Plugin" } : {}),
  };
  return html`<div class="filters">
    <div class="filters-line">
      <${QueryField} name="search" label="Search" placeholder="Search summaries and types" search=${true} />
      <${IconButton} icon="filter" label="Filters" pressed=${open} onClick=${() =>
    setOpen(!open)} />
    </div>
    ${
    open && html`<div class="filters-fields">
        ${
      plugin === undefined &&
      html`<${QueryChoice} name="plugin" label="Plugin" options=${
        plugins.value.map(({ name, title }) => ({ value: name, label: title }))
      } />`
    }
        <${QueryChoice} name="provider" label="Provider" options=${providersIn(all)} />
        <${QueryChoice} name="type" label="Type" options=${
      asOptions(all.map(({ type }) => type))
    } />
      </div>`
  }
    <${ActiveFilters} names=${names} />
  </div>`;
}

/**
 * One option for each provider with events; two plugins may share a name.
 * @param {readonly EventRecord[]} all
 */
function providersIn(all) {
  /** @type {Map<string, Set<string>>} */
  const found = new Map();
  for (const { plugin, provider } of all) {
    const names = found.get(provider) ?? new Set();
    found.set(provider, names.add(nameOfProvider(plugin, provider)));
  }
  return [...found].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([value, names]) => ({ value, label: [...names].join(", ") }));
}

/** @param {{ event: EventRecord, unread: boolean, showIcon: boolean }} props */
function Row({ event, unread, showIcon }) {
  const found = place.value.query.get("search") ?? "";
  return html`
    <span class=${`event-row ${unread ? "unread" : ""}`}>
      <span class="row-line"><${UnreadDot} unread=${unread} />
          ${showIcon && html`<${Icon} name=${event.plugin} size=${14} />`}
          <${Captured} class="row-title" text=${ownText(
            event,
          )} found=${found} /><${Time} iso=${event.received_at} /></span>
      <span class="row-line"><${Captured} class="row-snippet" text=${aboutText(
        event,
      )} found=${found}
          /><${FaultMark} name=${event.meta?.fault} /><${Provider} plugin=${event.plugin} id=${event
            .provider} short=${true} /></span>
    </span>
  `;
}

/** @param {{ plugin: PluginInfo | undefined, filtered: boolean }} props */
function NoRows({ plugin, filtered }) {
  if (!loading.value.done) return null;
  if (filtered) {
    return html`
      <${Empty} icon="search" title="No matching events">
        <p>Remove a filter, or search for something else.</p>
        <//>
    `;
  }
  return html`
    <${Empty} icon=${plugin?.name ?? "inbox"} title="Nothing captured yet">
      <p>${plugin?.description ?? "What your application sends appears here at once."}</p>
      <//>
  `;
}

/**
 * The selected event, which the filters may exclude.
 * @param {{ id: string, views: readonly EventRecord[], choosing: boolean }} props
 */
function Picked({ id, views, choosing }) {
  const { event, problem, gone } = useEvent(id);
  const controls = usePicked(id, views, {
    group: GROUP,
    one: "event",
    choosing,
    askToDelete: (next) =>
      event && askToDelete(event, () => setQuery({ id: next }, { replace: true })),
  });
  if (gone) {
    return html`
      <${Empty} icon="search" title="No longer held">
        <p>It was deleted, or replaced by newer ones.</p>
        <p class="empty-actions">
          <button type="button" class="button" onClick=${controls.onClose}>Back to the list</button>
        </p>
        <//>
    `;
  }
  return html`
    <${ItemBar} id=${id} url=${event?.url} controls=${controls} />
    <div class="pane-scroll">
      <${Problem} text=${problem} />
      ${event && html`<${EventDetail} event=${event} />`}
    </div>
  `;
}
