/** One request with all of its details. */
import { html } from "../../lib/dom.js";
import { absoluteTime, formatSize } from "../../lib/format.js";
import { Download } from "../../components/actions.js";
import { Chip, Time, UnreadDot } from "../../components/controls.js";
import { Facts } from "../../components/facts.js";
import { HeadersTable } from "../../components/headers_table.js";
import { ItemDetail, ItemParts } from "../../components/item_detail.js";
import { JsonView } from "../../components/json_view.js";
import { Captured, CapturedBlock } from "../../components/text.js";

/** @import { ItemControls } from "../../components/pick_list.js" */
/** @import { WebhookPart, WebhookView } from "./types.d.ts" */

/** @param {{ view: WebhookView, controls?: ItemControls }} props */
export function Detail({ view, controls }) {
  const { message } = view;
  return html`
    <${ItemDetail} id=${view.id} url=${view.url} name="webhook" meta=${view.meta}
      controls=${controls}
      heading=${html`
        <h2>
          <${Captured} text=${`${message.method} ${message.path}`} />
        </h2>
        <${Status} status=${message.status} />
      `}
      actions=${html`<${Download} href=${view.raw_url} what="the raw body" />`}>
      <${Facts} rows=${[
        ["Name", message.name],
        ["Media type", message.content_type],
        ["Size", formatSize(message.size)],
        ["Answered", String(message.status)],
        ["Received", absoluteTime(view.received_at)],
      ]} />
      <${Parts} view=${view} />
      <//>
  `;
}

/** @param {{ status: number }} props */
function Status({ status }) {
  const tone = status < 400 ? "good" : "bad";
  return html`<span class=${`outcome ${tone}`} title="Status of the response">${status}</span>`;
}

/** @param {{ view: WebhookView }} props */
function Parts({ view }) {
  const { message, meta, id } = view;
  const { form, headers, json, parts = [], query, text } = message;
  const lists = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value]]),
  );
  const shown = [
    ...(json === undefined ? [] : [{
      id: "json",
      label: "JSON",
      draw: () => html`<${JsonView} value=${json} label="JSON" />`,
    }]),
    ...(form === undefined ? [] : [{
      id: "form",
      label: "Form",
      draw: () => html`<${HeadersTable} headers=${form} caption="Fields of the form" />`,
    }]),
    ...(parts.length === 0 ? [] : [{
      id: "parts",
      label: "Parts",
      count: parts.length,
      draw: () =>
        html`<ol class="plain">${
          parts.map((part, index) =>
            html`<${Part} key=${index} part=${part} href=${`/api/v1/webhook/messages/${id}/parts/${index}`} />`
          )
        }</ol>`,
    }]),
    ...(text === undefined
      ? []
      : [{ id: "text", label: "Body", draw: () => html`<${CapturedBlock} text=${text} />` }]),
    ...(Object.keys(query).length === 0 ? [] : [{
      id: "query",
      label: "Query",
      draw: () => html`<${HeadersTable} headers=${query} caption="Query parameters" />`,
    }]),
    {
      id: "headers",
      label: "Headers",
      count: Object.keys(headers).length,
      draw: () => html`<${HeadersTable} headers=${lists} caption="Header fields" />`,
    },
    ...(meta === undefined ? [] : [{
      id: "meta",
      label: "Meta",
      draw: () => html`<${JsonView} value=${meta} label="Meta" open=${1} />`,
    }]),
  ];
  return html`<${ItemParts} id=${id} label="Parts of the request" parts=${shown} />`;
}

/** @param {{ part: WebhookPart, href: string }} props */
function Part({ part, href }) {
  const { name, filename, content_type: type, size, text } = part;
  return html`
    <li>
      <${Facts} rows=${[
        ["Field", name],
        ["File", filename],
        ["Media type", type],
        ["Size", formatSize(size)],
        ["Text", text],
      ]} />
      <${Download} href=${href} what="this part" />
    </li>
  `;
}

/** A row of the list. @param {{ view: WebhookView, unread: boolean }} props */
export function Row({ view, unread }) {
  const { message } = view;
  const { text, parts = [], content_type: type = "no body" } = message;
  const snippet = text?.replace(/\s+/g, " ").slice(0, 200) ??
    (parts.map(({ filename, name }) => filename ?? name ?? "part").join(", ") || type);
  return html`
    <span class=${`item-row webhook-row ${unread ? "unread" : ""}`}>
      <span class="row-line">
        <${UnreadDot} unread=${unread} />
        <${Captured} class="row-title" text=${message.path.replace(/^\/hook\//, "")} />
        <${Time} iso=${view.received_at} />
      </span>
      <span class="row-line">
        <${Captured} class="row-snippet" text=${snippet} />
        <${Status} status=${message.status} />
      </span>
      <span class="row-line">
        <${Chip}>${message.method}<//>
        <${Captured} class="row-snippet" text=${type} />
      </span>
    </span>
  `;
}
