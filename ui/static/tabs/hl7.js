/** HL7 messages: what they are, how they were answered, and their segments as a tree. */
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
import { Detail, Row } from "./hl7/detail.js";

/** @import { PluginInfo } from "../lib/types.d.ts" */
/** @import { Hl7View } from "./hl7/types.d.ts" */

await loadStyles("tabs/hl7.css");

/** As `.hl7-row` in hl7.css. */
const ROW_HEIGHT = 82;

/** Parameters of the address that are filters, with their labels; the list route takes the same. */
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
const FILTER_NAMES = Object.keys(FILTERS);
/** What the answer filter takes. */
const ANSWERS = ["AA", "AE", "AR", "CA", "CE", "CR", "none"];

/** @param {{ plugin: PluginInfo }} props */
export function Tab({ plugin }) {
  const { query } = place.value;
  const conditions = toQuery(
    Object.fromEntries(FILTER_NAMES.map((name) => [name, query.get(name)])),
  );
  /** @type {{ value?: readonly Hl7View[], problem?: string }} */
  const { value: views, problem } = useFetched(
    `/hl7/messages${conditions}${conditions === "" ? "?" : "&"}include_segments=0`,
    "hl7",
  );
  const [howTo, setHowTo] = useState(false);
  const tally = tallies.value.get(plugin.name);
  const total = tally?.count ?? 0;
  const isEmpty = views !== undefined && total === 0 && conditions === "";
  const count = conditions !== "" && views !== undefined
    ? `${formatCount(views.length)} of ${plural(total, "message")}`
    : plural(total, "message");
  const tools = html`
    <${ToolButton} icon="terminal" text="How to send" label="How to send" pressed=${howTo}
      onClick=${() => setHowTo(!howTo)} />
    <${ToolButton} icon="check" text="Mark all read" label="Mark all as read"
      disabled=${!tally?.unread} onClick=${() => markRead((views ?? []).map(({ id }) => id))} />
    <${ToolButton} icon="trash" text="Clear" label="Clear all messages" danger=${true}
      disabled=${total === 0} onClick=${() => askToClear(total)} />
  `;
  return html`
    <${Page} title=${plugin.title} count=${count} unread=${tally?.unread ?? 0} tools=${tools}
      class="hl7-page">
        <${Problem} text=${problem} />
        ${isEmpty || howTo
          ? html`
            <${Start} plugin=${plugin} isEmpty=${isEmpty}
              title="No HL7 messages yet"
              text="Send over MLLP to this address. Messages are acknowledged, arrive here at once and go no further." />
          `
          : html`
            <${Messages} views=${views} />
          `}
      <//>
  `;
}

/** @param {{ views: readonly Hl7View[] | undefined }} props */
function Messages({ views }) {
  const id = place.value.query.get("id");
  const picked = views?.find((view) => view.id === id);
  return html`
    <${Split} class="hl7-split" showDetail=${picked !== undefined}
      list=${html`<${Filters} />${
        views !== undefined && html`
          <${PickList} views=${views} picked=${picked} rowHeight=${ROW_HEIGHT} label="Messages"
            group="HL7" one="message"
            renderRow=${(/** @type {Hl7View} */ view, /** @type {boolean} */ unread) =>
              html`<${Row} view=${view} unread=${unread} />`} />
        `
      }`}
      detail=${picked === undefined
        ? html`
          <${Empty} icon="hl7" title="No message selected">
            <p
              class="keys-hint"><kbd>j</kbd> <kbd>k</kbd> move · <kbd>/</kbd> searches · <kbd>?</kbd> shows every key</p>
            <//>
        `
        : html`<${Selected} key=${picked.id} view=${picked} views=${views ?? []} />`} />
  `;
}

function Filters() {
  const { query } = place.value;
  const [open, setOpen] = useState(false);
  const active = FILTER_NAMES.filter((name) => name !== "search" && query.has(name)).length;
  const choices = (/** @type {readonly string[]} */ values) =>
    values.map((value) => ({ value, label: value }));
  return html`<div class="filters">
    <div class="filters-line">
      <${QueryField} name="search" label="Search messages" placeholder="Search messages" search=${true} />
      <${IconButton} icon="filter" label=${active > 0 ? `Filters (${active} active)` : "Filters"}
        pressed=${open} onClick=${() => setOpen(!open)} />
    </div>
    ${
    open && html`
      <div class="filters-fields">
        <${QueryField} name="message_type" label="Type" placeholder="ADT^A01, ADT or A01" />
        <${QueryField} name="control_id" label="Control id" placeholder="MSH-10" />
        <${QueryField} name="sending_application" label="From" placeholder="MSH-3" />
        <${QueryField} name="receiving_application" label="To" placeholder="MSH-5" />
        <${QueryField} name="patient_id" label="Patient" placeholder="PID-3.1" />
        <${QueryField} name="segment" label="Segment" placeholder="OBX" />
        <${QueryField} name="path" label="Place" placeholder="PID-3.1, OBX[2]-5" />
        <${QueryField} name="value" label="Value there" placeholder="4711" />
        <${QueryChoice} name="ack" label="Answer" options=${choices(ANSWERS)} />
        <${QueryChoice} name="issue" label="Problems" options=${[
          { value: "true", label: "With problems" },
          { value: "false", label: "Without" },
        ]} />
      </div>
    `
  }
    <${ActiveFilters} names=${FILTERS} />
  </div>`;
}

/** @param {{ view: Hl7View, views: readonly Hl7View[] }} props */
function Selected({ view, views }) {
  const { close, askFirst } = usePicked(view, views, { group: "HL7", one: "message", askToDelete });
  return html`<${Detail} summary=${view} onClose=${close} onDelete=${askFirst} />`;
}

/**
 * @param {Hl7View} view
 * @param {string | null} next what to show then
 */
function askToDelete(view, next) {
  confirm({
    title: "Delete this message?",
    text: `${view.title} (${
      view.message.header.control_id ?? "no control id"
    }) is removed for everybody who uses this service. This cannot be undone.`,
    action: "Delete message",
    run: () => removeAndTell(`/hl7/messages/${view.id}`, { done: "Message deleted", next }),
  });
}

/** @param {number} count */
function askToClear(count) {
  confirm({
    title: `Clear ${plural(count, "message")}?`,
    text:
      "Every captured message is removed for everybody who uses this service, whatever the filters show. This cannot be undone.",
    action: `Clear ${plural(count, "message")}`,
    run: () => removeAndTell("/hl7/messages", { done: "All messages cleared" }),
  });
}
