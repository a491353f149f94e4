/** Pushes as lock-screen cards: which of them a device would show, and which not. */
import { html } from "../lib/dom.js";
import { providerChoices } from "../lib/providers.js";
import { loadStyles } from "../lib/styles.js";
import { CapturedPage, choicesOf, FilterBar, PickedSplit } from "../components/captured_tab.js";
import { FetchedItem } from "../components/fetched_item.js";
import { QueryChoice, QueryField } from "../components/filters.js";
import { Detail, Row } from "./push/detail.js";

/** @import { Doings } from "../components/pick_list.js" */
/** @import { FullEvent, PluginInfo } from "../lib/types.d.ts" */
/** @import { PushView } from "./push/types.d.ts" */

await loadStyles("tabs/push.css");

/** As `.item-row` in lists.css. */
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
const PUSHES = { one: "push", many: "pushes" };
const START = {
  title: "No pushes yet",
  text: "Send through this address. Pushes arrive here at once and reach no device.",
};

/** @param {{ plugin: PluginInfo }} props */
export function Tab({ plugin }) {
  const render = (/** @type {readonly PushView[] | undefined} */ views) =>
    html`
      <${PickedSplit} plugin=${plugin} naming=${PUSHES} views=${views} rowHeight=${ROW_HEIGHT}
        filterBar=${html`<${Filters} plugin=${plugin} />`} removal=${removal}
        renderRow=${(/** @type {PushView} */ view, /** @type {boolean} */ unread) =>
          html`<${Row} view=${view} unread=${unread} />`}
        renderDetail=${(/** @type {PushView} */ view, /** @type {Doings} */ doings) =>
          html`<${Detail} view=${view} doings=${doings} />`} />
    `;
  return html`
    <${CapturedPage} plugin=${plugin} naming=${PUSHES} filters=${FILTERS} start=${START}
      render=${render} />
  `;
}

/** @param {{ plugin: PluginInfo }} props */
function Filters({ plugin }) {
  return html`
    <${FilterBar} naming=${PUSHES} filters=${FILTERS}>
      <${QueryChoice} name="kind" label="Kind" options=${choicesOf([
        "notification",
        "silent",
        "empty",
      ])} />
      <${QueryChoice} name="target_kind" label="Target" options=${choicesOf([
        "device",
        "topic",
        "condition",
      ])} />
      <${QueryField} name="target" label="Address" placeholder="token or topic" />
      <${QueryField} name="app" label="App" placeholder="bundle id or project" />
      <${QueryField} name="push_type" label="Push type" placeholder="alert, voip" />
      <${QueryChoice} name="priority" label="Priority" options=${choicesOf([
        "high",
        "normal",
        "low",
      ])} />
      <${QueryField} name="data_key" label="Data key" placeholder="orderId" />
      <${QueryChoice} name="provider" label="Provider" options=${providerChoices(plugin)} />
      <//>
  `;
}

/** @param {PushView} view */
function removal({ message }) {
  return `The push to ${message.target.value} is removed for everybody who uses this service.`;
}

/** One push as this tab shows it. @param {{ event: FullEvent }} props */
export function Item({ event }) {
  return html`
    <${FetchedItem} event=${event} render=${(/** @type {PushView} */ view) =>
      html`<${Detail} view=${view} />`} />
  `;
}
