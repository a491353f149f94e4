/** The versions of one key, and how to bring one back. */
import { html } from "../../lib/dom.js";
import { messageOf, post } from "../../lib/api.js";
import { useFetched } from "../../lib/fetched.js";
import { formatSize } from "../../lib/format.js";
import { Action, Download } from "../../components/actions.js";
import { Chip, Time } from "../../components/controls.js";
import { toast } from "../../components/toast.js";

/** @import { VersionsView, VersionView } from "./types.d.ts" */

/** @param {{ bucket: string, id: string }} props `id` is the key */
export function Versions({ bucket, id }) {
  const path = `/s3/buckets/${encodeURIComponent(bucket)}/versions/${encodeURIComponent(id)}`;
  /** @type {{ value?: VersionsView }} */
  const { value } = useFetched(path, "s3");
  if (value === undefined) return null;
  return html`
    <section class="s3-versions" aria-label="Versions">
      <h3>Versions <span class="tab-count">${value.versions.length}</span></h3>
      <ul>
        ${value.versions.map((version) =>
          html`
            <${Line} key=${version.version_id} version=${version} />
          `
        )}
      </ul>
    </section>
  `;
}

/** @param {{ version: VersionView }} props */
function Line({ version }) {
  const { version_id: id, is_latest: isLatest, delete_marker: isMarker, links } = version;
  return html`
    <li>
      <span class="s3-place mono" title=${id}>${id}</span>
      ${isLatest && html`<${Chip}>latest<//>`}
      ${isMarker
        ? html`<${Chip}>delete marker<//>`
        : html`<span class="s3-fact">${formatSize(version.size ?? 0)}</span>`}
      <${Time} iso=${version.last_modified} />
      ${links.content !== undefined && html`<${Download} href=${links.content} what=${id} />`}
      ${links.restore !== undefined && html`
        <${Action} icon="up" text="Restore" label=${`Restore version ${id}`}
          onClick=${() => restore(links.restore ?? "")} />
      `}
    </li>
  `;
}

/** @param {string} link as the API gives it */
async function restore(link) {
  try {
    await post(link.replace(/^\/api\/v1/, ""));
    toast("Version restored");
  } catch (error) {
    toast(messageOf(error), { problem: true });
  }
}
