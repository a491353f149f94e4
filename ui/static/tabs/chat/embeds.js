/**
 * Embeds of chat3 (docs.discord.com/developers/resources/message#embed-object), and the buttons of chat3 and chat4
 * (core.telegram.org/bots/api#inlinekeyboardmarkup).
 */
import { html } from "../../lib/dom.js";
import { Captured } from "../../components/text.js";
import { asObject, asObjects, asText } from "./json.js";
import { ActionMark, PictureLink, RichText, TextLink } from "./rich_text.js";

/** @import { Json } from "./types.d.ts" */

/** Deepest nesting of components that is shown. */
const MAX_DEPTH = 8;

/** @param {{ embeds: unknown }} props */
export function Embeds({ embeds }) {
  return html`${asObjects(embeds).map((embed, i) => html`<${Embed} key=${i} embed=${embed} />`)}`;
}

/** @param {{ embed: Json }} props */
function Embed({ embed }) {
  const { title, url, description } = embed;
  const [author, footer] = [
    asText(asObject(embed.author).name),
    asText(asObject(embed.footer).text),
  ];
  return html`
    <div class="card">
      ${author !== "" && html`
        <p class="quiet">
          <${Captured} text=${author} />
        </p>
      `}
      ${asText(title) !== "" && html`
        <h3 class="block-header">${asText(url) === ""
          ? html`<${Captured} text=${asText(title)} />`
          : html`<${TextLink} href=${asText(url)} text=${asText(title)} />`}</h3>
      `}
      ${asText(description) !== "" && html`
        <${RichText} text=${asText(description)} markup="markdown" />
      `}
      ${asObjects(embed.fields).map((field, i) =>
        html`
          <div key=${i}>
            <strong><${Captured} text=${asText(field.name)} /></strong>
            <${RichText} text=${asText(field.value)} markup="markdown" />
          </div>
        `
      )}
      ${[embed.thumbnail, embed.image].map(asObject).map((image, i) =>
        asText(image.url) !== "" &&
        html`<${PictureLink} key=${i} href=${asText(image.url)} text="" />`
      )}
      ${footer !== "" && html`
        <p class="quiet">
          <${Captured} text=${footer} />
        </p>
      `}
    </div>
  `;
}

/** Buttons in rows, and texts among them. @param {{ components: unknown }} props */
export function Components({ components }) {
  const { inline_keyboard, keyboard } = asObject(components);
  const rows = inline_keyboard ?? keyboard;
  if (!Array.isArray(rows)) return html`<${Parts} parts=${components} depth=${0} />`;
  return html`${
    rows.slice(0, 100).map((row, i) =>
      html`
        <div key=${i} class="block-actions">
          <${Parts} parts=${row} depth=${0} />
        </div>
      `
    )
  }`;
}

/** @param {{ parts: unknown, depth: number }} props */
function Parts({ parts, depth }) {
  if (depth > MAX_DEPTH) return html`<p class="quiet">Nested too deeply to draw: see the JSON.</p>`;
  return html`${
    asObjects(parts).map((part, i) => {
      const inner = part.components;
      if (Array.isArray(inner)) {
        return html`
          <div key=${i} class="block-actions">
            <${Parts} parts=${inner} depth=${depth + 1} />
          </div>
        `;
      }
      if (asText(part.content) !== "") {
        return html`<${RichText} key=${i} text=${asText(part.content)} markup="markdown" />`;
      }
      const label = asText(part.label) || asText(part.text) || asText(part.placeholder);
      return label !== "" &&
        html`<${ActionMark} key=${i} text=${label} href=${asText(part.url)} />`;
    })
  }`;
}
