/** Pushes as lock-screen cards, including those that a device would not show. */
import { html } from "../lib/dom.js";
import { providerChoices } from "../lib/providers.js";
import { loadStyles } from "../lib/styles.js";
import { choicesOf, FilterBar } from "../components/captured_tab.js";
import { QueryChoice, QueryField } from "../components/filters.js";
import { pickedTab } from "../components/picked_tab.js";
import { Detail, Row } from "./push/detail.js";

/** @import { PluginInfo } from "../lib/types.d.ts" */
/** @import { PushView } from "./push/types.d.ts" */

await loadStyles("tabs/push.css");

/** Query parameters of the filters, with their labels; the list route takes the same. */
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
  text: "Send through this address. Pushes appear here at once and reach no device.",
};

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
        "channel",
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
  return `The push to ${message.target.value} is deleted for everyone who uses this service.`;
}

export const { Tab, Item } = pickedTab({
  naming: PUSHES,
  filters: FILTERS,
  start: START,
  Filters,
  Row,
  Detail,
  removal,
});
