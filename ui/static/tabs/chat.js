/** Channels, and the messages of the selected one. */
import { computed, html, useEffect, useRef, useState } from "../lib/dom.js";
import { getJson, messageOf, toQuery } from "../lib/api.js";
import { useFetched } from "../lib/fetched.js";
import { formatCount, plural } from "../lib/format.js";
import { useKeepEnd } from "../lib/keep_end.js";
import { useKeys } from "../lib/keys.js";
import { providerChoices } from "../lib/providers.js";
import { place, setQuery } from "../lib/router.js";
import { events, tallies } from "../lib/store.js";
import { markupOfProvider } from "../lib/summary.js";
import { loadStyles } from "../lib/styles.js";
import { isRead, markRead, readIds } from "../lib/unread.js";
import { CapturedFrame, FilterBar, MESSAGES } from "../components/captured_tab.js";
import { Badge, IconButton, Time } from "../components/controls.js";
import { confirm } from "../components/dialog.js";
import { Empty } from "../components/empty.js";
import { FetchedItem } from "../components/fetched_item.js";
import { QueryChoice, QueryField } from "../components/filters.js";
import { Icon } from "../components/icons.js";
import { List } from "../components/list.js";
import { Problem } from "../components/page.js";
import { removeAndTell } from "../components/removal.js";
import { Split } from "../components/split.js";
import { Captured } from "../components/text.js";
import { toast } from "../components/toast.js";
import { Change } from "./chat/changes.js";
import { Message } from "./chat/message.js";
import { TextPreview } from "./chat/rich_text.js";
import { lostChanges, toThreads } from "./chat/threads.js";

/** @import { FullEvent, PluginInfo } from "../lib/types.d.ts" */
/** @import { ChannelView, ChatView, Thread } from "./chat/types.d.ts" */

await Promise.all([loadStyles("tabs/chat.css"), loadStyles("tabs/chat/blocks.css")]);

/** As `.channel-row` in chat.css. */
const ROW_HEIGHT = 58;
/** Messages fetched at first, newest first, and added by each "more". */
const STEP = 200;
/** The row for all channels. */
const ALL = "all";

/** Query parameters of the filters, with their labels; the list route takes the same. */
const FILTERS = /** @type {const} */ ({
  search: "Search",
  author: "Author",
  format: "Contents",
  replies: "Replies",
  changes: "Changes",
  bot: "Bots",
  provider: "Provider",
});
const START = {
  title: "No messages yet",
  text: "Post to any of these addresses. Messages appear here at once and are never delivered.",
};

/** @param {{ plugin: PluginInfo }} props */
export function Tab({ plugin }) {
  const { query } = place.value;
  const { value: channels, problem } =
    /** @type {{ value?: readonly ChannelView[], problem?: string }} */ (useFetched(
      "/chat/channels",
      "chat",
    ));
  useLinked(query);
  return html`
    <${CapturedFrame} plugin=${plugin} naming=${MESSAGES} start=${START} problem=${problem}
      count=${plural(tallies.value.get(plugin.name)?.count ?? 0, "message")}
      isEmpty=${channels !== undefined && channels.length === 0} idsOf=${idsOfAll}>
        ${channels !== undefined && html`<${Channels} plugin=${plugin} channels=${channels} />`}
      <//>
  `;
}

/** One message as in its channel. @param {{ event: FullEvent }} props */
export function Item({ event }) {
  return html`
    <${FetchedItem} event=${event} render=${(/** @type {ChatView} */ view) =>
      html`
        <${Message} view=${view}
          channel=${view.message.channel.name || view.message.channel.id} />
      `} />
  `;
}

/**
 * A link to a message opens its channel.
 * @param {URLSearchParams} query
 */
function useLinked(query) {
  const id = query.get("id");
  const hasChannel = query.has("channel");
  useEffect(() => {
    if (id === null || hasChannel) return;
    getJson(`/chat/messages/${encodeURIComponent(id)}`).then(
      (/** @type {ChatView} */ view) => setQuery({ channel: view.channel_key }, { replace: true }),
      (error) => toast(messageOf(error), { problem: true }),
    );
  }, [id, hasChannel]);
}

/** @param {{ plugin: PluginInfo, channels: readonly ChannelView[] }} props */
function Channels({ plugin, channels }) {
  const { query } = place.value;
  const given = query.get("channel");
  const picked = channels.find(({ key, id }) => key === given || id === given);
  const rows = [{ id: ALL }, ...channels.map((channel) => ({ id: channel.key, channel }))];
  return html`
    <${Split} class="chat-split" showDetail=${given !== null}
      list=${html`
        <${List} items=${rows} selected=${picked?.key ?? ALL} rowHeight=${ROW_HEIGHT}
          label="Channels" group="Chat"
          onSelect=${(/** @type {string} */ key, /** @type {"step" | "open"} */ how) =>
            setQuery({ channel: key, id: null }, { replace: how === "step" || given !== null })}
          renderRow=${(/** @type {{ channel?: ChannelView }} */ { channel }) =>
            channel === undefined
              ? html`<span class="channel-row"><span class="channel-text"><span class="row-line">
          <span class="row-title">All channels</span></span></span></span>`
              : html`<${Row} channel=${channel} />`} />
      `}
      detail=${html`
        <${Stream} key=${picked?.key ?? ALL} plugin=${plugin} channels=${channels}
          channel=${picked} />
      `} />
  `;
}

/** @param {{ channel: ChannelView }} props */
function Row({ channel }) {
  const unread = unreadOf(channel).length;
  const author = channel.last_author ?? "";
  return html`
    <span class=${`channel-row ${unread > 0 ? "unread" : ""}`}>
      <span class="channel-text">
        <span class="row-line">
          <${Captured} class="row-title" text=${channel.display} />
          <${Time} iso=${channel.last_message_at} />
        </span>
        <span class="row-line">
          ${author !== "" && html`<${Captured} class="row-author" text=${`${author}:`} />`}
          <${TextPreview} text=${channel.last_preview ?? ""}
            markup=${markupOfProvider(channel.provider)} />
          <${Badge} count=${unread} label="unread" />
        </span>
      </span>
    </span>
  `;
}

/** Unread messages by channel. The index of all events only has the name of a channel. */
const unreadByDisplay = computed(() => {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  const read = readIds.value;
  for (const { plugin, id, summary_parts: { title = "" } } of events.value) {
    if (plugin !== "chat" || isRead(read, id)) continue;
    const ids = found.get(title);
    if (ids === undefined) found.set(title, [id]);
    else ids.push(id);
  }
  return found;
});

/** @param {ChannelView} channel */
function unreadOf({ display }) {
  return unreadByDisplay.value.get(display) ?? [];
}

/** @param {{ plugin: PluginInfo, channels: readonly ChannelView[], channel: ChannelView | undefined }} props */
function Stream({ plugin, channels, channel }) {
  const { query } = place.value;
  const [limit, setLimit] = useState(STEP);
  const conditions = Object.fromEntries(
    Object.keys(FILTERS).map((name) => [name, query.get(name)]),
  );
  const isFiltered = Object.values(conditions).some((value) => value !== null);
  const path = `/chat/messages${toQuery({ ...conditions, channel: channel?.key, limit })}`;
  const { value: views, problem } =
    /** @type {{ value?: readonly ChatView[], problem?: string }} */ (useFetched(path, "chat"));
  const close = () => setQuery({ channel: null, id: null });
  const unread = channel === undefined ? [] : unreadOf(channel);
  useEffect(() => {
    if (unread.length > 0) markRead(unread);
  }, [unread.join()]);
  useKeys([{ keys: "Escape", about: "Back to all channels", group: "Chat", run: close }]);
  return html`<div class="stream">
    <header class="stream-head">
      <${IconButton} icon="back" label="Back to the channels" class="back" onClick=${close} />
      <div class="stream-title">
        <h2>${
    channel === undefined ? "All channels" : html`<${Captured} text=${channel.display} />`
  }</h2>
        <p class="quiet">${
    channel === undefined ? plural(channels.length, "channel") : factsOf(channel)
  }</p>
        ${
    channel !== undefined && channel.id.startsWith("/") &&
    html`
      <p class="quiet stream-address">
        <${Captured} text=${channel.id} />
      </p>
    `
  }
      </div>
    </header>
    <${Filters} plugin=${plugin} />
    <${Problem} text=${problem} />
    ${
    views !== undefined && (views.length === 0
      ? html`
        <${Empty} icon="search" title=${isFiltered ? "No message matches" : "No messages"}>
          <p>${isFiltered
            ? "Remove a filter, or search for something else."
            : "They were cleared, or replaced by newer ones."}</p>
          <//>
      `
      : html`
        <${Threads} views=${views} channels=${channels} isWhole=${views.length < limit}
          showChannel=${channel === undefined} onMore=${() => setLimit(limit + STEP)} />
      `)
  }
  </div>`;
}

/** @param {ChannelView} channel */
function factsOf({ messages, threads, replies, orphans }) {
  return [
    plural(messages, "message"),
    plural(threads, "thread"),
    ...(replies > 0 ? [plural(replies, "reply", "replies")] : []),
    ...(orphans > 0 ? [`${formatCount(orphans)} without their first message`] : []),
  ].join(" · ");
}

/** @param {{ plugin: PluginInfo }} props */
function Filters({ plugin }) {
  return html`
    <${FilterBar} naming=${MESSAGES} filters=${FILTERS}>
      <${QueryField} name="author" label="Author" placeholder="name or id" />
      <${QueryChoice} name="format" label="Contents" options=${[
        { value: "chat1.blocks", label: "Blocks" },
        { value: "chat1.attachments", label: "Attachments" },
        { value: "chat1.view", label: "View" },
        { value: "chat2.adaptivecard", label: "Adaptive Card" },
        { value: "chat2.messagecard", label: "MessageCard" },
        { value: "chat3.embeds", label: "Embeds" },
        { value: "chat3.components", label: "Components" },
        { value: "chat4.reply_markup", label: "Keyboard" },
      ]} />
      <${QueryChoice} name="replies" label="Replies" options=${[
        { value: "true", label: "Only replies" },
        { value: "false", label: "No replies" },
      ]} />
      <${QueryChoice} name="changes" label="Changes" options=${[
        { value: "true", label: "Only edits, deletions and reactions" },
        { value: "false", label: "No changes" },
      ]} />
      <${QueryChoice} name="provider" label="Provider" options=${providerChoices(plugin)} />
      <//>
  `;
}

/**
 * @param {{ views: readonly ChatView[], channels: readonly ChannelView[], isWhole: boolean, showChannel: boolean,
 *   onMore: () => void }} props
 */
function Threads({ views, channels, isWhole, showChannel, onMore }) {
  const selected = place.value.query.get("id");
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const newest = views[0]?.id;
  useKeepEnd(box, { newest, selected });
  /** @param {ChatView} view */
  const channelOf = (view) =>
    showChannel
      ? channels.find(({ key }) => key === view.channel_key)?.display ?? view.message.channel.id
      : undefined;
  /**
   * @param {ChatView} view
   * @param {Thread} thread
   */
  const draw = (view, thread) =>
    html`
      <${Message} key=${view.id} view=${view} selected=${view.id === selected}
        changes=${thread.changes.get(view.message.ts ?? "") ?? []} selectedId=${selected}
        channel=${channelOf(view)} onDelete=${askToDelete} />
    `;
  return html`<div class="stream-scroll" ref=${box} tabindex="0" aria-label="Messages">
    ${
    !isWhole &&
    html`
      <p
        class="stream-more"><button type="button" class="button" onClick=${onMore}>Show older messages</button></p>
    `
  }
    <ol class="threads">
      ${
    toThreads(views).map((thread) =>
      html`<li class="thread" key=${thread.key}>
        ${
        thread.root === undefined
          ? html`<${Missing} thread=${thread} />`
          : draw(thread.root, thread)
      }
        ${
        thread.replies.length > 0 &&
        html`<ol class="replies" aria-label="Replies">${
          thread.replies.map((view) => html`<li key=${view.id}>${draw(view, thread)}</li>`)
        }</ol>`
      }
        ${
        lostChanges(thread).map((view) =>
          html`<${Change} key=${view.id} view=${view} selected=${view.id === selected} />`
        )
      }
      </li>`
    )
  }
    </ol>
  </div>`;
}

/** Placeholder for the parent of replies. @param {{ thread: Thread }} props */
function Missing({ thread }) {
  const [first] = thread.replies;
  if (first === undefined) return null;
  if (first.root_id === "") {
    return html`
      <p
        class="orphan"><${Icon} name="warning" size=${14} />The message that this answers is no longer held: it was posted before the service started, or was dropped to make room.</p>
    `;
  }
  return html`<p class="orphan"><a class="link-button" href=${`/ui/chat/?channel=${first.channel_key}&id=${first.root_id}`}>
    Show the message that this answers</a></p>`;
}

function idsOfAll() {
  return events.peek().filter(({ plugin }) => plugin === "chat").map(({ id }) => id);
}

/** @param {ChatView} view */
function askToDelete(view) {
  confirm({
    title: "Delete this message?",
    text:
      "It is deleted for everyone who uses this service; its replies stay. This cannot be undone.",
    action: "Delete message",
    run: () => removeAndTell(`/chat/messages/${view.id}`, { done: "Message deleted" }),
  });
}
