/** One HL7 message with all of its details. */
import { html } from "../../lib/dom.js";
import { useFetchedOnce } from "../../lib/fetched.js";
import { absoluteTime, exactSize } from "../../lib/format.js";
import { Download } from "../../components/actions.js";
import { Chip, Time, UnreadDot } from "../../components/controls.js";
import { Facts } from "../../components/facts.js";
import { Icon } from "../../components/icons.js";
import { Issues } from "../../components/issues.js";
import { ItemDetail, ItemParts } from "../../components/item_detail.js";
import { JsonView } from "../../components/json_view.js";
import { Problem } from "../../components/page.js";
import { Captured } from "../../components/text.js";
import { RawMessage, SegmentLines } from "./raw.js";
import { Segments } from "./segments.js";

/** @import { Finding } from "../../lib/types.d.ts" */
/** @import { ItemControls } from "../../components/pick_list.js" */
/** @import { Ack, Hl7View } from "./types.d.ts" */

/** @param {{ view: Hl7View, controls?: ItemControls }} props */
export function Detail({ view: summary, controls }) {
  /** @type {{ value?: Hl7View, problem?: string }} */
  const { value: view, problem } = useFetchedOnce(
    `/hl7/messages/${encodeURIComponent(summary.id)}`,
  );
  const { message, title } = summary;
  return html`
    <${ItemDetail} id=${summary.id} url=${summary.url} name="hl7" meta=${summary
      .meta} controls=${controls}
      heading=${html`
        <h2>
          <${Captured} text=${title} />
        </h2>
        <${AckBadge} ack=${message.ack} />
      `}
      actions=${html`<${Download} href=${`${summary.raw_url}?download=1`} />`}>
        <${About} view=${summary} />
        <${Issues} issues=${summary.message.issues} />
        <${Problem} text=${problem} />
        ${view !== undefined && html`<${Parts} view=${view} />`}
      <//>
  `;
}

/** The acknowledgement in one word. @param {{ ack: Ack }} props */
function AckBadge({ ack: { code, sent } }) {
  if (!sent || code === undefined) {
    return html`<span class="outcome hl7-ack none" title="No acknowledgement was sent">no ack</span>`;
  }
  const tone = code.endsWith("A") ? "good" : "bad";
  return html`<span class=${`outcome hl7-ack ${tone}`} title="Acknowledged with this code">${code}</span>`;
}

/** @param {{ view: Hl7View }} props */
function About({ view }) {
  const { header, charset, encoding, size, batch, ack } = view.message;
  const party = (/** @type {"sending" | "receiving"} */ side) =>
    [header[`${side}_application`], header[`${side}_facility`]].filter(Boolean).join(" · ");
  const rows = /** @type {const} */ ([
    ["From", party("sending")],
    ["To", party("receiving")],
    ["Control id", header.control_id],
    ["Version", header.version],
    ["Processing", header.processing_id],
    ["Sent", header.timestamp],
    ["Received", absoluteTime(view.received_at)],
    ["Read as", charset === undefined ? encoding : `${encoding} (MSH-18: ${charset})`],
    ["Size", exactSize(size)],
    ["Mode", ack.mode === "enhanced" ? "enhanced acknowledgement" : ""],
    [
      "Batch",
      batch &&
      `${batch.index + 1} of ${batch.count}${
        batch.control_id === undefined ? "" : ` in ${batch.control_id}`
      }`,
    ],
  ]);
  return html`<${Facts} rows=${rows} class="hl7-facts" />`;
}

/** @param {{ view: Hl7View }} props */
function Parts({ view }) {
  const { message: { ack, separators }, meta } = view;
  const parts = [
    { id: "segments", label: "Segments", draw: () => html`<${Segments} view=${view} />` },
    {
      id: "raw",
      label: "Raw",
      places: ["segments"],
      draw: (/** @type {Finding | undefined} */ finding) =>
        html`<${RawMessage} view=${view} place=${finding?.where?.path} />`,
    },
    ...(ack.text === undefined ? [] : [{
      id: "ack",
      label: "Acknowledgement",
      draw: () => html`<${SegmentLines} text=${ack.text} separators=${separators} />`,
    }]),
    ...(meta === undefined ? [] : [{
      id: "meta",
      label: "Meta",
      draw: () => html`<${JsonView} value=${meta} label="Meta" open=${1} />`,
    }]),
  ];
  return html`<${ItemParts} id=${view.id} label="Parts of the message" parts=${parts} />`;
}

/** A row of the list. @param {{ view: Hl7View, unread: boolean }} props */
export function Row({ view, unread }) {
  const { message: { header, ack, issues }, preview, title } = view;
  const parties = `${header.sending_application ?? "?"} → ${header.receiving_application ?? "?"}`;
  return html`
    <span class=${`item-row ${unread ? "unread" : ""}`}>
      <span class="row-line">
        <${UnreadDot} unread=${unread} />
        <${Captured} class="row-title" text=${title} />
        <${Time} iso=${view.received_at} />
      </span>
      <span class="row-line">
        <${Captured} class="row-snippet" text=${preview ?? ""} />
        ${issues !== undefined &&
          html`<span class="hl7-problem" title="Has problems"><${Icon}
              name="warning" size=${14} /></span>`}
        <${AckBadge} ack=${ack} />
      </span>
      <span class="row-line hl7-parties">
        <${Captured} text=${parties} />
        <${Chip}><${Captured} text=${(header.control_id ?? "no control id").slice(0, 200)} /><//>
      </span>
    </span>
  `;
}
