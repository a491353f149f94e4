/** One AS2 message with all that is known of it. */
import { html, useEffect, useState } from "../../lib/dom.js";
import { getJson, messageOf } from "../../lib/api.js";
import { absoluteTime, formatSize } from "../../lib/format.js";
import { IconButton, Tabs } from "../../components/controls.js";
import { Facts } from "../../components/facts.js";
import { Icon } from "../../components/icons.js";
import { Issues } from "../../components/issues.js";
import { JsonView } from "../../components/json_view.js";
import { Problem } from "../../components/page.js";
import { Captured } from "../../components/text.js";
import { LoadedBytes } from "./bytes.js";
import { Document } from "./document.js";
import { Certificates, Layers } from "./layers.js";
import { Receipt } from "./receipt.js";
import { Assurance, Outcome, SecurityChips } from "./row.js";

/** @import { As2View } from "./types.d.ts" */

/** @param {{ summary: As2View, onClose: () => void, onDelete: () => void }} props */
export function Detail({ summary, onClose, onDelete }) {
  const [state, setState] = useState(/** @type {{ view?: As2View, problem?: string }} */ ({}));
  useEffect(() => {
    const ended = new AbortController();
    getJson(`/as2/messages/${encodeURIComponent(summary.id)}`, { signal: ended.signal })
      .then((view) => !ended.signal.aborted && setState({ view }))
      .catch((error) => !ended.signal.aborted && setState({ problem: messageOf(error) }));
    return () => ended.abort();
  }, [summary.id]);
  const { message, title } = summary;
  return html`
    <article class="as2-detail">
      <header class="as2-head">
        <${IconButton} icon="back" label="Back to the list" class="back" onClick=${onClose} />
        <h2>
          <${Captured} text=${title || "(no subject)"} />
        </h2>
        <${Outcome} message=${message} />
        <p class="as2-actions">
          <a class="button" href=${`/ui/events/${summary.id}`}><${Icon} name="external" />Event page</a>
          ${summary.payload_url && html`
            <a class="button" href=${summary.payload_url} download><${Icon}
                name="download" />Document</a>
          `}
          <button type="button" class="button danger" onClick=${onDelete}><${Icon}
              name="trash" />Delete</button>
        </p>
      </header>
      <div class="as2-body">
        <p class="as2-badges">
          <${SecurityChips} message=${message} />
          <${Assurance} view=${summary} />
        </p>
        <${Issues} issues=${summary.message.issues} />
        <${Problem} text=${state.problem} />
        ${state.view !== undefined && html`
          <${About} view=${state.view} />
          <${Parts} view=${state.view} />
        `}
      </div>
    </article>
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
    ["Wishes", receipt.options],
    ["Deliver to", receipt.async_url && `${receipt.async_url} (never contacted)`],
  ]);
  return html`<${Facts} rows=${rows} class="as2-facts" />`;
}

/** @param {{ view: As2View }} props */
function Parts({ view }) {
  const { message } = view;
  const signature = message.security.signature;
  const parts = [
    { id: "document", label: "Document", draw: () => html`<${Document} view=${view} />` },
    {
      id: "layers",
      label: "Layers",
      count: message.layers?.length ?? 0,
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
  const [picked, setPicked] = useState("document");
  const part = parts.find(({ id }) => id === picked) ?? parts[0];
  if (part === undefined) return null;
  return html`
    <${Tabs} label="Parts of the message" items=${parts} current=${part.id}
      onPick=${setPicked} />
    <div class="as2-part" role="tabpanel" key=${part.id}>${part.draw()}</div>
  `;
}
