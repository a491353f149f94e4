/** One event with all that is known of it. */
import { html, useEffect, useState } from "../lib/dom.js";
import { absoluteTime } from "../lib/format.js";
import { curlOf } from "../lib/replay.js";
import { pluginNamed } from "../lib/store.js";
import { BytesView } from "./bytes_view.js";
import { Chip, CopyButton, Tabs } from "./controls.js";
import { HeadersTable } from "./headers_table.js";
import { JsonView } from "./json_view.js";
import { Facts } from "./facts.js";
import { Icon } from "./icons.js";
import { Captured } from "./text.js";
import { varbindsOf, VarbindTable } from "./varbinds.js";

/** @import { FullEvent } from "../lib/types.d.ts" */

/**
 * @param {{ event: FullEvent, onDelete: () => void, onOwnPage?: boolean }} props
 */
export function EventDetail({ event, onDelete, onOwnPage = false }) {
  const views = viewsOf(event);
  const [picked, setPicked] = useState("payload");
  const view = views.find(({ id }) => id === picked) ?? views[0];
  useEffect(() => setPicked("payload"), [event.id]);
  const hasOwnView = pluginNamed(event.plugin)?.tab !== undefined;
  return html`
    <article class="event">
      <header class="event-head">
        <h2>
          <${Captured} text=${event.summary} />
        </h2>
        <p class="event-facts">
          <${Chip}><${Icon} name=${event.plugin} size=${12} />${event.type}<//><${Chip}>${event
            .provider}<//>
            <time datetime=${event.received_at}>${absoluteTime(event.received_at)}</time>
          </p>
          <p class="event-actions">
            ${hasOwnView &&
              html`<a class="button" href=${`/ui/${event.plugin}/?id=${event.id}`}><${Icon} name=${event.plugin} />Open in ${
                pluginNamed(event.plugin)?.title
              }</a>`}
            ${event.raw.transport === "http" && html`
              <${CopyButton} label="Copy as curl" title="Copy a command that sends the same again"
                text=${() => curlOf(event)} />
            `}
            ${!onOwnPage &&
              html`<a class="button" href=${`/ui/events/${event.id}`}><${Icon} name="external" />Own page</a>`}
            <${CopyButton} label="Copy link" title="Copy the address of this page" text=${event
              .url ?? location.href} />
            <button type="button" class="button danger" onClick=${onDelete}><${Icon} name="trash" />Delete</button>
          </p>
          <${About} event=${event} />
        </header>
        <${Tabs} label="Parts of the event" items=${views} current=${view?.id ??
          ""} onPick=${setPicked} />
        <div class="event-view" role="tabpanel">${view?.draw()}</div>
      </article>
  `;
}

/** @param {FullEvent} event */
function viewsOf(event) {
  const { raw } = event;
  const varbinds = event.plugin === "snmp" ? varbindsOf(event.payload) : [];
  const headerCount = Object.values(raw.headers ?? {}).reduce(
    (sum, values) => sum + values.length,
    0,
  );
  return [
    ...(event.payload === undefined ? [] : [{
      id: "payload",
      label: "Payload",
      draw: () => html`<${JsonView} key=${event.id} value=${event.payload} label="Payload" />`,
    }]),
    ...(varbinds.length === 0 ? [] : [{
      id: "varbinds",
      label: "Varbinds",
      count: varbinds.length,
      draw: () => html`<${VarbindTable} varbinds=${varbinds} />`,
    }]),
    ...(event.meta === undefined ? [] : [{
      id: "meta",
      label: "Meta",
      count: Object.keys(event.meta).length,
      draw: () => html`<${JsonView} key=${event.id} value=${event.meta} label="Meta" />`,
    }]),
    {
      id: "raw",
      label: "Raw",
      draw: () =>
        html`
          <${BytesView} key=${event.id} base64=${raw.body ?? ""} text=${raw
            .body_text} filename=${`${event.id}.bin`}
            label="the raw body" />
        `,
    },
    ...(headerCount === 0 ? [] : [{
      id: "headers",
      label: "Headers",
      count: headerCount,
      draw: () =>
        html`<${HeadersTable} headers=${
          raw.headers ?? {}
        } caption="Header fields of the request" />`,
    }]),
    {
      id: "event",
      label: "Event",
      draw: () => html`<${JsonView} key=${event.id} value=${withoutBody(event)} label="Event" />`,
    },
  ];
}

/**
 * The body has a view of its own, and base64 helps nobody.
 * @param {FullEvent} event
 */
function withoutBody({ raw: { body: _, body_text: __, ...raw }, ...event }) {
  return { ...event, raw };
}

/** @param {{ event: FullEvent }} props */
function About({ event: { raw, summary_parts: parts, id } }) {
  /** @type {(readonly [string, string | undefined])[]} */
  const rows = [
    ["From", parts.from],
    ["To", parts.to?.join(", ")],
    ["Request", raw.method === undefined ? undefined : `${raw.method} ${raw.path ?? ""}`],
    [
      "Came over",
      [raw.transport, raw.http_version && `HTTP/${raw.http_version}`].filter(Boolean).join(" · "),
    ],
    ["Peer", raw.peer_addr],
    ["Client certificate", raw.client_certificate?.subject],
    ["Id", id],
  ];
  return html`<${Facts} rows=${rows} />`;
}
