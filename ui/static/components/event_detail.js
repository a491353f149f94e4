/** One event with all of its details. */
import { html, useState } from "../lib/dom.js";
import { absoluteTime, plural } from "../lib/format.js";
import { readPref, writePref } from "../lib/prefs.js";
import { curlOf } from "../lib/replay.js";
import { pluginNamed } from "../lib/store.js";
import { tabOf } from "../lib/tabs.js";
import { CopyAddress, Delete } from "./actions.js";
import { Callbacks } from "./callbacks.js";
import { BytesView } from "./bytes_view.js";
import { useChecks } from "./checks.js";
import { CodesAndLinks } from "./codes.js";
import { Chip, CopyButton } from "./controls.js";
import { FaultBadge } from "./fault_badge.js";
import { HeadersTable } from "./headers_table.js";
import { JsonView } from "./json_view.js";
import { Facts } from "./facts.js";
import { Icon } from "./icons.js";
import { CheckedParts } from "./item_detail.js";
import { Provider } from "./provider.js";
import { Captured } from "./text.js";
import { notificationFacts, varbindsOf, VarbindTable } from "./varbinds.js";

/** @import { Finding, FullEvent } from "../lib/types.d.ts" */
/** @import { Checked } from "./checks.js" */
/** @import { ItemPart } from "./item_detail.js" */

/** Whether the details of an event are open below the item. */
const PARTS_PREF = "event.parts";

/**
 * The item as the tab of its plugin shows it, followed by the other details of the event.
 * @param {{ event: FullEvent, onDelete?: () => void }} props `onDelete` is for the event's own page; elsewhere an
 *   `ItemBar` has the shared actions
 */
export function EventDetail({ event, onDelete }) {
  const tab = pluginNamed(event.plugin)?.tab;
  const { Item, problem } = tab === undefined ? {} : tabOf(tab);
  const hasItem = tab !== undefined && problem === undefined;
  return html`
    <article class="event">
      <header class="event-head">
        ${!hasItem && html`
          <h2>
            <${Captured} text=${titleOf(event)} />
          </h2>
          ${titleOf(event) !== event.summary &&
            html`
              <p class="quiet">
                <${Captured} text=${event.summary} />
              </p>
            `}
        `}
        <p class="event-facts">
          <${Chip}><${Icon} name=${event.plugin} size=${12} />${event.type}<//>
          <${Provider} plugin=${event.plugin} id=${event.provider} />
          <${FaultBadge} name=${event.meta?.fault} />
          <time datetime=${event.received_at}>${absoluteTime(event.received_at)}</time>
        </p>
        <${Actions} event=${event} onDelete=${onDelete} />
        <${CodesAndLinks} extracted=${event.extracted} />
      </header>
      ${hasItem
        ? html`
          <section class="event-item" aria-label="Item">
            ${Item && html`<${Item} key=${event.id} event=${event} />`}
          </section>
          <${Callbacks} key=${event.id} id=${event.id} />
          <${MoreParts} event=${event} />
        `
        : html`
          <${About} event=${event} />
          <${Callbacks} key=${event.id} id=${event.id} />
          <${FetchedParts} key=${event.id} event=${event} />
        `}
    </article>
  `;
}

/** @param {{ event: FullEvent, onDelete: (() => void) | undefined }} props */
function Actions({ event, onDelete }) {
  const { plugin, id } = event;
  const hasTab = pluginNamed(plugin)?.tab !== undefined;
  const fromHttp = event.raw.transport === "http";
  if (!hasTab && !fromHttp && onDelete === undefined) return null;
  return html`
    <p class="item-actions event-actions">
      ${hasTab && html`
        <a class="button" href=${`/ui/${plugin}/?id=${id}`}><${Icon}
            name=${plugin} />Open in ${pluginNamed(plugin)?.title}</a>
      `}
      ${onDelete && html`
        <a class="button" href=${`/ui/stories/?id=${id}`}><${Icon} name="stories" />Story</a>
      `}
      ${fromHttp && html`
        <${CopyButton} class="action" icon="terminal" label="Copy as curl"
          title="Copy a command that sends the same request again"
          text=${() => curlOf(event)} />
      `}
      ${onDelete && html`
        <${CopyAddress} url=${event.url} />
        <${Delete} onClick=${onDelete} />
      `}
    </p>
  `;
}

/** @param {FullEvent} event */
function titleOf({ summary, summary_parts: { title } }) {
  return title || summary;
}

/** The parts of an event whose item is shown: closed, unless the reader wants them open. @param {{ event: FullEvent }} props */
function MoreParts({ event }) {
  const checked = useChecks(event.id);
  const count = checked.findings?.length ?? 0;
  const [isOpen, setOpen] = useState(readPref(PARTS_PREF) === "open");
  return html`
    <details class="event-more" open=${isOpen} onToggle=${(/** @type {Event} */ toggled) => {
      const { open } = /** @type {HTMLDetailsElement} */ (toggled.target);
      writePref(PARTS_PREF, open ? "open" : null);
      setOpen(open);
    }}>
      <summary>JSON, raw bytes, headers and checks${count > 0 &&
        html`<span class="item-badge">${plural(count, "finding")}</span>`}</summary>
      ${isOpen && html`
        <${About} event=${event} />
        <${Parts} key=${event.id} event=${event} checked=${checked} />
      `}
    </details>
  `;
}

/** @param {{ event: FullEvent }} props */
function FetchedParts({ event }) {
  return html`<${Parts} event=${event} checked=${useChecks(event.id)} />`;
}

/** @param {{ event: FullEvent, checked: Checked }} props */
function Parts({ event, checked }) {
  return html`
    <${CheckedParts} checked=${checked} label="Parts of the event" parts=${viewsOf(event)}
      class="event-view" />
  `;
}

/** @param {FullEvent} event @returns {readonly ItemPart[]} */
function viewsOf(event) {
  const { raw } = event;
  const varbinds = event.plugin === "snmp" ? varbindsOf(event.payload) : [];
  const headerCount = Object.values(raw.headers ?? {}).reduce(
    (sum, values) => sum + values.length,
    0,
  );
  return [
    // The most useful first; numbers of objects say little.
    ...(varbinds.length === 0 ? [] : [{
      id: "varbinds",
      label: "Varbinds",
      count: varbinds.length,
      places: ["varbinds"],
      draw: (/** @type {Finding | undefined} */ finding) =>
        html`<${VarbindTable} varbinds=${varbinds} line=${finding?.where?.line} />`,
    }]),
    ...(event.payload === undefined ? [] : [{
      id: "payload",
      label: "Payload",
      draw: () => html`<${JsonView} key=${event.id} value=${event.payload} label="Payload" />`,
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
 * The body has its own view, and base64 is unreadable.
 * @param {FullEvent} event
 */
function withoutBody({ raw: { body: _, body_text: __, ...raw }, ...event }) {
  return { ...event, raw };
}

/** @param {{ event: FullEvent }} props */
function About({ event: { plugin, payload, raw, summary_parts: parts, id } }) {
  /** @type {(readonly [string, string | undefined])[]} */
  const rows = [
    // A sender without a name is shown by address.
    ["From", parts.from === raw.peer_addr ? undefined : parts.from],
    ["To", parts.to?.join(", ")],
    ...(plugin === "snmp" ? notificationFacts(payload) : []),
    ["Request", raw.method === undefined ? undefined : `${raw.method} ${raw.path ?? ""}`],
    [
      "Transport",
      [raw.transport, raw.http_version && `HTTP/${raw.http_version}`].filter(Boolean).join(" · "),
    ],
    ["Peer", raw.peer_addr],
    ["Client certificate", raw.client_certificate?.subject],
    ["Id", id],
  ];
  return html`<${Facts} rows=${rows} />`;
}
