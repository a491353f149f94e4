/** HL7 messages: what they are, how they were answered, and their segments as a tree. */
import { html, useEffect, useState } from "../lib/dom.js";
import { messageOf, remove, toQuery } from "../lib/api.js";
import { useFetched } from "../lib/fetched.js";
import { formatCount, plural } from "../lib/format.js";
import { useKeys } from "../lib/keys.js";
import { place, setQuery } from "../lib/router.js";
import { tallies } from "../lib/store.js";
import { loadStyles } from "../lib/styles.js";
import { isRead, markRead, readIds } from "../lib/unread.js";
import { IconButton, ToolButton } from "../components/controls.js";
import { confirm } from "../components/dialog.js";
import { Empty, HowTo } from "../components/empty.js";
import { ActiveFilters, QueryChoice, QueryField } from "../components/filters.js";
import { List } from "../components/list.js";
import { Page, Problem } from "../components/page.js";
import { Split } from "../components/split.js";
import { toast } from "../components/toast.js";
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
        ${isEmpty || howTo ? html`<${Start} plugin=${plugin} isEmpty=${isEmpty} />` : html`
          <${Messages} views=${views} />
        `}
      <//>
  `;
}

/** @param {{ plugin: PluginInfo, isEmpty: boolean }} props */
function Start({ plugin, isEmpty }) {
  return html`<div class="page-scroll">
    ${
    isEmpty && html`
      <${Empty} icon="hl7" title="No HL7 messages yet">
        <p>Send over MLLP to this address. Messages are acknowledged, arrive here at once and go no further.</p>
        <//>
    `
  }
    <div class="howto-page"><h2>How to send</h2><${HowTo} plugin=${plugin} /></div>
  </div>`;
}

/** @param {{ views: readonly Hl7View[] | undefined }} props */
function Messages({ views }) {
  const id = place.value.query.get("id");
  const picked = views?.find((view) => view.id === id);
  return html`
    <${Split} class="hl7-split" showDetail=${picked !== undefined}
      list=${html`<${Filters} />${
        views !== undefined && html`<${Rows} views=${views} picked=${picked} />`
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

/** @param {{ views: readonly Hl7View[], picked: Hl7View | undefined }} props */
function Rows({ views, picked }) {
  if (views.length === 0) {
    return html`
      <${Empty} icon="search" title="No message fits">
        <p>Take a filter off, or search for something else.</p>
        <//>
    `;
  }
  return html`
    <${List} items=${views} selected=${picked?.id ?? null} rowHeight=${ROW_HEIGHT}
      label="Messages" group="HL7"
      onSelect=${(/** @type {string} */ id, /** @type {"step" | "open"} */ how) =>
        setQuery({ id }, { replace: how === "step" || picked !== undefined })}
      renderRow=${(/** @type {Hl7View} */ view) =>
        html`
          <${Row} view=${view}
            unread=${!isRead(readIds.value, view.id)} />
        `} />
  `;
}

/** @param {{ view: Hl7View, views: readonly Hl7View[] }} props */
function Selected({ view, views }) {
  const close = () => setQuery({ id: null });
  const at = views.findIndex(({ id }) => id === view.id);
  const next = views[at + 1] ?? views[at - 1];
  const askFirst = () => askToDelete(view, next?.id ?? null);
  useEffect(() => markRead([view.id]), [view.id]);
  useKeys([
    { keys: "Escape", about: "Close the message", group: "HL7", run: close },
    { keys: "#", about: "Delete, after asking", group: "HL7", run: askFirst },
  ]);
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
    run: () => act(`/hl7/messages/${view.id}`, { done: "Message deleted", next }),
  });
}

/** @param {number} count */
function askToClear(count) {
  confirm({
    title: `Clear ${plural(count, "message")}?`,
    text:
      "Every captured message is removed for everybody who uses this service, whatever the filters show. This cannot be undone.",
    action: `Clear ${plural(count, "message")}`,
    run: () => act("/hl7/messages", { done: "All messages cleared", next: null }),
  });
}

/**
 * @param {string} path
 * @param {{ done: string, next: string | null }} then what to say and to show
 */
async function act(path, { done, next }) {
  try {
    await remove(path);
    setQuery({ id: next }, { replace: true });
    toast(done);
  } catch (error) {
    toast(messageOf(error), { problem: true });
  }
}
