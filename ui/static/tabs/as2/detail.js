/** One AS2 message with all of its details. */
import { html } from "../../lib/dom.js";
import { useFetchedOnce } from "../../lib/fetched.js";
import { absoluteTime, formatSize } from "../../lib/format.js";
import { Download } from "../../components/actions.js";
import { Facts } from "../../components/facts.js";
import { Issues } from "../../components/issues.js";
import { ItemDetail, ItemParts } from "../../components/item_detail.js";
import { JsonView } from "../../components/json_view.js";
import { Problem } from "../../components/page.js";
import { Captured } from "../../components/text.js";
import { LoadedBytes } from "./bytes.js";
import { Document } from "./document.js";
import { Certificates, Layers } from "./layers.js";
import { Receipt } from "./receipt.js";
import { Assurance, Outcome, SecurityChips } from "./row.js";

/** @import { Finding } from "../../lib/types.d.ts" */
/** @import { ItemControls } from "../../components/pick_list.js" */
/** @import { As2View } from "./types.d.ts" */

/** @param {{ view: As2View, controls?: ItemControls }} props */
export function Detail({ view: summary, controls }) {
  /** @type {{ value?: As2View, problem?: string }} */
  const { value: view, problem } = useFetchedOnce(
    `/as2/messages/${encodeURIComponent(summary.id)}`,
  );
  const { message, title } = summary;
  return html`
    <${ItemDetail} id=${summary.id} url=${summary.url} name="as2" meta=${summary
      .meta} controls=${controls}
      heading=${html`
        <h2>
          <${Captured} text=${title || "(no subject)"} />
        </h2>
        <${Outcome} message=${message} />
      `}
      actions=${summary.payload_url &&
        html`<${Download} href=${summary.payload_url} what="the document" />`}>
        <p class="as2-badges">
          <${SecurityChips} message=${message} />
          <${Assurance} view=${summary} />
        </p>
        <${Issues} issues=${summary.message.issues} />
        <${Problem} text=${problem} />
        ${view !== undefined && html`
          <${About} view=${view} />
          <${Parts} view=${view} />
        `}
      <//>
  `;
}

/** @param {{ view: As2View }} props */
function About({ view }) {
  const { message } = view;
  const { payload, receipt } = message;
  const size = formatSize(payload.size);
  const rows = /** @type {const} */ ([
    ["From", message.from],
    ["To", message.to],
    ["Message id", message.message_id],
    ["Subject", message.subject],
    ["Document", [payload.filename, payload.content_type, size].filter(Boolean).join(" · ")],
    ["Received", absoluteTime(view.received_at)],
    ["AS2", [message.as2_version, message.user_agent].filter(Boolean).join(" · ")],
    ["Receipt to", receipt.notify_to],
    ["Receipt requested", receipt.options],
    ["Deliver to", receipt.async_url && `${receipt.async_url} (never contacted)`],
  ]);
  return html`<${Facts} rows=${rows} class="as2-facts" />`;
}

/** @param {{ view: As2View }} props */
function Parts({ view }) {
  const { message } = view;
  const signature = message.security.signature;
  const parts = [
    {
      id: "document",
      label: "Document",
      places: ["document"],
      draw: (/** @type {Finding | undefined} */ finding) =>
        html`<${Document} view=${view} finding=${finding} />`,
    },
    {
      id: "layers",
      label: "Layers",
      ...(message.layers?.length ? { count: message.layers.length } : {}),
      draw: () => html`<${Layers} view=${view} />`,
    },
    ...(signature === undefined ? [] : [{
      id: "certificates",
      label: "Certificates",
      draw: () => html`<${Certificates} signature=${signature} />`,
    }]),
    { id: "receipt", label: "Receipt", draw: () => html`<${Receipt} view=${view} />` },
    {
      id: "raw",
      label: "Raw",
      draw: () =>
        html`<${LoadedBytes} url=${view.raw_url} filename=${`${view.id}.as2`} label="the request" />`,
    },
    {
      id: "json",
      label: "JSON",
      draw: () => html`<${JsonView} value=${view} label="Message" open=${2} />`,
    },
  ];
  return html`<${ItemParts} id=${view.id} label="Parts of the message" parts=${parts} class="as2-part" />`;
}
