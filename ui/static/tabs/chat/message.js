/** One chat message: author, time and content. */
import { html, useState } from "../../lib/dom.js";
import { bucketOf, initials } from "../../lib/format.js";
import { markupOfProvider } from "../../lib/summary.js";
import { Chip, CopyButton, IconButton, Time } from "../../components/controls.js";
import { FaultBadge } from "../../components/fault_badge.js";
import { Icon } from "../../components/icons.js";
import { JsonView } from "../../components/json_view.js";
import { Provider } from "../../components/provider.js";
import { SourceFindings } from "../../components/source.js";
import { Captured } from "../../components/text.js";
import { Attachments, Blocks } from "./blocks.js";
import { AdaptiveCard, MessageCard } from "./cards.js";
import { Change } from "./changes.js";
import { Components, Embeds } from "./embeds.js";
import { Files } from "./files.js";
import { asObject, asText } from "./json.js";
import { RichText } from "./rich_text.js";

/** @import { ChatView, Content, Markup } from "./types.d.ts" */

/** Number of avatar tints, as in items.css. */
const TINTS = 6;

/**
 * @param {{ view: ChatView, selected?: boolean, channel?: string, changes?: readonly ChatView[],
 *   selectedId?: string | null, onDelete?: (view: ChatView) => void }} props `channel` is shown among messages of several channels; without `onDelete` the message has its own page, with its own
 *   actions
 */
export function Message({ view, selected = false, channel, changes = [], selectedId, onDelete }) {
  const [open, setOpen] = useState(false);
  const { author } = view.message;
  const name = author.name || author.id || "Incoming webhook";
  return html`
    <article class=${`post ${selected ? "selected" : ""}`} data-id=${view.id}
      aria-current=${selected ? "true" : undefined}>
      <span class=${`avatar tint-${bucketOf(name, TINTS)}`} aria-hidden="true">${initials(
        name,
      )}</span>
      <div class="post-main">
        <header class="post-head">
            <${Captured} class="post-author" text=${name} />
            ${author.bot && html`<${Chip}>app<//>`}
            <${Marks} view=${view} changes=${changes} />
            ${channel !== undefined && html`<${Captured} class="post-channel" text=${channel} />`}
            <${Time} iso=${view.received_at} />
            ${onDelete !== undefined && html`<${FaultBadge} name=${view.meta?.fault} />`}
            <span class="post-tools">
              <${Provider} plugin="chat" id=${view.provider} />
              ${onDelete !== undefined && html`
                <${IconButton} icon="code" label="JSON" pressed=${open} onClick=${() =>
                  setOpen(!open)} />
                <a class="icon-button" href=${`/ui/events/${view.id}`} title="Open page"
                  aria-label="Open page"><${Icon} name="external" /></a>
                <${CopyButton} icon="link" text=${view.url ?? location.href} title="Copy address" />
                <${IconButton} icon="trash" label="Delete" danger=${true} onClick=${() =>
                  onDelete(view)} />
              `}
            </span>
          </header>
          ${open ? html`<${Inspector} view=${view} />` : html`<${Whole} view=${view} />`}
          ${onDelete === undefined && html`<${Checked} view=${view} />`}
          ${changes.map((one) =>
            html`
              <${Change} key=${one.id} view=${one} selected=${one.id === selectedId}>
                ${one.message.change?.kind === "edit" && html`<${Body} view=${one} />`}
              <//>
            `
          )}
        </div>
    </article>
  `;
}

/** Details that the list omits: visibility, schedule, and changes. */
/** @param {{ view: ChatView, changes: readonly ChatView[] }} props */
function Marks({ view: { message, meta, type }, changes }) {
  const kinds = new Set(changes.map(({ message: { change } }) => change?.kind));
  const postAt = Number(meta?.post_at);
  return html`
    ${kinds.has("deletion") && html`<${Chip} tone="warn">deleted<//>`}
    ${kinds.has("edit") && html`<${Chip}>edited<//>`}
    ${type === "chat.view" && html`<${Chip}>view<//>`}
    ${type === "chat.call" && html`<${Chip}>${asText(meta?.method)}<//>`}
    ${type === "chat.scheduled" && Number.isFinite(postAt) && html`
      <${Chip} title=${new Date(postAt * 1000).toISOString()}>scheduled<//>
    `}
    ${message.visible_to !== undefined && html`
      <${Chip} title="Only this user sees it">only <${Captured} text=${message.visible_to} /><//>
    `}
  `;
}

/** A message, or on its own page a change. @param {{ view: ChatView }} props */
function Whole({ view }) {
  const { change, text } = view.message;
  if (change === undefined) return html`<${Body} view=${view} />`;
  return html`
    <${Change} view=${view}>
      ${text !== "" && html`<${Body} view=${view} />`}
    <//>
  `;
}

/** Names of contents in findings, where they are not the end of the format. @type {Readonly<Record<string, string>>} */
const PARTS = { "chat2.adaptivecard": "card", "chat2.messagecard": "card", "chat1.view": "view" };

/** The findings, with their places in the text and in the contents. @param {{ view: ChatView }} props */
function Checked({ view: { id, message: { text, contents = [] } } }) {
  const sources = [
    { part: "text", text },
    ...contents.map(({ format, json }) => ({
      part: PARTS[format] ?? format.replace(/^chat\d\./, ""),
      json,
    })),
  ];
  return html`<${SourceFindings} id=${id} sources=${sources} />`;
}

/** The structured contents, or the whole message if it has none. @param {{ view: ChatView }} props */
function Inspector({ view }) {
  const contents = view.message.contents ?? [];
  const checks = html`<${Checked} view=${view} />`;
  if (contents.length === 0) {
    return html`${checks}<${JsonView} value=${view} label="Message" />`;
  }
  return html`${checks}${
    contents.map(({ format, json }, i) =>
      html`
        <section key=${i}>
          <p class="quiet">${format}</p>
          <${JsonView} value=${json} label=${format} open=${4} />
        </section>
      `
    )
  }`;
}

const REPLACING = new Set([
  "chat1.blocks",
  "chat1.view",
  "chat2.adaptivecard",
  "chat2.messagecard",
]);

/** @param {{ view: ChatView }} props */
function Body({ view }) {
  const { contents = [], files = [] } = view.message;
  const text = shownText(view);
  // Blocks and cards replace the text, which is then for notifications; the others follow it.
  const replaced = contents.some(({ format }) => REPLACING.has(format)) ||
    isDerived(view, contents);
  return html`
    ${!replaced &&
      html`
        <${RichText} text=${text} markup=${markupOf(view)} entities=${entitiesOf(view)}
          class="post-text" />
      `}
    ${contents.map((content, i) => html`<${Drawn} key=${i} content=${content} />`)}
    ${files.length > 0 && html`<${Files} files=${files} />`}
  `;
}

/** @param {{ content: Content }} props */
function Drawn({ content: { format, json } }) {
  switch (format) {
    case "chat1.blocks":
      return html`<${Blocks} blocks=${json} />`;
    case "chat1.attachments":
      return html`<${Attachments} attachments=${json} />`;
    case "chat1.view":
      return html`
        <h3 class="block-header">${asText(asObject(asObject(json).title).text)}</h3>
        <${Blocks} blocks=${asObject(json).blocks} />
      `;
    case "chat3.embeds":
      return html`<${Embeds} embeds=${json} />`;
    case "chat3.components":
    case "chat4.reply_markup":
      return html`<${Components} components=${json} />`;
    case "chat2.adaptivecard":
      return html`<${AdaptiveCard} card=${json} />`;
    case "chat2.messagecard":
      return html`<${MessageCard} card=${json} />`;
    default:
      return html`<p class="quiet">${format}: see the JSON.</p>`;
  }
}

/** A text of chat4 has one of several markups; the service has parsed it. @param {ChatView} view */
function shownText({ provider, message: { text }, meta }) {
  return provider === "chat4" ? asText(meta?.plain) || text : text;
}

/** The formatted parts of a text of chat4. @param {ChatView} view */
function entitiesOf({ provider, meta }) {
  return provider === "chat4" ? meta?.entities ?? meta?.caption_entities : undefined;
}

/**
 * @param {ChatView} view
 * @returns {Markup}
 */
function markupOf({ provider, meta }) {
  const markup = markupOfProvider(provider);
  if (markup !== "mrkdwn") return markup;
  if (meta?.markdown_text !== undefined) return "markdown";
  return meta?.mrkdwn === false ? "plain" : "mrkdwn";
}

/**
 * Returns whether the text was derived from the contents or files, and so adds nothing.
 * @param {ChatView} view
 * @param {readonly Content[]} contents
 */
function isDerived({ message: { text, files = [] }, meta }, contents) {
  const first = Array.isArray(contents[0]?.json) ? contents[0].json[0] : undefined;
  const line = text.split("\n")[0];
  return meta?.derived_text === true || (files.length > 0 && /^(\[[^\]]*\] ?)+$/.test(text)) ||
    [first?.fallback, first?.title, first?.text].includes(line);
}
