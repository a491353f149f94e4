/** The panel beside a list: facts of a bucket or folder, code, uploads and activity. */
import { html, useEffect, useRef, useState } from "../../lib/dom.js";
import { getJson, messageOf } from "../../lib/api.js";
import { formatCount, formatSize, plural } from "../../lib/format.js";
import { setQuery } from "../../lib/router.js";
import { Action, Delete } from "../../components/actions.js";
import { Copied, Head } from "../../components/browse.js";
import { IconButton, Time } from "../../components/controls.js";
import { Snippets } from "../../components/empty.js";
import { Facts } from "../../components/facts.js";
import { toast } from "../../components/toast.js";
import { Activity } from "./activity.js";
import { objectsPath } from "./listing.js";
import { askToDeleteBucket, askToDeleteFolder } from "./removal.js";
import { prefixSnippets } from "./snippets.js";
import { Uploads } from "./uploads.js";

/** @import { EventRecord } from "../../lib/types.d.ts" */
/** @import { BucketView, ObjectsView, UploadView } from "./types.d.ts" */

/** Opens the panel where there is no room for both. */
export function PanelButton() {
  return html`
    <span class="only-narrow">
      <${IconButton} icon="events" label="Activity and code" onClick=${() =>
        setQuery({ panel: "1" })} />
    </span>
  `;
}

/**
 * @param {{ bucket: BucketView, url: string, events: readonly EventRecord[], uploads: readonly UploadView[],
 *   onClose: () => void, onOpen?: () => void, prefix?: string }} props `prefix` is used in the code
 */
export function BucketDetail({ bucket, url, events, uploads, onClose, onOpen, prefix = "" }) {
  const { name, objects, bytes, creation_time: created, versioning, versions, object_lock } =
    bucket;
  return html`
    <${Head} icon="s3" name=${name} onClose=${onClose}>
      ${onOpen !== undefined &&
        html`<${Action} icon="files" text="Open" onClick=${onOpen} />`}
      <${Delete} text="Delete bucket" onClick=${() => askToDeleteBucket(bucket)} />
    <//>
    <${Facts} class="panel-facts" rows=${[
      ["Address", html`<${Copied} text=${`s3://${name}`} what="the S3 address" />`],
      ["URL", html`<${Copied} text=${`${url}/${name}`} what="the URL" />`],
      ["Objects", `${formatCount(objects)}, ${formatSize(bytes)}`],
      [
        "Versioning",
        versioning && `${versioning.toLowerCase()}, ${plural(versions ?? 0, "version")}`,
      ],
      ["Object lock", object_lock && "enabled"],
      ["Created", html`<${Time} iso=${created} />`],
    ]} />
    <section class="s3-code"><h3>Put and list</h3>
      <${Snippets} snippets=${prefixSnippets(url, { bucket: name, prefix })} />
    </section>
    <${Uploads} uploads=${uploads} bucket=${name} />
    <${Activity} events=${events} bucket=${name} />
  `;
}

/** @param {{ bucket: string, prefix: string, url: string, onClose: () => void, onOpen: () => void }} props */
export function FolderDetail({ bucket, prefix, url, onClose, onOpen }) {
  return html`
    <${Head} icon="files" name=${prefix} onClose=${onClose}>
      <${Action} icon="files" text="Open" onClick=${onOpen} />
      <${Delete} text="Delete folder" onClick=${() => askToDeleteFolder({ bucket, prefix })} />
      <//>
      <${Facts} class="panel-facts" rows=${[
        ["Address", html`<${Copied} text=${`s3://${bucket}/${prefix}`} what="the S3 address" />`],
        ["Objects", html`<${Tally} bucket=${bucket} prefix=${prefix} />`],
      ]} />
      <section class="s3-code">
        <h3>Put and list</h3>
        <${Snippets} snippets=${prefixSnippets(url, { bucket, prefix })} />
      </section>
  `;
}

/**
 * The size of a folder, counted on demand.
 * @param {{ bucket: string, prefix: string }} props
 */
function Tally({ bucket, prefix }) {
  const [counted, setCounted] = useState(
    /** @type {{ objects: number, bytes: number, done: boolean } | undefined} */ (undefined),
  );
  const ended = useRef(false);
  useEffect(() => () => {
    ended.current = true;
  }, []);
  const count = async () => {
    let [objects, bytes, token] = [0, 0, /** @type {string | undefined} */ ("")];
    try {
      while (token !== undefined && !ended.current) {
        /** @type {ObjectsView} */
        const page = await getJson(objectsPath(bucket, { prefix, continuation: token }));
        token = page.next_continuation_token;
        objects += page.objects.length;
        for (const { size } of page.objects) bytes += size;
        setCounted({ objects, bytes, done: token === undefined });
      }
    } catch (error) {
      toast(messageOf(error), { problem: true });
    }
  };
  if (counted === undefined) {
    return html`<button type="button" class="link-button" onClick=${count}>Count</button>`;
  }
  const { objects, bytes, done } = counted;
  return html`${formatCount(objects)}, ${formatSize(bytes)}${done ? "" : " so far"}`;
}
