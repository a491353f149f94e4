/** One push with all of its details. */
import { html, useState } from "../../lib/dom.js";
import { fromBase64 } from "../../lib/bytes.js";
import { absoluteTime, capital, plural } from "../../lib/format.js";
import { Download } from "../../components/actions.js";
import { Tabs, Time, UnreadDot } from "../../components/controls.js";
import { BytesView } from "../../components/bytes_view.js";
import { Facts } from "../../components/facts.js";
import { Icon } from "../../components/icons.js";
import { ItemDetail, ItemParts } from "../../components/item_detail.js";
import { JsonView } from "../../components/json_view.js";
import { Provider } from "../../components/provider.js";
import { Sources } from "../../components/source.js";
import { Captured, CapturedBlock } from "../../components/text.js";
import { LockScreen } from "./lock_screen.js";
import { Verdict } from "./verdict.js";

/** @import { ItemControls } from "../../components/pick_list.js" */
/** @import { Pointing } from "../../components/pointing.js" */
/** @import { SourcePart } from "../../components/source.js" */
/** @import { Finding } from "../../lib/types.d.ts" */
/** @import { Platform, PushMessage, PushPayload, PushView } from "./types.d.ts" */

/** @param {{ view: PushView, controls?: ItemControls }} props */
export function Detail({ view, controls }) {
  const { message } = view;
  const reachesBoth = view.provider === "push1";
  const only = view.provider === "push2" ? "ios" : "android";
  const [platform, setPlatform] = useState(
    /** @type {Platform} */ (view.meta?.alert_section === "apns" ? "ios" : "android"),
  );
  return html`
    <${ItemDetail} id=${view.id} url=${view.url} name="push" meta=${view.meta} controls=${controls}
      heading=${html`
        <${Verdict} kind=${message.kind} explain=${view.explain} />
        <p class="push-explain">
          <${Captured} text=${view.explain} />
        </p>
      `}
      actions=${html`<${Download} href=${view.raw_url} what="the raw body" />`}>
      <div class="push-screen">
            ${reachesBoth && html`
              <${Tabs} label="Phone" class="small" current=${platform} onPick=${setPlatform}
                items=${[{ id: "android", label: "Android" }, { id: "ios", label: "iOS" }]} />
            `}
            <${LockScreen} view=${view} platform=${reachesBoth ? platform : only} />
          </div>
      <div class="push-about">
        <${About} view=${view} />
        <${Parts} view=${view} />
      </div>
      <//>
  `;
}

/** @param {{ view: PushView }} props */
function About({ view }) {
  const { alert = {}, app, delivery, push_type, target } = view.message;
  /** @type {(readonly [string, import("../../lib/dom.js").Children])[]} */
  const rows = [
    ["To", `${target.kind} ${target.value}`],
    ["App", app],
    ["Push type", push_type],
    ["Priority", priorityOf(delivery)],
    ["Expires", expiryOf(delivery)],
    ["Collapse key", delivery.collapse_key],
    ["Category", alert.category],
    ["Sound", alert.sound],
    ["Badge", alert.badge?.toString()],
    ["Image", alert.image],
    ["Replaces", replacedBy(view)],
    ["Received", absoluteTime(view.received_at)],
  ];
  return html`
    <${Facts} rows=${rows} class="push-facts" />
    ${view.meta?.warning !== undefined && html`
      <p class="push-warning">
        <${Icon} name="warning" />
        <${Captured} text=${String(view.meta.warning)} />
      </p>
    `}
  `;
}

/** The push that this one replaces. @param {PushView} view */
function replacedBy({ meta }) {
  const { replaces } = meta ?? {};
  return typeof replaces === "string" &&
    html`<a href=${`/ui/push/?id=${encodeURIComponent(replaces)}`}>an earlier push</a>`;
}

/** @param {PushMessage["delivery"]} delivery */
function priorityOf({ priority, priority_raw: raw }) {
  if (priority === undefined || raw === undefined) return priority ?? raw;
  return raw.toLowerCase() === priority ? priority : `${priority} (sent as ${raw})`;
}

/** @param {PushMessage["delivery"]} delivery */
function expiryOf({ expiry }) {
  if (expiry === undefined) return undefined;
  if (expiry.immediate) return "at once: tried once, not stored";
  if (expiry.at !== undefined) return absoluteTime(expiry.at);
  return expiry.ttl_seconds === undefined
    ? expiry.raw
    : `${plural(expiry.ttl_seconds, "second")} after it was sent`;
}

/** Parts of findings: the payload, and the texts in it. */
const PLACES = ["payload", "title", "subtitle", "body"];

/** @param {PushPayload} payload @returns {SourcePart} */
function sourceOf({ json, data }) {
  return json === undefined
    ? { part: "payload", text: new TextDecoder().decode(fromBase64(data)) }
    : { part: "payload", json, root: "" };
}

/** @param {{ view: PushView }} props */
function Parts({ view }) {
  const { message, meta } = view;
  // An encrypted body has no places.
  const readable = message.payloads?.find(({ format }) => format !== "push3.body");
  const parts = [
    ...(message.data_json === undefined ? [] : [{
      id: "data",
      label: "Data",
      draw: () => html`<${JsonView} value=${message.data_json} label="Data" />`,
    }]),
    ...(message.payloads ?? []).map((payload) => ({
      id: payload.format,
      label: capital(payload.format.replace(/^push\d\.(v1\.)?/, "").replace("message", "request")),
      ...(payload === readable && { places: PLACES }),
      draw: (
        /** @type {Finding | undefined} */ _finding,
        /** @type {Pointing | undefined} */ pointing,
      ) =>
        pointing === undefined
          ? html`<${Verbatim} payload=${payload} id=${view.id} />`
          : html`<${Sources} sources=${[sourceOf(payload)]} pointing=${pointing} />`,
    })),
    ...(meta === undefined ? [] : [{
      id: "meta",
      label: "Meta",
      draw: () => html`<${JsonView} value=${meta} label="Meta" open=${1} />`,
    }]),
  ];
  return html`<${ItemParts} id=${view.id} label="Parts of the push" parts=${parts} />`;
}

/**
 * As sent, and as a tree if it is JSON. An encrypted body is bytes.
 * @param {{ payload: PushPayload, id: string }} props
 */
function Verbatim({ payload, id }) {
  if (payload.format === "push3.body") {
    return html`
      <${BytesView} base64=${payload.data} text=${undefined} filename=${`${id}.bin`}
        label="the encrypted body" />
    `;
  }
  if (payload.json !== undefined) {
    return html`<${JsonView} value=${payload.json} label=${payload.format} open=${3} />`;
  }
  return html`<${CapturedBlock} text=${new TextDecoder().decode(fromBase64(payload.data))} />`;
}

/** A row of the list, as a card on the phone. @param {{ view: PushView, unread: boolean }} props */
export function Row({ view, unread }) {
  const { message, preview, title } = view;
  const shown = message.kind === "notification";
  const line = shown ? preview ?? view.explain : view.explain;
  return html`
    <span class=${`item-row push-row kind-${message.kind} ${unread ? "unread" : ""}`}>
      <span class="row-line">
        <${UnreadDot} unread=${unread} />
        ${shown
          ? html`<${Captured} class="row-title" text=${title} />`
          : html`<bdi class="row-title none">(nothing shown)</bdi>`}
        <${Time} iso=${view.received_at} />
      </span>
      <span class="row-line">
        <${Captured} class="row-snippet" text=${line} />
        <${Verdict} kind=${message.kind} explain=${view.explain} />
      </span>
      <span class="row-line push-to">
        <${Captured} text=${`${message.target.kind} ${message.target.value}`} />
        <${Provider} plugin="push" id=${view.provider} short=${true} />
      </span>
    </span>
  `;
}
