/** The latest operations on the store. */
import { html } from "../../lib/dom.js";
import { toQuery } from "../../lib/api.js";
import { formatSize } from "../../lib/format.js";
import { Chip, Time } from "../../components/controls.js";
import { FaultMark } from "../../components/fault_badge.js";
import { Captured } from "../../components/text.js";

/** @import { EventRecord } from "../../lib/types.d.ts" */

/** Number of operations shown. */
const RECENT = 50;

/** Names of the event types. */
const WORDS = /** @type {Readonly<Record<string, string>>} */ ({
  "s3.bucket.create": "created",
  "s3.bucket.delete": "deleted",
  "s3.object.put": "stored",
  "s3.object.copy": "copied",
  "s3.object.delete": "deleted",
  "s3.bucket.notification": "configured",
  "s3.object.tagging": "tagged",
  "s3.object.acl": "ACL",
});

/**
 * Returns the address of an object in this tab, within its folder.
 * @param {{ bucket: string, key: string }} place
 */
function objectHref({ bucket, key }) {
  const prefix = key.slice(0, key.lastIndexOf("/") + 1);
  return `/ui/s3/${toQuery({ bucket, prefix, key })}`;
}

/**
 * Splits the title of an event into bucket and key; bucket names have no slash.
 * @param {EventRecord} event
 */
function placeOf({ summary_parts: { title = "" } }) {
  const slash = title.indexOf("/");
  return slash < 0
    ? { bucket: title, key: undefined }
    : { bucket: title.slice(0, slash), key: title.slice(slash + 1) };
}

/** @param {EventRecord} event */
function hrefOf(event) {
  if (event.type.endsWith(".delete")) return undefined;
  const { bucket, key } = placeOf(event);
  return key === undefined ? `/ui/s3/${toQuery({ bucket })}` : objectHref({ bucket, key });
}

/** @param {{ events: readonly EventRecord[], bucket?: string }} props only those of `bucket`, if given */
export function Activity({ events, bucket }) {
  const shown = events
    .filter((event) => bucket === undefined || placeOf(event).bucket === bucket)
    .slice(0, RECENT);
  return html`
    <section class="s3-activity" aria-label="Recent activity">
      <h3>Recent activity</h3>
      ${shown.length === 0 && html`<p class="quiet">No activity yet.</p>`}
      <ol>
        ${shown.map((event) => html`<${Entry} key=${event.id} event=${event} />`)}
      </ol>
    </section>
  `;
}

/** @param {{ event: EventRecord }} props */
function Entry({ event }) {
  const { id, type, summary, received_at: time, summary_parts: { title, from }, meta } = event;
  const href = hrefOf(event);
  const name = html`<${Captured} text=${title} />`;
  // Long summaries are cut and lack the size.
  const size = /\((\d+) bytes\)$/.exec(summary)?.[1];
  return html`
    <li>
      <${Chip} tone=${type.endsWith(".delete") ? "warn" : ""}>${WORDS[type] ?? type}<//>
      ${href === undefined
        ? html`<span class="s3-place">${name}</span>`
        : html`<a class="s3-place" href=${href}>${name}</a>`}
      <${FaultMark} name=${meta?.fault} />
      <span class="quiet s3-fact">${size !== undefined && formatSize(Number(size))}</span>
      <span class="quiet s3-fact s3-who">${from !== undefined &&
        html`<${Captured} text=${from} />`}</span>
      <a class="quiet s3-when" href=${`/ui/events/${id}`} title="The event"><${Time} iso=${time} /></a>
    </li>
  `;
}
