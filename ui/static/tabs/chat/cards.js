/**
 * Cards of chat2: Adaptive Cards (adaptivecards.io/explorer) and MessageCards
 * (learn.microsoft.com/outlook/actionable-messages/message-card-reference).
 */
import { html } from "../../lib/dom.js";
import { Captured } from "../../components/text.js";
import { asList, asObject, asObjects, asText } from "./json.js";
import { ActionMark, PictureLink, PlainText, RichText } from "./rich_text.js";

/** @import { Json } from "./types.d.ts" */

/** Deepest nesting of containers that is shown. */
const MAX_DEPTH = 12;

/** @param {{ card: unknown }} props */
export function AdaptiveCard({ card }) {
  const { body, actions } = asObject(card);
  return html`
    <div class="card">
      <${Elements} items=${body} depth=${0} />
      <${Actions} actions=${actions} depth=${0} />
    </div>
  `;
}

/** @param {{ items: unknown, depth: number }} props */
function Elements({ items, depth }) {
  if (depth > MAX_DEPTH) return html`<p class="quiet">Nested too deeply to draw: see the JSON.</p>`;
  return html`${
    asObjects(items).map((item, i) => html`<${Element} key=${i} item=${item} depth=${depth} />`)
  }`;
}

/** @param {{ item: Json, depth: number }} props */
function Element({ item, depth }) {
  const type = asText(item.type);
  if (item.isVisible === false) return null;
  switch (type) {
    case "TextBlock":
      return html`<${RichText} text=${asText(item.text)} markup="markdown" class=${
        textClass(item)
      } />`;
    case "RichTextBlock":
      return html`<p class="rich">${
        asList(item.inlines).map((run, i) =>
          html`<span key=${i} class=${textClass(asObject(run))}><${PlainText} text=${
            typeof run === "string" ? run : asText(asObject(run).text)
          } /></span>`
        )
      }</p>`;
    case "FactSet":
      return html`<${Facts} facts=${item.facts} name="title" />`;
    case "Image":
    case "Media":
      return html`<${PictureLink} href=${
        asText(item.url) || asText(asObjects(item.sources)[0]?.url)
      } text=${asText(item.altText)} />`;
    case "ImageSet":
      return html`<${Elements} items=${item.images} depth=${depth + 1} />`;
    case "ColumnSet":
      return html`<div class="columns">${
        asObjects(item.columns).map((column, i) =>
          html`
            <div key=${i} class=${column.width === "auto" ? "column auto" : "column"}>
              <${Elements} items=${column.items} depth=${depth + 1} />
            </div>
          `
        )
      }</div>`;
    case "Table":
      return html`<${Table} table=${item} depth=${depth} />`;
    case "ActionSet":
      return html`<${Actions} actions=${item.actions} depth=${depth} />`;
    default:
      if (type.startsWith("Input.")) return html`<${Input} input=${item} />`;
      if (Array.isArray(item.items)) {
        return html`
          <div class=${`container ${asText(item.style)}`}>
            <${Elements} items=${item.items} depth=${depth + 1} />
          </div>
        `;
      }
      return html`<p class="quiet">An element of type “${type}”: see its JSON.</p>`;
  }
}

/** @param {Json} item */
function textClass({ size, weight, isSubtle, color, fontType }) {
  return [
    weight === "Bolder" || weight === "bolder" ? "bolder" : "",
    /^(large|extralarge|medium)$/i.test(asText(size)) ? `size-${asText(size).toLowerCase()}` : "",
    isSubtle === true ? "quiet" : "",
    /^(attention|good|warning|accent)$/i.test(asText(color))
      ? `tone-${asText(color).toLowerCase()}`
      : "",
    fontType === "Monospace" ? "mono" : "",
  ].join(" ");
}

/** @param {{ facts: unknown, name: "title" | "name" }} props */
function Facts({ facts, name }) {
  return html`<dl class="facts">${
    asObjects(facts).map((fact, i) =>
      html`
        <div key=${i}>
          <dt>
            <${RichText} text=${asText(fact[name])} markup="markdown" />
          </dt>
          <dd>
            <${RichText} text=${asText(fact.value)} markup="markdown" />
          </dd>
        </div>
      `
    )
  }</dl>`;
}

/** @param {{ table: Json, depth: number }} props */
function Table({ table, depth }) {
  return html`
    <table class="card-table">
      <tbody>${asObjects(table.rows).map((row, i) =>
        html`<tr key=${i}>${
          asObjects(row.cells).map((cell, j) =>
            html`
              <td key=${j}>
                <${Elements} items=${cell.items} depth=${depth + 1} />
              </td>
            `
          )
        }</tr>`
      )}</tbody>
    </table>
  `;
}

/** @param {{ input: Json }} props */
function Input({ input }) {
  const choices = asObjects(input.choices).map(({ title }) => asText(title));
  const label = asText(input.label) || asText(input.title);
  return html`<div class="block-input">
    ${label !== "" && html`<span class="input-label"><${Captured} text=${label} /></span>`}
    <span class="input-mark"><${Captured} text=${
    choices.length > 0 ? choices.join(" / ") : asText(input.value) || asText(input.placeholder) ||
      asText(input.type).slice("Input.".length)
  } /></span>
  </div>`;
}

/** Buttons; a card behind a button is shown below it. @param {{ actions: unknown, depth: number }} props */
function Actions({ actions, depth }) {
  const list = asObjects(actions);
  if (list.length === 0) return null;
  return html`<div class="block-actions">${
    list.map((action, i) =>
      html`<${ActionMark} key=${i} text=${asText(action.title)} href=${asText(action.url)} tone=${
        { positive: "primary", destructive: "danger" }[asText(action.style)] ?? ""
      } />`
    )
  }</div>
  ${
    list.filter(({ type }) => type === "Action.ShowCard").map((action, i) => {
      const card = asObject(action.card);
      return html`
        <div class="container" key=${i}>
          <${Elements} items=${card.body} depth=${depth + 1} />
        </div>
      `;
    })
  }`;
}

/** @param {{ card: unknown }} props */
export function MessageCard({ card }) {
  const { title, text, sections, themeColor, potentialAction, summary } = asObject(card);
  const color = /^#?[0-9a-f]{3,8}$/i.test(asText(themeColor))
    ? `#${asText(themeColor).replace("#", "")}`
    : undefined;
  const isBare = asText(title) === "" && asText(text) === "" && asObjects(sections).length === 0;
  return html`<div class="card message-card" style=${
    color === undefined ? {} : { borderTopColor: color }
  }>
    ${
    asText(title) !== "" && html`
      <h3 class="block-header">
        <${RichText} text=${asText(title)} markup="markdown" />
      </h3>
    `
  }
    ${asText(text) !== "" && html`<${RichText} text=${asText(text)} markup="markdown" />`}
    ${isBare && html`<${RichText} text=${asText(summary)} markup="markdown" />`}
    ${asObjects(sections).map((section, i) => html`<${Section} key=${i} section=${section} />`)}
    <${CardActions} actions=${potentialAction} />
  </div>`;
}

/** @param {{ section: Json }} props */
function Section({ section }) {
  const images = [
    ...(section.heroImage === undefined ? [] : [asObject(section.heroImage)]),
    ...asObjects(section.images),
  ];
  return html`<section class="card-section">
    ${
    ["title", "activityTitle"].map((name) =>
      asText(section[name]) !== "" &&
      html`
        <p key=${name} class="card-title">
          <${RichText} text=${asText(section[name])} markup="markdown" />
        </p>
      `
    )
  }
    ${
    asText(section.activitySubtitle) !== "" &&
    html`
      <p class="quiet">
        <${Captured} text=${asText(section.activitySubtitle)} />
      </p>
    `
  }
    ${
    asText(section.activityImage) !== "" &&
    html`<${PictureLink} href=${asText(section.activityImage)} text="" />`
  }
    ${
    ["activityText", "text"].map((name) =>
      asText(section[name]) !== "" &&
      html`<${RichText} key=${name} text=${asText(section[name])} markup="markdown" />`
    )
  }
    ${asList(section.facts).length > 0 && html`<${Facts} facts=${section.facts} name="name" />`}
    ${
    images.map((image, i) =>
      html`<${PictureLink} key=${i} href=${asText(image.image)} text=${asText(image.title)} />`
    )
  }
    <${CardActions} actions=${section.potentialAction} />
  </section>`;
}

/** @param {{ actions: unknown }} props */
function CardActions({ actions }) {
  const list = asObjects(actions);
  if (list.length === 0) return null;
  return html`<div class="block-actions">${
    list.map((action, i) =>
      html`<${ActionMark} key=${i} text=${asText(action.name)} href=${
        asText(asObjects(action.targets)[0]?.uri)
      } />`
    )
  }</div>`;
}
