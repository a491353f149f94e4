/** Pushes as lock-screen cards: which of them a device would show, and which not. */
import { html, useState } from "../lib/dom.js";
import { toQuery } from "../lib/api.js";
import { useFetched } from "../lib/fetched.js";
import { formatCount, plural } from "../lib/format.js";
import { place } from "../lib/router.js";
import { tallies } from "../lib/store.js";
import { loadStyles } from "../lib/styles.js";
import { markRead } from "../lib/unread.js";
import { IconButton, ToolButton } from "../components/controls.js";
import { confirm } from "../components/dialog.js";
import { Empty, Start } from "../components/empty.js";
import { ActiveFilters, QueryChoice, QueryField } from "../components/filters.js";
import { Page, Problem } from "../components/page.js";
import { PickList, usePicked } from "../components/pick_list.js";
import { removeAndTell } from "../components/removal.js";
import { Split } from "../components/split.js";
import { Detail, Row } from "./push/detail.js";

/** @import { PluginInfo } from "../lib/types.d.ts" */
/** @import { PushView } from "./push/types.d.ts" */

await loadStyles("tabs/push.css");

/** As `.push-row` in push.css. */
const ROW_HEIGHT = 82;

/** Parameters of the address that are filters, with their labels; the list route takes the same. */
const FILTERS = /** @type {const} */ ({
  search: "Search",
  displays: "Shown",
  kind: "Kind",
  target_kind: "Target",
  target: "Address",
  app: "App",
  push_type: "Push type",
  priority: "Priority",
  data_key: "Data key",
  provider: "Provider",
});
const FILTER_NAMES = Object.keys(FILTERS);

/** @param {{ plugin: PluginInfo }} props */
export function Tab({ plugin }) {
  const { query } = place.value;
  const conditions = toQuery(
    Object.fromEntries(FILTER_NAMES.map((name) => [name, query.get(name)])),
  );
  /** @type {{ value?: readonly PushView[], problem?: string }} */
  const { value: views, problem } = useFetched(`/push/messages${conditions}`, "push");
  const [howTo, setHowTo] = useState(false);
  const tally = tallies.value.get(plugin.name);
  const total = tally?.count ?? 0;
  const isEmpty = views !== undefined && total === 0 && conditions === "";
  const count = conditions !== "" && views !== undefined
    ? `${formatCount(views.length)} of ${plural(total, "push", "pushes")}`
    : plural(total, "push", "pushes");
  const tools = html`
    <${ToolButton} icon="terminal" text="How to send" label="How to send" pressed=${howTo}
      onClick=${() => setHowTo(!howTo)} />
    <${ToolButton} icon="check" text="Mark all read" label="Mark all as read"
      disabled=${!tally?.unread} onClick=${() => markRead((views ?? []).map(({ id }) => id))} />
    <${ToolButton} icon="trash" text="Clear" label="Clear all pushes" danger=${true}
      disabled=${total === 0} onClick=${() => askToClear(total)} />
  `;
  return html`
    <${Page} title=${plugin.title} count=${count} unread=${tally?.unread ?? 0} tools=${tools}
      class="push-page">
        <${Problem} text=${problem} />
        ${isEmpty || howTo
          ? html`
            <${Start} plugin=${plugin} isEmpty=${isEmpty}
              title="No pushes yet"
              text="Send through this address. Pushes arrive here at once and reach no device." />
          `
          : html`
            <${Pushes} plugin=${plugin} views=${views} />
          `}
      <//>
  `;
}

/** @param {{ plugin: PluginInfo, views: readonly PushView[] | undefined }} props */
function Pushes({ plugin, views }) {
  const id = place.value.query.get("id");
  const picked = views?.find((view) => view.id === id);
  return html`
    <${Split} class="push-split" showDetail=${picked !== undefined}
      list=${html`<${Filters} plugin=${plugin} />${
        views !== undefined && html`
          <${PickList} views=${views} picked=${picked} rowHeight=${ROW_HEIGHT} label="Pushes"
            group="Push" one="push"
            renderRow=${(/** @type {PushView} */ view, /** @type {boolean} */ unread) =>
              html`<${Row} view=${view} unread=${unread} />`} />
        `
      }`}
      detail=${picked === undefined
        ? html`
          <${Empty} icon="push" title="No push selected">
            <p
              class="keys-hint"><kbd>j</kbd> <kbd>k</kbd> move · <kbd>/</kbd> searches · <kbd>?</kbd> shows every key</p>
            <//>
        `
        : html`<${Selected} key=${picked.id} view=${picked} views=${views ?? []} />`} />
  `;
}

/** @param {{ plugin: PluginInfo }} props */
function Filters({ plugin }) {
  const { query } = place.value;
  const [open, setOpen] = useState(false);
  const active = FILTER_NAMES.filter((name) => name !== "search" && query.has(name)).length;
  const choices = (/** @type {readonly string[]} */ values) =>
    values.map((value) => ({ value, label: value }));
  return html`<div class="filters">
    <div class="filters-line">
      <${QueryField} name="search" label="Search pushes" placeholder="Search pushes" search=${true} />
      <${IconButton} icon="filter" label=${active > 0 ? `Filters (${active} active)` : "Filters"}
        pressed=${open} onClick=${() => setOpen(!open)} />
    </div>
    ${
    open && html`
      <div class="filters-fields">
        <${QueryChoice} name="kind" label="Kind" options=${choices([
          "notification",
          "silent",
          "empty",
        ])} />
        <${QueryChoice} name="target_kind" label="Target" options=${choices([
          "device",
          "topic",
          "condition",
        ])} />
        <${QueryField} name="target" label="Address" placeholder="token or topic" />
        <${QueryField} name="app" label="App" placeholder="bundle id or project" />
        <${QueryField} name="push_type" label="Push type" placeholder="alert, voip" />
        <${QueryChoice} name="priority" label="Priority" options=${choices([
          "high",
          "normal",
          "low",
        ])} />
        <${QueryField} name="data_key" label="Data key" placeholder="orderId" />
        <${QueryChoice} name="provider" label="Provider" options=${choices(
          plugin.providers.map(({ name }) => name),
        )} />
      </div>
    `
  }
    <${ActiveFilters} names=${FILTERS} />
  </div>`;
}

/** @param {{ view: PushView, views: readonly PushView[] }} props */
function Selected({ view, views }) {
  const { close, askFirst } = usePicked(view, views, { group: "Push", one: "push", askToDelete });
  return html`<${Detail} view=${view} onClose=${close} onDelete=${askFirst} />`;
}

/**
 * @param {PushView} view
 * @param {string | null} next what to show then
 */
function askToDelete(view, next) {
  confirm({
    title: "Delete this push?",
    text:
      `The push to ${view.message.target.value} is removed for everybody who uses this service. This cannot be undone.`,
    action: "Delete push",
    run: () => removeAndTell(`/push/messages/${view.id}`, { done: "Push deleted", next }),
  });
}

/** @param {number} count */
function askToClear(count) {
  confirm({
    title: `Clear ${plural(count, "push", "pushes")}?`,
    text:
      "Every captured push is removed for everybody who uses this service, whatever the filters show. This cannot be undone.",
    action: `Clear ${plural(count, "push", "pushes")}`,
    run: () => removeAndTell("/push/messages", { done: "All pushes cleared" }),
  });
}
