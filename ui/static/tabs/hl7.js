/** HL7 messages: content, acknowledgement, and segments as a tree. */
import { html } from "../lib/dom.js";
import { loadStyles } from "../lib/styles.js";
import { choicesOf, FilterBar, MESSAGES, PROBLEM_CHOICES } from "../components/captured_tab.js";
import { QueryChoice, QueryField } from "../components/filters.js";
import { pickedTab } from "../components/picked_tab.js";
import { Detail, Row } from "./hl7/detail.js";

/** @import { Hl7View } from "./hl7/types.d.ts" */

await loadStyles("tabs/hl7.css");

/** Query parameters of the filters, with their labels; the list route takes the same. */
const FILTERS = /** @type {const} */ ({
  search: "Search",
  message_type: "Type",
  control_id: "Control id",
  sending_application: "From",
  receiving_application: "To",
  patient_id: "Patient",
  segment: "Segment",
  path: "Place",
  value: "Value",
  ack: "Answer",
  issue: "Problems",
});
/** Values of the response filter. */
const ANSWERS = ["AA", "AE", "AR", "CA", "CE", "CR", "none"];

const START = {
  title: "No HL7 messages yet",
  text:
    "Send over MLLP to this address. Messages are acknowledged, appear here at once and go nowhere else.",
};

function Filters() {
  return html`
    <${FilterBar} naming=${MESSAGES} filters=${FILTERS}>
      <${QueryField} name="message_type" label="Type" placeholder="ADT^A01, ADT or A01" />
      <${QueryField} name="control_id" label="Control id" placeholder="MSH-10" />
      <${QueryField} name="sending_application" label="From" placeholder="MSH-3" />
      <${QueryField} name="receiving_application" label="To" placeholder="MSH-5" />
      <${QueryField} name="patient_id" label="Patient" placeholder="PID-3.1" />
      <${QueryField} name="segment" label="Segment" placeholder="OBX" />
      <${QueryField} name="path" label="Place" placeholder="PID-3.1, OBX[2]-5" />
      <${QueryField} name="value" label="Value there" placeholder="4711" />
      <${QueryChoice} name="ack" label="Answer" options=${choicesOf(ANSWERS)} />
      <${QueryChoice} name="issue" label="Problems" options=${PROBLEM_CHOICES} />
      <//>
  `;
}

/** @param {Hl7View} view */
function removal({ title, message }) {
  return `${title} (${
    message.header.control_id ?? "no control id"
  }) is deleted for everyone who uses this service.`;
}

export const { Tab, Item } = pickedTab({
  filters: FILTERS,
  more: "include_segments=0",
  start: START,
  Filters,
  Row,
  Detail,
  removal,
});
