/** One HL7 message with all that is known of it. */
import { html, useEffect, useState } from "../../lib/dom.js";
import { getJson, messageOf } from "../../lib/api.js";
import { absoluteTime, formatCount } from "../../lib/format.js";
import { Chip, IconButton, Tabs, Time } from "../../components/controls.js";
import { Facts } from "../../components/facts.js";
import { Icon } from "../../components/icons.js";
import { Issues } from "../../components/issues.js";
import { JsonView } from "../../components/json_view.js";
import { Problem } from "../../components/page.js";
import { Captured } from "../../components/text.js";
import { RawMessage, SegmentLines } from "./raw.js";
import { Segments } from "./segments.js";

/** @import { Ack, Hl7View } from "./types.d.ts" */

/** @param {{ summary: Hl7View, onClose: () => void, onDelete: () => void }} props */
export function Detail({ summary, onClose, onDelete }) {
  const [state, setState] = useState(/** @type {{ view?: Hl7View, problem?: string }} */ ({}));
  useEffect(() => {
    const ended = new AbortController();
    getJson(`/hl7/messages/${encodeURIComponent(summary.id)}`, { signal: ended.signal })
      .then((view) => !ended.signal.aborted && setState({ view }))
      .catch((error) => !ended.signal.aborted && setState({ problem: messageOf(error) }));
    return () => ended.abort();
  }, [summary.id]);
  const { message, title } = summary;
  return html`
    <article class="hl7-detail">
      <header class="hl7-head">
        <${IconButton} icon="back" label="Back to the list" class="back" onClick=${onClose} />
        <h2>
          <${Captured} text=${title} />
        </h2>
        <${AckBadge} ack=${message.ack} />
        <p class="hl7-actions">
          <a class="button" href=${`/ui/events/${summary.id}`}><${Icon} name="external" />Event page</a>
          <a class="button" href=${`${summary.raw_url}?download=1`} download><${Icon}
              name="download" />Download</a>
          <button type="button" class="button danger" onClick=${onDelete}><${Icon}
              name="trash" />Delete</button>
        </p>
      </header>
      <div class="hl7-body">
        <${About} view=${summary} />
        <${Issues} issues=${summary.message.issues} />
        <${Problem} text=${state.problem} />
        ${state.view !== undefined && html`<${Parts} view=${state.view} />`}
      </div>
    </article>
  `;
}

/** How a message was answered, in one word. @param {{ ack: Ack }} props */
function AckBadge({ ack: { code, sent } }) {
  if (!sent || code === undefined) {
    return html`<span class="hl7-ack none" title="No acknowledgement was sent">no ack</span>`;
  }
  const tone = code.endsWith("A") ? "good" : "bad";
  return html`<span class=${`hl7-ack ${tone}`} title="Acknowledged with this code">${code}</span>`;
}

/** @param {{ view: Hl7View }} props */
function About({ view }) {
  const { header, charset, encoding, size, batch, ack } = view.message;
  const party = (/** @type {string} */ side) =>
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
    ["Size", `${formatCount(size)} bytes`],
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
    { id: "raw", label: "Raw", draw: () => html`<${RawMessage} view=${view} />` },
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
  const [picked, setPicked] = useState("");
  const part = parts.find(({ id }) => id === picked) ?? parts[0];
  if (part === undefined) return null;
  return html`
    <${Tabs} label="Parts of the message" items=${parts} current=${part.id}
      onPick=${setPicked} />
    <div class="hl7-part" role="tabpanel" key=${part.id}>${part.draw()}</div>
  `;
}

/** One line of the list. @param {{ view: Hl7View, unread: boolean }} props */
export function Row({ view, unread }) {
  const { message: { header, ack, issues }, preview, title } = view;
  const parties = `${header.sending_application ?? "?"} → ${header.receiving_application ?? "?"}`;
  return html`
    <span class=${`hl7-row ${unread ? "unread" : ""}`}>
      <span class="row-line">
        <span class="unread-dot" aria-hidden="true"></span>
        <${Captured} class="row-title" text=${title} />
        <${Time} iso=${view.received_at} />
      </span>
      <span class="row-line">
        <${Captured} class="row-snippet" text=${preview ?? ""} />
        ${issues !== undefined &&
          html`<span class="hl7-problem" title="Something is wrong with it"><${Icon}
              name="warning" size=${14} /></span>`}
        <${AckBadge} ack=${ack} />
      </span>
      <span class="row-line hl7-parties">
        <${Captured} text=${parties} />
        <${Chip}><${Captured} text=${(header.control_id ?? "no control id").slice(0, 40)} /><//>
      </span>
    </span>
  `;
}
