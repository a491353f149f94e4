/** One object: facts, preview, and how to download it. */
import { html } from "../../lib/dom.js";
import { useFetched } from "../../lib/fetched.js";
import { absoluteTime, exactSize } from "../../lib/format.js";
import { useKeys } from "../../lib/keys.js";
import { setQuery } from "../../lib/router.js";
import { Delete, Download } from "../../components/actions.js";
import { Copied, Head, iconOf } from "../../components/browse.js";
import { Time } from "../../components/controls.js";
import { ContentPreview } from "../../components/content_preview.js";
import { Empty, Snippets } from "../../components/empty.js";
import { Facts } from "../../components/facts.js";
import { HeadersTable } from "../../components/headers_table.js";
import { objectsPath } from "./listing.js";
import { encryptionOf } from "./protection.js";
import { askToDeleteObject } from "./removal.js";
import { Versions } from "./versions.js";
import { isAddressable, objectSnippets, objectUrl } from "./snippets.js";

/** @import { Children } from "../../lib/dom.js" */
/** @import { ObjectsView, ObjectView } from "./types.d.ts" */

/** Expiry of objects that have none themselves. */
const NO_DATE = "0001-01-01T00:00:00Z";

/** Labels of the stored headers. */
const HEADERS = /** @type {const} */ ([
  ["Cache-Control", "cache_control"],
  ["Content-Disposition", "content_disposition"],
  ["Content-Encoding", "content_encoding"],
  ["Content-Language", "content_language"],
]);

const close = () => setQuery({ key: null });

/**
 * Fetches the object of an exact key, as the first one with that prefix, so that no key has to be
 * part of a path.
 * @param {{ bucket: string, id: string, url: string, next: string | null }} props `next` is shown when it is deleted
 */
export function ObjectDetail({ bucket, id, url, next }) {
  const path = objectsPath(bucket, { prefix: id, max_keys: 1 });
  /** @type {{ value?: ObjectsView, problem?: string }} */
  const { value } = useFetched(path, "s3");
  const object = value?.objects.find(({ key }) => key === id);
  if (value === undefined) return null;
  const versions = value.bucket.versioning !== undefined && html`
    <${Versions} bucket=${bucket} id=${id} />
  `;
  if (object !== undefined) {
    return html`<${Shown} object=${object} url=${url} next=${next} versions=${versions} />`;
  }
  return html`
    <${Head} icon="file" name=${id} onClose=${close} />
    <${Empty} icon="search" title="Object not found">
      <p>It was deleted, or not uploaded yet. It appears here when it is.</p>
      <//>
    ${versions}
  `;
}

/** @param {{ object: ObjectView, url: string, next: string | null, versions: Children }} props */
function Shown({ object, url, next, versions }) {
  const { bucket, key, size, headers, links } = object;
  const reachable = isAddressable(key);
  const askFirst = () => askToDeleteObject(object, { next, hasVersions: versions !== false });
  useKeys([
    { keys: "Escape", about: "Close the object", group: "S3", run: close },
    ...(reachable
      ? [{ keys: "#", about: "Delete, after confirmation", group: "S3", run: askFirst }]
      : []),
  ]);
  const name = key.slice(key.lastIndexOf("/") + 1) || key;
  return html`
    <${Head} icon=${iconOf({ folder: false, type: headers.content_type ?? "" })} name=${name}
      onClose=${close}>
      ${reachable && html`
        <${Download} href=${links.content} />
        <${Delete} onClick=${askFirst} />
      `}
    <//>
    <${About} object=${object} url=${url} />
    <section class="panel-preview" aria-label="Preview">
      ${reachable
        ? html`
          <${ContentPreview} key=${`${object.etag} ${object.last_modified}`} url=${links.content}
            type=${headers.content_type ?? ""} size=${size} name=${name}
            encoded=${headers.content_encoding !== undefined} />
        `
        : html`<p class="quiet">A browser would resolve this key as a relative path: use an S3 client.</p>`}
    </section>
    ${versions}
    <${Tables} object=${object} />
    <section class="s3-code"><h3>Get it</h3>
      <${Snippets} snippets=${objectSnippets(url, { bucket, key })} />
    </section>
  `;
}

/** @param {{ object: ObjectView, url: string }} props */
function About({ object, url }) {
  const { bucket, key, size, etag, last_modified: modified, headers } = object;
  return html`
    <${Facts} class="panel-facts" rows=${[
      ["Address", html`<${Copied} text=${`s3://${bucket}/${key}`} what="the S3 address" />`],
      ["URL", html`<${Copied} text=${objectUrl(url, { bucket, key })} what="the URL" />`],
      [
        "Size",
        exactSize(size),
      ],
      ["Type", headers.content_type],
      [
        "Modified",
        html`<${Time} iso=${modified} /> <span class="quiet">${absoluteTime(modified)}</span>`,
      ],
      ["ETag", html`<${Copied} text=${etag} what="the ETag" />`],
      // The ETag of a multipart upload ends in a dash and the number of parts.
      ["Version", object.version_id],
      ["Parts", /-(\d+)$/.exec(etag)?.[1]],
      ["Class", object.storage_class],
      ["Encryption", encryptionOf(object)],
      ["Retention", retentionOf(object)],
      [
        "Legal hold",
        object.legal_hold === undefined ? undefined : object.legal_hold ? "on" : "off",
      ],
      ...HEADERS.map(([name, field]) => /** @type {const} */ ([name, headers[field]])),
      ["Expires", headers.expires === NO_DATE ? undefined : absoluteTime(headers.expires ?? "")],
    ]} />
  `;
}

/** @param {ObjectView} object */
function retentionOf({ retention }) {
  return retention && `${retention.mode}, until ${absoluteTime(retention.until)}`;
}

/** @param {{ object: ObjectView }} props */
function Tables({ object: { checksums, metadata, tags } }) {
  const { type, ...values } = checksums;
  return html`
    ${metadata !== undefined && html`
      <section>
        <h3>Metadata</h3>
        <${HeadersTable} caption="Metadata" headers=${toMap(metadata)} />
      </section>
    `}
    ${tags !== undefined && html`
      <section>
        <h3>Tags</h3>
        <${HeadersTable} caption="Tags" headers=${toMap(tags)} />
      </section>
    `}
    ${type !== undefined && html`
      <section>
        <h3>Checksums <span class="tab-count">${type === "COMPOSITE"
          ? "of the parts' checksums"
          : "of all bytes"}</span></h3>
        <${HeadersTable} caption="Checksums" headers=${toMap(
          Object.fromEntries(
            Object.entries(values).map(([name, value]) => [name.toUpperCase(), value]),
          ),
        )} />
      </section>
    `}
  `;
}

/**
 * @param {Readonly<Record<string, string>>} values
 * @returns {import("../../lib/types.d.ts").HeaderMap}
 */
function toMap(values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));
}
