/** The object store: buckets, their content, and the latest operations. */
import { html, useEffect, useState } from "../lib/dom.js";
import { toQuery } from "../lib/api.js";
import { useFetched } from "../lib/fetched.js";
import { formatSize, plural } from "../lib/format.js";
import { place } from "../lib/router.js";
import { events as allEvents } from "../lib/store.js";
import { loadStyles } from "../lib/styles.js";
import { markRead } from "../lib/unread.js";
import { Copied } from "../components/browse.js";
import { ToolButton } from "../components/controls.js";
import { OperationItem } from "../components/operation.js";
import { PluginPage } from "../components/plugin_page.js";
import { Browser } from "./s3/browser.js";
import { Buckets } from "./s3/buckets.js";
import { askToEmpty } from "./s3/removal.js";
import { useUploads } from "./s3/uploads.js";

/** @import { FullEvent, PluginInfo } from "../lib/types.d.ts" */
/** @import { BucketsView, S3Operation } from "./s3/types.d.ts" */

await loadStyles("tabs/s3.css");

const START = {
  title: "No buckets yet",
  text:
    "Point an S3 client at this address, with any credentials. Buckets and objects appear here at once and go nowhere else.",
};

/** @param {{ plugin: PluginInfo }} props */
export function Tab({ plugin }) {
  const bucket = place.value.query.get("bucket");
  // Emptying the store makes no event: a new number fetches everything again.
  const [version, setVersion] = useState(0);
  /** @type {{ value?: BucketsView, problem?: string }} */
  const { value: store, problem } = useFetched("/s3/buckets", "s3", { version });
  const events = allEvents.value.filter((event) => event.plugin === plugin.name);
  const uploads = useUploads();
  // The tab shows the result of all of them.
  useEffect(() => markRead(events.map(({ id }) => id)), [allEvents.value]);
  const stats = store?.stats ?? { buckets: 0, objects: 0, bytes: 0 };
  const isEmpty = store !== undefined && stats.buckets === 0 && bucket === null;
  const count = `${plural(stats.buckets, "bucket")}, ${plural(stats.objects, "object")}, ${
    formatSize(stats.bytes)
  }`;
  const tools = html`
    <${ToolButton} icon="trash" text="Clear" label="Clear the store" danger=${true}
      disabled=${stats.buckets === 0} onClick=${() =>
        askToEmpty(stats, () => setVersion(version + 1))} />
  `;
  const url = plugin.providers.find(({ enabled, url }) => enabled && url !== undefined)?.url ?? "";
  const shared = { url, events, uploads };
  return html`
    <${PluginPage} plugin=${plugin} start=${START} count=${count} problem=${problem}
      isEmpty=${isEmpty} tools=${tools}>
      ${store !== undefined && (bucket === null
        ? html`
          <${Buckets} store=${store} ...${shared} />
        `
        : html`
          <${Browser} key=${`${bucket}/${version}`} name=${bucket} store=${store} ...${shared} />
        `)}
    <//>
  `;
}

/** An operation on the store, and the bytes of an object. @param {{ event: FullEvent }} props */
export function Item({ event }) {
  const { operation, bucket, key, ...about } = /** @type {S3Operation} */ (event.payload);
  const { size, etag, source, blob, parts, content_type: type, delete_marker: marker } = about;
  const prefix = key?.slice(0, key.lastIndexOf("/") + 1);
  const place = `s3://${bucket}${key === undefined ? "" : `/${key}`}`;
  return html`
    <${OperationItem} title=${event.summary} blob=${blob} type=${type ?? ""} name=${key ?? bucket}
      href=${operation.endsWith(".delete") && marker !== "created"
        ? undefined
        : `/ui/s3/${toQuery({ bucket, prefix, key })}`}
      rows=${[
        ["Address", html`<${Copied} text=${place} what="the S3 address" />`],
        ["Copied from", source && `s3://${source.bucket}/${source.key}`],
        ["Size", size !== undefined && formatSize(size)],
        ["Type", type],
        ["ETag", etag],
        ["Version", about.version_id],
        ["Parts", parts?.toString()],
      ]} />
  `;
}
