/** Edits, deletions and reactions, as changes of a message. */
import { html } from "../../lib/dom.js";
import { emojiOf } from "../../lib/emoji.js";
import { Time } from "../../components/controls.js";
import { Icon } from "../../components/icons.js";
import { Captured } from "../../components/text.js";

/** @import { ChatView } from "./types.d.ts" */

/**
 * One line and, for an edit, the new message below it.
 * @param {{ view: ChatView, selected?: boolean, children?: unknown }} props
 */
export function Change({ view, selected = false, children }) {
  return html`
    <div class=${`post-change ${selected ? "selected" : ""}`} data-id=${view.id}>
      <p class="post-change-head">
        <${What} view=${view} />
        <${Time} iso=${view.received_at} />
        <a class="icon-button" href=${`/ui/events/${view.id}`} title="Open page"
          aria-label="Open page"><${Icon} name="external" size=${14} /></a>
      </p>
      ${children}
    </div>
  `;
}

/** @param {{ view: ChatView }} props */
function What({ view }) {
  const { change } = view.message;
  const reaction = change?.reaction ?? "";
  switch (change?.kind) {
    case "edit":
      return html`<${Icon} name="edit" size=${14} /><span>Edited</span>`;
    case "deletion":
      return html`<${Icon} name="trash" size=${14} /><span>Deleted</span>`;
    case "reaction_removed":
      return html`<span>Reaction <s><${Captured} text=${signOf(reaction)} /></s>
          removed</span>`;
    default:
      return html`<span>Reaction <${Captured} text=${signOf(reaction)} /></span>`;
  }
}

/** An emoji has a name, or is a character itself. @param {string} reaction */
function signOf(reaction) {
  return /^[\x20-\x7e]+$/.test(reaction) ? emojiOf(reaction) : reaction;
}
