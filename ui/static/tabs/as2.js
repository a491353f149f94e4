/** AS2 messages: their layers, signatures, digests, receipt, and the document inside. */
import { html } from "../lib/dom.js";
import { loadStyles } from "../lib/styles.js";
import { choicesOf, FilterBar, MESSAGES, PROBLEM_CHOICES } from "../components/captured_tab.js";
import { QueryChoice, QueryField } from "../components/filters.js";
import { pickedTab } from "../components/picked_tab.js";
import { Detail } from "./as2/detail.js";
import { OwnIdentity } from "./as2/identity.js";
import { Row } from "./as2/row.js";

/** @import { As2View } from "./as2/types.d.ts" */

await loadStyles("tabs/as2.css");

/** Query parameters of the filters, with their labels; the list route takes the same. */
const FILTERS = /** @type {const} */ ({
  search: "Search",
  from: "From",
  to: "To",
  message_id: "Message id",
  format: "Format",
  security: "Security",
  issue: "Problems",
});
const FORMATS = ["edifact", "x12", "xml", "json", "hl7", "text"];
const SECURITY = [
  { value: "signed", label: "Signed" },
  { value: "encrypted", label: "Encrypted" },
  { value: "compressed", label: "Compressed" },
  { value: "signed,encrypted", label: "Signed and encrypted" },
  { value: "signed,encrypted,compressed", label: "All three" },
];

const START = {
  title: "No AS2 messages yet",
  text:
    "Post to this address as to a trading partner. Messages are unwrapped and get their receipt, appear here at once and go nowhere else.",
  children: html`<${OwnIdentity} />`,
};

function Filters() {
  return html`
    <${FilterBar} naming=${MESSAGES} filters=${FILTERS}>
      <${QueryField} name="from" label="From" placeholder="AS2-From" />
      <${QueryField} name="to" label="To" placeholder="AS2-To" />
      <${QueryField} name="message_id" label="Message id" placeholder="<1@example.com>" />
      <${QueryChoice} name="format" label="Format" options=${choicesOf(FORMATS)} />
      <${QueryChoice} name="security" label="Security" options=${SECURITY} />
      <${QueryChoice} name="issue" label="Problems" options=${PROBLEM_CHOICES} />
      <//>
  `;
}

/** @param {As2View} view */
function removal({ message }) {
  return `The message from "${
    message.from.slice(0, 100)
  }" is deleted for everyone who uses this service, with its document and its receipt.`;
}

export const { Tab, Item } = pickedTab({
  filters: FILTERS,
  more: "include_details=0",
  start: START,
  Filters,
  Row,
  Detail,
  removal,
});
