/** The inbox: a list of messages, and the one that is selected. */
import { html, useState } from "../lib/dom.js";
import { messageOf, remove } from "../lib/api.js";
import { formatCount, plural } from "../lib/format.js";
import { useKeys } from "../lib/keys.js";
import { place, setQuery } from "../lib/router.js";
import { loadStyles } from "../lib/styles.js";
import { tallies } from "../lib/store.js";
import { isRead, markRead, markUnread, readIds } from "../lib/unread.js";
import { Chip, IconButton, Time, ToolButton } from "../components/controls.js";
import { confirm } from "../components/dialog.js";
import { Empty, HowTo } from "../components/empty.js";
import { ActiveFilters, QueryChoice, QueryField } from "../components/filters.js";
import { Icon } from "../components/icons.js";
import { List } from "../components/list.js";
import { Page, Problem } from "../components/page.js";
import { Split } from "../components/split.js";
import { Captured } from "../components/text.js";
import { toast } from "../components/toast.js";
import { Message } from "./mail/message.js";
import { FILTERS, snippetOf, useMessages } from "./mail/messages.js";

/** @import { PluginInfo } from "../lib/types.d.ts" */
/** @import { MailRow } from "./mail/messages.js" */

await loadStyles("tabs/mail.css");

/** As `.item-row` in lists.css. */
const ROW_HEIGHT = 82;

/** @param {{ plugin: PluginInfo }} props */
export function Tab({ plugin }) {
  const { query } = place.value;
  const { rows, problem } = useMessages(query);
  const [howTo, setHowTo] = useState(false);
  const selected = query.get("id");
  const tally = tallies.value.get(plugin.name);
  const total = tally?.count ?? 0;
  const filtered = FILTERS.some((name) => query.has(name));
  const count = filtered && rows !== undefined
    ? `${formatCount(rows.length)} of ${plural(total, "message")}`
    : plural(total, "message");
  const isEmpty = rows !== undefined && rows.length === 0 && !filtered;
  const tools = html`
    <${ToolButton} icon="terminal" text="How to send" label="How to send" pressed=${howTo}
      onClick=${() => setHowTo(!howTo)} />
    <${ToolButton} icon="check" text="Mark all read" label="Mark all as read" disabled=${!tally
      ?.unread}
      onClick=${() => markRead(rows?.map(({ id }) => id) ?? [])} />
    <${ToolButton} icon="trash" text="Clear" label="Clear all messages" danger=${true}
      disabled=${total === 0} onClick=${() => askToClear(total)} />
  `;
  return html`<${Page} title=${plugin.title} count=${count} unread=${
    tally?.unread ?? 0
  } tools=${tools} class="mail">
    <${Problem} text=${problem} />
    ${
    isEmpty || howTo
      ? html`<div class="page-scroll">
          ${
        isEmpty && html`
          <${Empty} icon="mail" title="No mail yet">
            <p>Send through any of these addresses. Messages arrive here at once and are never delivered.</p>
            <//>
        `
      }
          <div class="howto-page"><h2>How to send</h2><${HowTo} plugin=${plugin} /></div>
        </div>`
      : html`
        <${Split} class="item-split" showDetail=${selected !== null}
          list=${html`
            <${Filters} plugin=${plugin} />
            <${Rows} rows=${rows} selected=${selected} />
          `}
          detail=${html`<${Selected} id=${selected} rows=${rows} />`} />
      `
  }
  <//>`;
}

/** @param {{ plugin: PluginInfo }} props */
function Filters({ plugin }) {
  const { query } = place.value;
  const [open, setOpen] = useState(false);
  const active = FILTERS.filter((name) => name !== "search" && query.has(name)).length;
  return html`<div class="filters">
    <div class="filters-line">
      <${QueryField} name="search" label="Search messages" placeholder="Search messages" search=${true} />
      <${IconButton} icon="filter" label=${
    active > 0 ? `Filters (${active} active)` : "Filters"
  } pressed=${open} onClick=${() => setOpen(!open)} />
    </div>
    ${
    open && html`
      <div class="filters-fields">
        <${QueryField} name="from" label="From" placeholder="name or address" />
        <${QueryField} name="to" label="To, Cc or Bcc" placeholder="name or address" />
        <${QueryField} name="subject" label="Subject" placeholder="contains" />
        <${QueryChoice} name="provider" label="Provider" options=${plugin.providers.map((
          { name },
        ) => ({ value: name, label: name }))} />
        <${QueryChoice} name="has_attachments" label="Attachments" options=${[
          { value: "true", label: "With attachments" },
          { value: "false", label: "Without" },
        ]} />
      </div>
    `
  }
    <${ActiveFilters} names=${{
    from: "From",
    to: "To",
    subject: "Subject",
    provider: "Provider",
    has_attachments: "Attachments",
  }} words=${{ true: "with", false: "without" }} />
  </div>`;
}

/** @param {{ rows: readonly MailRow[] | undefined, selected: string | null }} props */
function Rows({ rows, selected }) {
  if (rows === undefined) return null;
  if (rows.length === 0) {
    return html`
      <${Empty} icon="search" title="No message fits">
        <p>Take a filter off, or search for something else.</p>
        <//>
    `;
  }
  return html`
    <${List} items=${rows} selected=${selected} rowHeight=${ROW_HEIGHT} label="Messages"
      group="Mail"
      onSelect=${select} renderRow=${(/** @type {MailRow} */ row) => html`<${Row} row=${row} />`} />
  `;
}

/** @param {string} id @param {"step" | "open"} how */
function select(id, how) {
  setQuery({ id }, { replace: how === "step" || place.peek().query.has("id") });
}

/** @param {{ row: MailRow }} props */
function Row({ row }) {
  const isNew = !isRead(readIds.value, row.id);
  return html`<span class=${`item-row mail-row ${isNew ? "unread" : ""}`}>
    <span class="row-line">
      <span class="unread-dot">${isNew && html`<span class="hidden">Unread.</span>`}</span>
      <${Captured} class="mail-sender" text=${row.from.name || row.from.email || "(no sender)"} />
      <${Time} iso=${row.received_at} />
    </span>
    <span class="row-line">
      ${
    row.subject === ""
      ? html`<span class="mail-subject none">(no subject)</span>`
      : html`<${Captured} class="mail-subject" text=${row.subject} />`
  }
      ${
    row.attachments > 0 &&
    html`<span class="mail-clip" title=${
      plural(row.attachments, "attachment")
    }><${Icon} name="paperclip" size=${14} /></span>`
  }
    </span>
    <span class="row-line">
      <${Captured} class="mail-snippet" text=${snippetOf(row)} />
      <${Chip}>${row.provider}<//>
    </span>
  </span>`;
}

/** @param {{ id: string | null, rows: readonly MailRow[] | undefined }} props */
function Selected({ id, rows }) {
  const at = rows?.findIndex((row) => row.id === id) ?? -1;
  const close = () => setQuery({ id: null, view: null });
  // After a deletion the message below takes its place, as in any mail program.
  const next = at < 0 ? undefined : rows?.[at + 1] ?? rows?.[at - 1];
  const moveOn = () => setQuery({ id: next?.id ?? null }, { replace: true });
  const subject = rows?.[at]?.subject || "(no subject)";
  useKeys(
    id === null ? [] : [
      { keys: "Escape", about: "Close the message", group: "Mail", run: close },
      { keys: "u", about: "Mark as unread", group: "Mail", run: () => markUnread(id) },
      {
        keys: "#",
        about: "Delete, after asking",
        group: "Mail",
        run: () => askToDelete(id, { subject, moveOn }),
      },
    ],
  );
  if (id === null) {
    return html`
      <${Empty} icon="mail" title="No message selected">
        <p
          class="keys-hint"><kbd>j</kbd> <kbd>k</kbd> move · <kbd>/</kbd> searches · <kbd>?</kbd> shows every key</p>
        <//>
    `;
  }
  return html`<${Message} id=${id} onClose=${close} onDelete=${() =>
    askToDelete(id, { subject, moveOn })} />`;
}

/**
 * @param {string} id
 * @param {{ subject: string, moveOn: () => void }} about
 */
function askToDelete(id, { subject, moveOn }) {
  confirm({
    title: "Delete this message?",
    text: `“${subject}” is removed for everybody who uses this service. This cannot be undone.`,
    action: "Delete message",
    run: async () => {
      try {
        await remove(`/mail/messages/${encodeURIComponent(id)}`);
        moveOn();
        toast("Message deleted");
      } catch (error) {
        toast(messageOf(error), { problem: true });
      }
    },
  });
}

/** @param {number} count */
function askToClear(count) {
  confirm({
    title: `Clear ${plural(count, "message")}?`,
    text:
      "Every captured mail is removed for everybody who uses this service, whatever the filters show. This cannot be undone.",
    action: `Clear ${plural(count, "message")}`,
    run: async () => {
      try {
        await remove("/mail/messages");
        setQuery({ id: null, view: null }, { replace: true });
        toast("All messages cleared");
      } catch (error) {
        toast(messageOf(error), { problem: true });
      }
    },
  });
}
