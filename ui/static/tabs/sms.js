/** Conversations by pair of numbers, and the selected one. */
import { html, useEffect, useRef } from "../lib/dom.js";
import { bucketOf, plural } from "../lib/format.js";
import { useKeepEnd } from "../lib/keep_end.js";
import { useKeys } from "../lib/keys.js";
import { providerChoices } from "../lib/providers.js";
import { place, setQuery } from "../lib/router.js";
import { loadStyles } from "../lib/styles.js";
import { isRead, markRead, readIds } from "../lib/unread.js";
import {
  CapturedPage,
  choicesOf,
  FilterBar,
  MESSAGES,
  NothingPicked,
} from "../components/captured_tab.js";
import { Badge, IconButton, Time } from "../components/controls.js";
import { confirm } from "../components/dialog.js";
import { Empty } from "../components/empty.js";
import { FetchedItem } from "../components/fetched_item.js";
import { QueryChoice, QueryField } from "../components/filters.js";
import { Icon } from "../components/icons.js";
import { List } from "../components/list.js";
import { removeAndTell } from "../components/removal.js";
import { Split } from "../components/split.js";
import { Captured } from "../components/text.js";
import { partiesOf, toConversations } from "./sms/conversations.js";
import { Message } from "./sms/message.js";

/** @import { FullEvent, PluginInfo } from "../lib/types.d.ts" */
/** @import { Conversation, SmsView } from "./sms/types.d.ts" */

await loadStyles("tabs/sms.css");

/** As `.sms-row` in sms.css. */
const ROW_HEIGHT = 68;
/** Number of avatar tints, as in items.css. */
const TINTS = 6;
/** Maximum number of messages shown of one conversation, the newest. */
const SHOWN = 200;
/** Messages fetched for conversations, the newest: more than the service holds by default. */
const LOOKED_AT = 2000;

/** Query parameters of the filters, with their labels; the list route takes the same. */
const FILTERS = /** @type {const} */ ({
  search: "Search",
  to: "To",
  from: "From",
  status: "Status",
  direction: "Direction",
  encoding: "Encoding",
  mms: "Media",
  provider: "Provider",
});

const START = {
  title: "No messages yet",
  text: "Send through this address. Messages appear here at once and are never delivered.",
};

/** @param {{ plugin: PluginInfo }} props */
export function Tab({ plugin }) {
  const render = (/** @type {readonly SmsView[] | undefined} */ views) =>
    html`
      <${Conversations} plugin=${plugin} views=${views} />
    `;
  return html`
    <${CapturedPage} plugin=${plugin} naming=${MESSAGES} filters=${FILTERS} most=${LOOKED_AT}
      start=${START} render=${render} />
  `;
}

/** One message as in its conversation. @param {{ event: FullEvent }} props */
export function Item({ event }) {
  return html`
    <${FetchedItem} event=${event} render=${(/** @type {SmsView} */ view) => {
      const { them, us } = partiesOf(view);
      return html`
        <h2>
          <${Captured} text=${them || "(no number)"} />
        </h2>
        <p class="quiet">with <${Captured} text=${us || "(no sender)"} /></p>
        <ol class="sms-list sms-alone">
          <${Message} view=${view} selected=${true} />
        </ol>
      `;
    }} />
  `;
}

/** @param {{ plugin: PluginInfo, views: readonly SmsView[] | undefined }} props */
function Conversations({ plugin, views }) {
  const { query } = place.value;
  const conversations = toConversations(views ?? []);
  const id = query.get("id");
  // A link to a message opens its conversation.
  const picked = conversations.find(({ messages }) => messages.some((view) => view.id === id)) ??
    conversations.find((conversation) => conversation.id === query.get("with"));
  return html`
    <${Split} class="sms-split" showDetail=${picked !== undefined}
      list=${html`<${Filters} plugin=${plugin} />${
        views !== undefined && html`<${Rows} conversations=${conversations} picked=${picked} />`
      }`}
      detail=${picked === undefined
        ? html`<${NothingPicked} icon="sms" one="conversation" />`
        : html`<${Thread} key=${picked.id} conversation=${picked} selected=${id} />`} />
  `;
}

/** @param {{ plugin: PluginInfo }} props */
function Filters({ plugin }) {
  return html`
    <${FilterBar} naming=${MESSAGES} filters=${FILTERS}>
      <${QueryField} name="from" label="From" placeholder="number or sender" />
      <${QueryField} name="to" label="To" placeholder="number" />
      <${QueryChoice} name="encoding" label="Encoding" options=${choicesOf(["GSM-7", "UCS-2"])} />
      <${QueryChoice} name="mms" label="Media" options=${[
        { value: "true", label: "With media" },
        { value: "false", label: "Without" },
      ]} />
      <${QueryChoice} name="direction" label="Direction" options=${choicesOf([
        "outbound",
        "inbound",
      ])} />
      <${QueryChoice} name="provider" label="Provider" options=${providerChoices(plugin)} />
      <//>
  `;
}

/** @param {{ conversations: readonly Conversation[], picked: Conversation | undefined }} props */
function Rows({ conversations, picked }) {
  if (conversations.length === 0) {
    return html`
      <${Empty} icon="search" title="No message matches">
        <p>Remove a filter, or search for something else.</p>
        <//>
    `;
  }
  return html`
    <${List} items=${conversations} selected=${picked?.id ?? null} rowHeight=${ROW_HEIGHT}
      label="Conversations" group="SMS"
      onSelect=${(/** @type {string} */ id, /** @type {"step" | "open"} */ how) =>
        setQuery({ with: id, id: null }, { replace: how === "step" || picked !== undefined })}
      renderRow=${(/** @type {Conversation} */ item) => html`<${Row} conversation=${item} />`} />
  `;
}

/** @param {{ conversation: Conversation }} props */
function Row({ conversation: { them, us, messages, newest } }) {
  const unread = messages.filter(({ id }) => !isRead(readIds.value, id)).length;
  return html`
    <span class=${`sms-row ${unread > 0 ? "unread" : ""}`}>
      <span class=${`avatar tint-${
        bucketOf(them, TINTS)
      }`} aria-hidden="true"><${Icon} name="mobile" size=${18} /></span>
      <span class="sms-row-text">
        <span class="row-line">
          <${Captured} class="row-title" text=${them || "(no number)"} />
          <${Time} iso=${newest.received_at} />
        </span>
        <span class="row-line">
          <${Captured} class="row-snippet" text=${snippetOf(newest)} />
          <${Badge} count=${unread} label="unread" />
        </span>
        <span class="row-line sms-us">with <${Captured} text=${us || "(no sender)"} /></span>
      </span>
    </span>
  `;
}

/** @param {SmsView} view */
function snippetOf({ message, media = [] }) {
  return message.body.replace(/\s+/g, " ").slice(0, 200) || plural(media.length, "attachment");
}

/** @param {{ conversation: Conversation, selected: string | null }} props */
function Thread({ conversation, selected }) {
  const { them, us, messages } = conversation;
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const shown = messages.slice(-SHOWN);
  const newest = conversation.newest.id;
  const segments = messages.reduce((sum, { message }) => sum + message.segments.count, 0);
  const close = () => setQuery({ with: null, id: null });
  useEffect(() => markRead(idsOf(messages)), [newest, messages.length]);
  // The conversation stays open when the linked message is deselected.
  useEffect(() => setQuery({ with: conversation.id }, { replace: true }), [conversation.id]);
  useKeepEnd(box, { newest, selected });
  useKeys([{ keys: "Escape", about: "Close the conversation", group: "SMS", run: close }]);
  return html`
    <div class="sms-thread">
      <header class="sms-head">
        <${IconButton} icon="back" label="Back to the list" class="back" onClick=${close} />
        <div>
          <h2>
            <${Captured} text=${them || "(no number)"} />
          </h2>
          <p class="quiet">with <${Captured} text=${us || "(no sender)"} /> · ${plural(
            messages.length,
            "message",
          )} · ${plural(segments, "segment")}</p>
        </div>
      </header>
      <div class="sms-scroll" ref=${box} tabindex="0" aria-label="Messages">
          ${shown.length < messages.length &&
            html`<p class="quiet sms-cut">${
              plural(messages.length - shown.length, "older message")
            } not shown: search for them, or read them in the API.</p>`}
          <ol class="sms-list">
            ${shown.map((view) =>
              html`
                <${Message} key=${view.id} view=${view} selected=${view.id === selected}
                  onDelete=${() => askToDelete(view)} />
              `
            )}
          </ol>
        </div>
    </div>
  `;
}

/** @param {readonly SmsView[]} views */
function idsOf(views) {
  return views.map(({ id }) => id);
}

/** @param {SmsView} view */
function askToDelete(view) {
  confirm({
    title: "Delete this message?",
    text: `The message to ${
      partiesOf(view).them
    } is deleted for everyone who uses this service. This cannot be undone.`,
    action: "Delete message",
    run: () => removeAndTell(`/sms/messages/${view.id}`, { done: "Message deleted" }),
  });
}
