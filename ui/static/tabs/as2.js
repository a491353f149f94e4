/** AS2 messages: every layer of them, whose they are, their digests, the receipt, and the document inside. */
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
import { Detail } from "./as2/detail.js";
import { OwnIdentity } from "./as2/identity.js";
import { Row } from "./as2/row.js";

/** @import { PluginInfo } from "../lib/types.d.ts" */
/** @import { As2View } from "./as2/types.d.ts" */

await loadStyles("tabs/as2.css");

/** As `.as2-row` in as2.css. */
const ROW_HEIGHT = 82;

/** Parameters of the address that are filters, with their labels; the list route takes the same. */
const FILTERS = /** @type {const} */ ({
  search: "Search",
  from: "From",
  to: "To",
  message_id: "Message id",
  format: "Format",
  security: "Security",
  issue: "Problems",
});
const FILTER_NAMES = Object.keys(FILTERS);
const FORMATS = ["edifact", "x12", "xml", "json", "hl7", "text"];
const SECURITY = [
  { value: "signed", label: "Signed" },
  { value: "encrypted", label: "Encrypted" },
  { value: "compressed", label: "Compressed" },
  { value: "signed,encrypted", label: "Signed and encrypted" },
  { value: "signed,encrypted,compressed", label: "All three" },
];

/** @param {{ plugin: PluginInfo }} props */
export function Tab({ plugin }) {
  const { query } = place.value;
  const conditions = toQuery(
    Object.fromEntries(FILTER_NAMES.map((name) => [name, query.get(name)])),
  );
  /** @type {{ value?: readonly As2View[], problem?: string }} */
  const { value: views, problem } = useFetched(
    `/as2/messages${conditions}${conditions === "" ? "?" : "&"}include_details=0`,
    "as2",
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
      class="as2-page">
        <${Problem} text=${problem} />
        ${isEmpty || howTo
          ? html`
            <${Start} plugin=${plugin} isEmpty=${isEmpty}
              title="No AS2 messages yet"
              text="Post to this address as to a trading partner. Messages are opened and receipted, arrive here at once and go no further.">
              <${OwnIdentity} />
              <//>
          `
          : html`
            <${Messages} views=${views} />
          `}
      <//>
  `;
}

/** @param {{ views: readonly As2View[] | undefined }} props */
function Messages({ views }) {
  const id = place.value.query.get("id");
  const picked = views?.find((view) => view.id === id);
  return html`
    <${Split} class="as2-split" showDetail=${picked !== undefined}
      list=${html`<${Filters} />${
        views !== undefined && html`
          <${PickList} views=${views} picked=${picked} rowHeight=${ROW_HEIGHT} label="Messages"
            group="AS2" one="message"
            renderRow=${(/** @type {As2View} */ view, /** @type {boolean} */ unread) =>
              html`<${Row} view=${view} unread=${unread} />`} />
        `
      }`}
      detail=${picked === undefined
        ? html`
          <${Empty} icon="as2" title="No message selected">
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
  return html`<div class="filters">
    <div class="filters-line">
      <${QueryField} name="search" label="Search messages" placeholder="Search messages" search=${true} />
      <${IconButton} icon="filter" label=${active > 0 ? `Filters (${active} active)` : "Filters"}
        pressed=${open} onClick=${() => setOpen(!open)} />
    </div>
    ${
    open && html`
      <div class="filters-fields">
        <${QueryField} name="from" label="From" placeholder="AS2-From" />
        <${QueryField} name="to" label="To" placeholder="AS2-To" />
        <${QueryField} name="message_id" label="Message id" placeholder="<1@example.com>" />
        <${QueryChoice} name="format" label="Format" options=${FORMATS.map((value) => ({
          value,
          label: value,
        }))} />
        <${QueryChoice} name="security" label="Security" options=${SECURITY} />
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

/** @param {{ view: As2View, views: readonly As2View[] }} props */
function Selected({ view, views }) {
  const { close, askFirst } = usePicked(view, views, { group: "AS2", one: "message", askToDelete });
  return html`<${Detail} summary=${view} onClose=${close} onDelete=${askFirst} />`;
}

/**
 * @param {As2View} view
 * @param {string | null} next what to show then
 */
function askToDelete(view, next) {
  confirm({
    title: "Delete this message?",
    text: `The message from "${
      view.message.from.slice(0, 100)
    }" is removed for everybody who uses this service, with its document and its receipt. This cannot be undone.`,
    action: "Delete message",
    run: () => removeAndTell(`/as2/messages/${view.id}`, { done: "Message deleted", next }),
  });
}

/** @param {number} count */
function askToClear(count) {
  confirm({
    title: `Clear ${plural(count, "message")}?`,
    text:
      "Every captured message is removed for everybody who uses this service, whatever the filters show. This cannot be undone.",
    action: `Clear ${plural(count, "message")}`,
    run: () => removeAndTell("/as2/messages", { done: "All messages cleared" }),
  });
}
