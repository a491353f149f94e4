/** Captured HTTP requests of any kind. */
import { html } from "../lib/dom.js";
import { choicesOf, FilterBar } from "../components/captured_tab.js";
import { QueryChoice, QueryField } from "../components/filters.js";
import { pickedTab } from "../components/picked_tab.js";
import { Detail, Row } from "./webhook/detail.js";

/** @import { WebhookView } from "./webhook/types.d.ts" */

/** Query parameters of the filters, with their labels; the list route takes the same. */
const FILTERS = /** @type {const} */ ({
  search: "Search",
  name: "Name",
  method: "Method",
  path: "Path",
  content_type: "Media type",
  status: "Status",
  header: "Header",
});
const REQUESTS = { one: "request", many: "requests" };
const START = {
  title: "No requests yet",
  text: "Send any HTTP request to an address under /hook/. It arrives here at once.",
};

function Filters() {
  return html`
    <${FilterBar} naming=${REQUESTS} filters=${FILTERS}>
      <${QueryField} name="name" label="Name" placeholder="orders" />
      <${QueryChoice} name="method" label="Method" options=${choicesOf([
        "GET",
        "POST",
        "PUT",
        "PATCH",
        "DELETE",
      ])} />
      <${QueryField} name="path" label="Path" placeholder="part of path or query" />
      <${QueryField} name="content_type" label="Media type" placeholder="application/json" />
      <${QueryField} name="status" label="Status" placeholder="200" />
      <${QueryField} name="header" label="Header" placeholder="x-signature" />
      <//>
  `;
}

/** @param {WebhookView} view */
function removal({ message }) {
  return `The request to ${message.name} is deleted for everyone who uses this service.`;
}

export const { Tab, Item } = pickedTab({
  naming: REQUESTS,
  filters: FILTERS,
  start: START,
  Filters,
  Row,
  Detail,
  removal,
});
