/** One message of a conversation: text, segments and media. */
import { html, useState } from "../../lib/dom.js";
import { formatSize, plural } from "../../lib/format.js";
import { setQuery } from "../../lib/router.js";
import { CopyAddress, Delete, OpenPage } from "../../components/actions.js";
import { Chip, IconButton, Time } from "../../components/controls.js";
import { FaultBadge } from "../../components/fault_badge.js";
import { Icon } from "../../components/icons.js";
import { JsonView } from "../../components/json_view.js";
import { Provider } from "../../components/provider.js";
import { SourceFindings } from "../../components/source.js";
import { Captured, OutLink } from "../../components/text.js";
import { cutAt, nameOf } from "./conversations.js";

/** @import { MediaRef, Segments, SmsView } from "./types.d.ts" */

/** Picture formats that cannot contain scripts. */
const PICTURES = /^image\/(png|jpeg|gif|webp|avif|svg\+xml|bmp)$/;
/** Larger pictures are not shown. */
const MAX_PREVIEW = 8_000_000;

/**
 * @param {{ view: SmsView, selected: boolean, onDelete?: () => void }} props without `onDelete` the
 * message has its own page, which has its own actions
 */
export function Message({ view, selected, onDelete }) {
  const { message, media = [] } = view;
  const { segments } = message;
  const side = message.direction === "inbound" ? "in" : "out";
  return html`
    <li class=${`sms ${side} ${selected ? "selected" : ""}`} data-id=${view.id}
      aria-current=${selected ? "true" : undefined}>
      <div class="bubble">
        ${media.length > 0 && html`<${Media} media=${media} />`}
        ${(message.body !== "" || media.length === 0) &&
          html`<${Body} body=${message.body} segments=${segments} />`}
      </div>
      <div class="sms-facts">
        <${Time} iso=${view.received_at} />
        <span>${message.status}</span>
        <${Chip} tone=${segments.encoding === "UCS-2" ? "warn" : ""} title=${costOf(segments)}>
          ${segments.encoding}<//>
        <${Chip} title=${costOf(segments)}>${plural(segments.count, "segment")}<//>
        <${Provider} plugin="sms" id=${view.provider} />
        ${onDelete !== undefined && html`<${FaultBadge} name=${view.meta?.fault} />`}
        ${onDelete !== undefined && html`
          <${IconButton} icon="code" label="Details" pressed=${selected} onClick=${() =>
            setQuery({ id: selected ? null : view.id }, { replace: true })} />
        `}
      </div>
      ${selected && html`<${Details} view=${view} onDelete=${onDelete} />`}
    </li>
  `;
}

/** @param {Segments} segments */
function costOf({ encoding, units, capacity, remaining, count }) {
  const of = encoding === "GSM-7" ? "septets" : "UTF-16 units";
  return `${units} ${of}, ${capacity} to a segment, ${remaining} left in ${
    count === 1 ? "it" : "the last"
  }`;
}

/** @param {{ body: string, segments: Segments }} props */
function Body({ body, segments: { ends = [], forced_by: forced } }) {
  if (body === "") return html`<p class="sms-body none">(no text)</p>`;
  const parts = cutAt(body, ends);
  return html`<p class="sms-body" dir="auto">${
    parts.map((text, i) =>
      html`<${Part} key=${i} text=${text} forced=${forced} end=${
        i < parts.length - 1 ? i + 1 : undefined
      } />`
    )
  }</p>`;
}

/** @param {{ text: string, forced: string | undefined, end: number | undefined }} props */
function Part({ text, forced, end }) {
  const at = forced === undefined ? -1 : text.indexOf(forced);
  const length = forced?.length ?? 0;
  return html`${
    at < 0 || forced === undefined ? html`<${Captured} text=${text} />` : html`
      <${Captured} text=${text.slice(0, at)} /><mark
        title=${`${
          nameOf(forced)
        } is not in the GSM alphabet`}><${Captured} text=${forced} /></mark><${Captured} text=${text
          .slice(at + length)} />
    `
  }${
    end !== undefined &&
    html`<span class="segment-end" title=${`Segment ${end} ends here`}>${end}</span>`
  }`;
}

/** @param {{ media: readonly MediaRef[] }} props */
function Media({ media }) {
  return html`<ul class="sms-media">
    ${
    media.map((item) =>
      html`
        <li key=${item.index}>
          <${item.stored ? Stored : Linked} item=${item} />
        </li>
      `
    )
  }
  </ul>`;
}

/** @param {{ item: MediaRef }} props */
function Stored({ item }) {
  const type = (item.content_type ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const size = item.size ?? 0;
  const name = item.filename || `media ${item.index + 1}`;
  if (PICTURES.test(type) && size <= MAX_PREVIEW) {
    return html`
      <a href=${item.url} target="_blank" rel="noopener noreferrer"
        aria-label=${`Open ${name}`}><img src=${item.url} alt=${name} loading="lazy"
            decoding="async" /></a>
    `;
  }
  return html`
    <a class="sms-file" href=${item.url} target="_blank"
      rel="noopener noreferrer"><${Icon} name="file" />
      <span><${Captured} text=${name} /><span class="quiet"><${Captured} text=${type} /> · ${formatSize(
        size,
      )}</span></span></a>
  `;
}

/** A link, which is shown but never fetched. @param {{ item: MediaRef }} props */
function Linked({ item }) {
  return html`<span class="sms-file" title="A link; nothing was fetched"><${Icon} name="link" />
    <${OutLink} href=${item.url}><${Captured} text=${item.url} /><//></span>`;
}

/** @param {{ view: SmsView, onDelete: (() => void) | undefined }} props */
function Details({ view, onDelete }) {
  const { body, from, to, segments } = view.message;
  const [open, setOpen] = useState(false);
  return html`<section class="sms-details" aria-label="Details">
    <p>${costOf(segments)}.${" "}${
    segments.forced_by !== undefined && html`
      UCS-2 because of <mark><${Captured} text=${segments.forced_by} /></mark> (${nameOf(
        segments.forced_by,
      )}), which the GSM alphabet lacks.
    `
  }</p>
    ${
    onDelete !== undefined && html`
      <p class="item-actions">
        <${OpenPage} id=${view.id} />
        <${CopyAddress} url=${view.url} />
        <button type="button" class="button action" aria-label="JSON" title="JSON"
          aria-expanded=${open}
          onClick=${() =>
            setOpen(!open)}><${Icon} name="code" /><span class="action-text">JSON</span></button>
        <${Delete} onClick=${onDelete} />
      </p>
    `
  }
    <${SourceFindings} id=${view.id} sources=${[
    { part: "body", text: body },
    { part: "from", text: from ?? "" },
    { part: "to", text: to },
  ]} />
    ${open && html`<${JsonView} value=${view} label="Message" open=${3} />`}
  </section>`;
}
