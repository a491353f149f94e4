/** One chat message: author, time and content. */
import { html, useState } from "../../lib/dom.js";
import { bucketOf, initials } from "../../lib/format.js";
import { Chip, CopyButton, IconButton, Time } from "../../components/controls.js";
import { Icon } from "../../components/icons.js";
import { JsonView } from "../../components/json_view.js";
import { Provider } from "../../components/provider.js";
import { Captured } from "../../components/text.js";
import { Attachments, Blocks } from "./blocks.js";
import { AdaptiveCard, MessageCard } from "./cards.js";
import { RichText } from "./rich_text.js";

/** @import { ChatView, Content } from "./types.d.ts" */

/** Number of avatar tints, as in items.css. */
const TINTS = 6;

/**
 * @param {{ view: ChatView, selected?: boolean, channel?: string, onDelete?: (view: ChatView) => void }} props
 *   `channel` is shown among messages of several channels; without `onDelete` the message has its own page, with its own
 *   actions
 */
export function Message({ view, selected = false, channel, onDelete }) {
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
            ${channel !== undefined && html`<${Captured} class="post-channel" text=${channel} />`}
            <${Time} iso=${view.received_at} />
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
          ${open ? html`<${Inspector} view=${view} />` : html`<${Body} view=${view} />`}
        </div>
    </article>
  `;
}

/** The structured contents, or the whole message if it has none. @param {{ view: ChatView }} props */
function Inspector({ view }) {
  const contents = view.message.contents ?? [];
  if (contents.length === 0) return html`<${JsonView} value=${view} label="Message" />`;
  return html`${
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

/** @param {{ view: ChatView }} props */
function Body({ view }) {
  const { text, contents = [] } = view.message;
  // Blocks and cards replace the text, which is then for notifications; attachments follow it.
  const replaced = contents.some(({ format }) => format !== "chat1.attachments") ||
    isDerived(text, contents);
  return html`
    ${!replaced &&
      html`<${RichText} text=${text} markup=${markupOf(view)} class="post-text" />`}
    ${contents.map((content, i) => html`<${Drawn} key=${i} content=${content} />`)}
  `;
}

/** @param {{ content: Content }} props */
function Drawn({ content: { format, json } }) {
  switch (format) {
    case "chat1.blocks":
      return html`<${Blocks} blocks=${json} />`;
    case "chat1.attachments":
      return html`<${Attachments} attachments=${json} />`;
    case "chat2.adaptivecard":
      return html`<${AdaptiveCard} card=${json} />`;
    case "chat2.messagecard":
      return html`<${MessageCard} card=${json} />`;
    default:
      return html`<p class="quiet">${format}: see the JSON.</p>`;
  }
}

/** @param {ChatView} view */
function markupOf({ provider, meta }) {
  if (provider === "chat2" || meta?.markdown_text !== undefined) return "markdown";
  return meta?.mrkdwn === false ? "plain" : "mrkdwn";
}

/**
 * Returns whether the text was made from the attachments and so adds nothing.
 * @param {string} text
 * @param {readonly Content[]} contents
 */
function isDerived(text, contents) {
  const first = Array.isArray(contents[0]?.json) ? contents[0].json[0] : undefined;
  const line = text.split("\n")[0];
  return [first?.fallback, first?.title, first?.text].includes(line);
}
