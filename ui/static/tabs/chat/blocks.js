/** Blocks (docs.slack.dev/reference/block-kit) and attachments of chat1. */
import { html } from "../../lib/dom.js";
import { absoluteTime } from "../../lib/format.js";
import { Captured } from "../../components/text.js";
import { emojiOf } from "../../lib/emoji.js";
import { asList, asObject, asObjects, asText } from "./json.js";
import { ActionMark, PictureLink, PlainText, RichText, TextLink } from "./rich_text.js";

/** @import { Json } from "./types.d.ts" */

/** @param {{ blocks: unknown }} props */
export function Blocks({ blocks }) {
  return html`<div class="blocks">${
    asObjects(blocks).map((block, i) => html`<${Block} key=${i} block=${block} />`)
  }</div>`;
}

/** @param {{ block: Json }} props */
function Block({ block }) {
  switch (block.type) {
    case "header":
      return html`
        <h3 class="block-header">
          <${Text} value=${block.text} />
        </h3>
      `;
    case "section":
      return html`<${Section} block=${block} />`;
    case "divider":
      return html`<hr />`;
    case "image":
      return html`
        <${PictureLink} href=${asText(block.image_url)}
          text=${asText(asObject(block.title).text) || asText(block.alt_text)} />
      `;
    case "context":
      return html`<div class="block-context">${
        asObjects(block.elements).map((item, i) => html`<${Element} key=${i} element=${item} />`)
      }</div>`;
    case "actions":
      return html`<div class="block-actions">${
        asObjects(block.elements).map((item, i) => html`<${Element} key=${i} element=${item} />`)
      }</div>`;
    case "input":
      return html`
        <div class="block-input">
          <span class="input-label"><${Text} value=${block.label} /></span>
          <${Element} element=${asObject(block.element)} />
        </div>
      `;
    case "rich_text":
      return html`<div class="rich">${
        asObjects(block.elements).map((item, i) => html`<${RichPart} key=${i} part=${item} />`)
      }</div>`;
    case "markdown":
      return html`<${RichText} text=${asText(block.text)} markup="markdown" />`;
    case "video":
      return html`
        <${PictureLink} href=${asText(block.video_url) || asText(block.title_url)}
          text=${asText(asObject(block.title).text) || asText(block.alt_text)} />
      `;
    default:
      return html`<p class="quiet">A block of type “${asText(block.type)}”: see its JSON.</p>`;
  }
}

/** @param {{ block: Json }} props */
function Section({ block }) {
  const fields = asObjects(block.fields);
  return html`<div class="block-section">
    <div>
      ${block.text !== undefined && html`<${Text} value=${block.text} />`}
      ${
    fields.length > 0 &&
    html`<div class="fields">${
      fields.map((field, i) => html`<${Text} key=${i} value=${field} />`)
    }</div>`
  }
    </div>
    ${block.accessory !== undefined && html`<${Element} element=${asObject(block.accessory)} />`}
  </div>`;
}

/** A text object. @param {{ value: unknown }} props */
function Text({ value }) {
  const { type, text } = asObject(value);
  const markup = type === "mrkdwn" ? "mrkdwn" : "plain";
  return html`<${RichText} text=${
    typeof value === "string" ? value : asText(text)
  } markup=${markup} />`;
}

/** An element of a block: a text, a picture, or a control. @param {{ element: Json }} props */
function Element({ element }) {
  switch (element.type) {
    case "mrkdwn":
    case "plain_text":
      return html`<${Text} value=${element} />`;
    case "image":
      return html`<${PictureLink} href=${asText(element.image_url)} text=${
        asText(element.alt_text)
      } />`;
    case "button":
    case "workflow_button":
      return html`<${ActionMark} text=${asText(asObject(element.text).text)} href=${
        asText(element.url)
      } tone=${asText(element.style)} />`;
    case "overflow":
      return html`<${ActionMark} text="⋯" />`;
    case "checkboxes":
    case "radio_buttons":
      return html`<span class="options">${
        asObjects(element.options).map((option, i) =>
          html`<span key=${i}>${
            element.type === "checkboxes" ? "☐" : "○"
          } <${Text} value=${option.text} /></span>`
        )
      }</span>`;
    default:
      return html`<span class="input-mark"><${Captured} text=${
        asText(asObject(element.placeholder).text) || elementLabel(asText(element.type))
      } /></span>`;
  }
}

/** What a reader sees of an element without a placeholder. @param {string} type */
function elementLabel(type) {
  if (type === "file_input") return "Choose files";
  if (type.endsWith("picker")) return "Choose a date or time";
  if (type.endsWith("select")) {
    return type.startsWith("multi_") ? "Choose options" : "Choose an option";
  }
  return type.endsWith("input") ? "Enter text" : type;
}

/** A section, list, quote or code of rich text. @param {{ part: Json }} props */
function RichPart({ part }) {
  const inner = asObjects(part.elements);
  if (part.type === "rich_text_list") {
    const items = inner.map((item, i) =>
      html`<li key=${i}>${asObjects(item.elements).map(drawInline)}</li>`
    );
    return part.style === "ordered"
      ? html`<ol class="bullets">${items}</ol>`
      : html`<ul class="bullets">${items}</ul>`;
  }
  const children = inner.map(drawInline);
  if (part.type === "rich_text_quote") return html`<blockquote>${children}</blockquote>`;
  if (part.type === "rich_text_preformatted") return html`<pre>${children}</pre>`;
  return html`<p>${children}</p>`;
}

/** @param {Json} element @param {number} i */
function drawInline(element, i) {
  const style = asObject(element.style);
  let drawn = html`<${Inline} element=${element} />`;
  if (style.code === true) drawn = html`<code>${drawn}</code>`;
  if (style.strike === true) drawn = html`<s>${drawn}</s>`;
  if (style.italic === true) drawn = html`<em>${drawn}</em>`;
  if (style.bold === true) drawn = html`<strong>${drawn}</strong>`;
  return html`<span key=${i}>${drawn}</span>`;
}

/** @param {{ element: Json }} props */
function Inline({ element }) {
  switch (element.type) {
    case "link":
      return html`<${TextLink} href=${asText(element.url)} text=${asText(element.text)} />`;
    case "emoji":
      return html`<${Captured} text=${emojiOf(asText(element.name))} />`;
    case "user":
      return html`<span class="mention"><${Captured} text=${`@${
        asText(element.user_id)
      }`} /></span>`;
    case "usergroup":
      return html`<span class="mention"><${Captured} text=${`@${
        asText(element.usergroup_id)
      }`} /></span>`;
    case "channel":
      return html`<span class="mention"><${Captured} text=${`#${
        asText(element.channel_id)
      }`} /></span>`;
    case "broadcast":
      return html`<span class="mention"><${Captured} text=${`@${asText(element.range)}`} /></span>`;
    case "date":
      return html`<${Captured} text=${asText(element.fallback) || asText(element.timestamp)} />`;
    default:
      return html`<${PlainText} text=${asText(element.text)} />`;
  }
}

/** @param {{ attachments: unknown }} props */
export function Attachments({ attachments }) {
  return html`${
    asObjects(attachments).map((item, i) => html`<${Attachment} key=${i} item=${item} />`)
  }`;
}

/** @param {{ item: Json }} props */
function Attachment({ item }) {
  const color = /^#[0-9a-f]{3,8}$/i.test(asText(item.color)) ? asText(item.color) : undefined;
  const title = asText(item.title);
  const when = Number(asText(item.ts));
  const foot = [
    asText(item.footer),
    when > 0 && when < 1e11 ? absoluteTime(new Date(when * 1000).toISOString()) : "",
  ].filter((part) => part !== "");
  const picture = asText(item.image_url) || asText(item.thumb_url);
  const fields = asObjects(item.fields);
  const blocks = asList(item.blocks);
  const isEmpty = title === "" && asText(item.text) === "" && fields.length === 0 &&
    blocks.length === 0;
  return html`
    ${asText(item.pretext) !== "" &&
      html`<${RichText} text=${asText(item.pretext)} markup="mrkdwn" />`}
    <div class="attachment-card" style=${color === undefined ? {} : { borderLeftColor: color }}>
      ${asText(item.author_name) !== "" &&
        html`
          <p class="quiet">
            <${Captured} text=${asText(item.author_name)} />
          </p>
        `}
      ${title !== "" && html`
        <p class="card-title">
          <${TextLink} href=${asText(item.title_link) || ""} text=${title} />
        </p>
      `}
      ${asText(item.text) !== "" && html`<${RichText} text=${asText(item.text)} markup="mrkdwn" />`}
      ${isEmpty && html`<${RichText} text=${asText(item.fallback)} markup="mrkdwn" />`}
      ${fields.length > 0 &&
        html`<div class="fields">${
          fields.map((field, i) =>
            html`<div key=${i}><strong><${Captured} text=${asText(field.title)} /></strong>
          <${RichText} text=${asText(field.value)} markup="mrkdwn" /></div>`
          )
        }</div>`}
      ${blocks.length > 0 && html`<${Blocks} blocks=${blocks} />`}
      ${picture !== "" && html`<${PictureLink} href=${picture} text="" />`}
      ${asObjects(item.actions).length > 0 &&
        html`<div class="block-actions">${
          asObjects(item.actions).map((action, i) =>
            html`<${ActionMark} key=${i} text=${asText(action.text)} href=${
              asText(action.url)
            } tone=${asText(action.style)} />`
          )
        }</div>`}
      ${foot.length > 0 && html`
        <p class="quiet">
          <${Captured} text=${foot.join(" · ")} />
        </p>
      `}
    </div>
  `;
}
