/** The inbox: a list of messages, and the selected one. */
import { html } from "../lib/dom.js";
import { formatSize, plural, shortAddress } from "../lib/format.js";
import { density, setDensity } from "../lib/prefs.js";
import { providerChoices } from "../lib/providers.js";
import { place } from "../lib/router.js";
import { loadStyles } from "../lib/styles.js";
import { CapturedPage, FilterBar, MESSAGES, PickedSplit } from "../components/captured_tab.js";
import { CopyChip, IconButton, Time, UnreadDot } from "../components/controls.js";
import { QueryChoice, QueryField } from "../components/filters.js";
import { Icon } from "../components/icons.js";
import { Provider } from "../components/provider.js";
import { Captured } from "../components/text.js";
import { useExtracted } from "./mail/extracted.js";
import { Message } from "./mail/message.js";
import { snippetOf, useMessages } from "./mail/messages.js";

/** @import { Extracted, FullEvent, PluginInfo } from "../lib/types.d.ts" */
/** @import { ItemControls } from "../components/pick_list.js" */
/** @import { MailRow } from "./mail/messages.js" */

await loadStyles("tabs/mail.css");

/** As `.mail-row.compact` and `.item-row` in the style sheets. */
const ROW_HEIGHTS = { compact: 52, comfortable: 82 };

/** Query parameters of the filters, with their labels; the list route takes the same. */
const FILTERS = /** @type {const} */ ({
  search: "Search",
  from: "From",
  to: "To",
  subject: "Subject",
  provider: "Provider",
  has_attachments: "Attachments",
});

const START = {
  title: "No mail yet",
  text:
    "Send through any of these addresses. Messages appear here at once and are never delivered.",
};

/** @param {{ plugin: PluginInfo }} props */
export function Tab({ plugin }) {
  const render = (/** @type {readonly MailRow[] | undefined} */ rows) =>
    html`
      <${Inbox} plugin=${plugin} rows=${rows} />
    `;
  return html`
    <${CapturedPage} plugin=${plugin} naming=${MESSAGES} filters=${FILTERS} more="include_body=0"
      start=${START} useList=${useMessages} render=${render} />
  `;
}

/** One message as in the inbox. @param {{ event: FullEvent }} props */
export function Item({ event }) {
  return html`
    <${Message} id=${event.id} />
  `;
}

/** @param {{ plugin: PluginInfo, rows: readonly MailRow[] | undefined }} props */
function Inbox({ plugin, rows }) {
  const extracted = useExtracted();
  const isCompact = density.value === "compact";
  return html`
    <${PickedSplit} plugin=${plugin} naming=${MESSAGES} views=${rows}
      filterBar=${html`<${Filters} plugin=${plugin} />`} rowHeight=${ROW_HEIGHTS[density.value]}
      removal=${(/** @type {MailRow} */ row) =>
        `“${row.subject.trim() || "(no subject)"}” is deleted for everyone who uses this service.`}
      renderRow=${(/** @type {MailRow} */ row, /** @type {boolean} */ unread) =>
        html`
          <${Row} row=${row} unread=${unread} isCompact=${isCompact} />
        `}
      renderBeside=${(/** @type {MailRow} */ { id }, /** @type {boolean} */ isEntry) =>
        html`
          <${Chips} extracted=${extracted.get(id)} isEntry=${isEntry} />
        `}
      renderDetail=${(/** @type {MailRow} */ { id }, /** @type {ItemControls} */ controls) =>
        html`
          <${Message} id=${id} controls=${controls} extracted=${extracted.get(id)} />
        `} />
  `;
}

/** @param {{ plugin: PluginInfo }} props */
function Filters({ plugin }) {
  const isCompact = density.value === "compact";
  return html`
    <${FilterBar} naming=${MESSAGES} filters=${FILTERS} words=${{ true: "with", false: "without" }}
      tools=${html`
        <${IconButton} icon="rows" label="Compact rows" pressed=${isCompact} onClick=${() =>
          setDensity(isCompact ? "comfortable" : "compact")} />
      `}>
      <${QueryField} name="from" label="From" placeholder="name or address" />
      <${QueryField} name="to" label="To, Cc or Bcc" placeholder="name or address" />
      <${QueryField} name="subject" label="Subject" placeholder="contains" />
      <${QueryChoice} name="provider" label="Provider" options=${providerChoices(plugin)} />
      <${QueryChoice} name="has_attachments" label="Attachments" options=${[
        { value: "true", label: "With attachments" },
        { value: "false", label: "Without" },
      ]} />
      <//>
  `;
}

/** Returns the text to highlight in a part of a row: its own filter, or the search. @param {string} filter */
function wantedIn(filter) {
  const { query } = place.value;
  return query.get(filter) ?? query.get("search") ?? "";
}

/** @param {{ row: MailRow, unread: boolean, isCompact: boolean }} props */
function Row({ row, unread, isCompact }) {
  const sender = row.from.name || row.from.email;
  const who = html`
    <span class="row-line">
      <${UnreadDot} unread=${unread} />
      <span class="mail-parties">
        ${sender === ""
          ? html`<bdi class="mail-sender none">(no sender)</bdi>`
          : html`<${Captured} class="mail-sender" found=${wantedIn("from")} text=${sender} />`}
        <${Recipient} row=${row} />
      </span>
      <${Time} iso=${row.received_at} />
    </span>
  `;
  const subject = row.subject.trim() === ""
    ? html`<bdi class="mail-subject none">(no subject)</bdi>`
    : html`<${Captured} class="mail-subject" text=${row.subject} found=${wantedIn("subject")} />`;
  const snippet = html`<${Captured} class="mail-snippet" text=${snippetOf(row)} found=${
    wantedIn("search")
  } />`;
  const facts = html`
    <${Count} icon="paperclip" count=${row.files} one="attachment" />
    <${Count} icon="image" count=${row.pictures} one="inline image" />
    <span class="mail-size">${formatSize(row.size)}</span>
    <${Provider} plugin="mail" id=${row.provider} short=${true} />
  `;
  const rowClass = `mail-row ${isCompact ? "compact" : "item-row"} ${unread ? "unread" : ""}`;
  return isCompact
    ? html`
      <span
        class=${rowClass}>${who}<span class="row-line">${subject}${snippet}${facts}</span></span>
    `
    : html`
      <span class=${rowClass}>${who}<span class="row-line">${subject}</span><span
          class="row-line">${snippet}${facts}</span></span>
    `;
}

/** @param {{ row: MailRow }} props */
function Recipient({ row: { to, recipients } }) {
  if (to === undefined) return html`<span class="mail-to none">no recipient</span>`;
  const all = recipients.map(({ email }) => email).join(", ");
  return html`
    <span class="mail-to" title=${all}>to <${Captured} text=${to.name || to.email}
      found=${wantedIn("to")} />${recipients.length > 1 && ` +${recipients.length - 1}`}</span>
  `;
}

/** @param {{ icon: string, count: number, one: string }} props */
function Count({ icon, count, one }) {
  if (count === 0) return null;
  const label = plural(count, one);
  return html`
    <span class=${`mail-mark mail-${icon}`}
      title=${label}><${Icon} name=${icon} size=${14} />${count > 1 &&
        count}<span class="hidden">${label}</span></span>
  `;
}

/**
 * A one-time code and a link, ready to copy without opening the message.
 * @param {{ extracted: Pick<Extracted, "codes" | "links"> | undefined, isEntry: boolean }} props
 */
function Chips({ extracted: { codes, links } = { codes: [], links: [] }, isEntry }) {
  const [code] = codes;
  const [link] = links;
  if (code === undefined && link === undefined) return null;
  return html`
    <span class="row-chips">
      ${code !== undefined && html`
        <${CopyChip} text=${code} title=${`Copy the code ${code}`} isSkipped=${!isEntry}
        >${code}<//>
      `}
      ${link !== undefined && html`
        <${CopyChip} icon="link" text=${link} title=${`Copy the link to ${shortAddress(link)}`}
          isSkipped=${!isEntry}>
          <span class="chip-word">link</span>${links.length > 1 &&
            html`<span class="chip-more">+${links.length - 1}</span>`}
        <//>
      `}
    </span>
  `;
}
