/** What happened to the store last. */
import { html } from "../../lib/dom.js";
import { toQuery } from "../../lib/api.js";
import { formatSize } from "../../lib/format.js";
import { Chip, Time } from "../../components/controls.js";
import { Captured } from "../../components/text.js";

/** @import { FullEvent } from "../../lib/types.d.ts" */
/** @import { S3Operation } from "./types.d.ts" */

/** Events shown, the newest. */
const RECENT = 50;

/** What each operation is called. */
const WORDS = {
  "bucket.create": "created",
  "bucket.delete": "deleted",
  "object.put": "stored",
  "object.copy": "copied",
  "object.delete": "deleted",
};

/**
 * The address of an object in this tab, within its folder.
 * @param {{ bucket: string, key: string }} place
 */
export function objectHref({ bucket, key }) {
  const prefix = key.slice(0, key.lastIndexOf("/") + 1);
  return `/ui/s3/${toQuery({ bucket, prefix, key })}`;
}

/** @param {S3Operation} operation */
function hrefOf({ operation, bucket, key }) {
  if (operation.endsWith(".delete")) return undefined;
  return key === undefined ? `/ui/s3/${toQuery({ bucket })}` : objectHref({ bucket, key });
}

/** @param {{ events: readonly FullEvent[], bucket?: string }} props only those of `bucket`, if given */
export function Activity({ events, bucket }) {
  const shown = events
    .map((event) => ({ event, operation: /** @type {S3Operation} */ (event.payload) }))
    .filter(({ operation }) => bucket === undefined || operation.bucket === bucket)
    .slice(0, RECENT);
  return html`
    <section class="s3-activity" aria-label="Recent activity">
      <h3>Recent activity</h3>
      ${shown.length === 0 && html`<p class="quiet">Nothing happened yet.</p>`}
      <ol>
        ${shown.map(({ event, operation }) =>
          html`<${Entry} key=${event.id} event=${event} operation=${operation} />`
        )}
      </ol>
    </section>
  `;
}

/** @param {{ event: FullEvent, operation: S3Operation }} props */
function Entry({ event, operation }) {
  const { operation: word, bucket, key, size } = operation;
  const name = html`<${Captured} text=${key === undefined ? bucket : `${bucket}/${key}`} />`;
  const href = hrefOf(operation);
  const by = event.summary_parts.from;
  return html`
    <li>
      <${Chip} tone=${word.endsWith(".delete") ? "warn" : ""}>${WORDS[word]}<//>
      ${href === undefined
        ? html`<span class="s3-place">${name}</span>`
        : html`<a class="s3-place" href=${href}>${name}</a>`}
      <span class="quiet s3-fact">${size === undefined || word === "object.delete"
        ? ""
        : formatSize(size)}</span>
      <span class="quiet s3-fact s3-who">${by !== undefined &&
        html`<${Captured} text=${by} />`}</span>
      <a class="quiet s3-when" href=${`/ui/events/${event.id}`} title="The event"><${Time} iso=${event
        .received_at} /></a>
    </li>
  `;
}
