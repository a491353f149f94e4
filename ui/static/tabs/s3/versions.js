/** The versions of one key: read, restored and deleted one by one. */
import { html, useState } from "../../lib/dom.js";
import { messageOf, post, toQuery } from "../../lib/api.js";
import { useFetched } from "../../lib/fetched.js";
import { formatCount, formatSize } from "../../lib/format.js";
import { Action, Download } from "../../components/actions.js";
import { Chip, Time } from "../../components/controls.js";
import { toast } from "../../components/toast.js";
import { lockOf } from "./protection.js";
import { askToDeleteVersion } from "./removal.js";

/** @import { VersionsView, VersionView } from "./types.d.ts" */

/** Versions shown at first, and added each time; the API returns at most 1000. */
const STEP = 50;
const MOST = 1000;

/** @param {{ bucket: string, id: string }} props `id` is the key */
export function Versions({ bucket, id }) {
  const [most, setMost] = useState(STEP);
  const path = `/s3/buckets/${encodeURIComponent(bucket)}/versions/${encodeURIComponent(id)}` +
    toQuery({ max_versions: most });
  /** @type {{ value?: VersionsView }} */
  const { value } = useFetched(path, "s3");
  if (value === undefined) return null;
  const { versions, count } = value;
  return html`
    <section class="s3-versions" aria-label="Versions">
      <h3>Versions <span class="tab-count">${formatCount(count)}</span></h3>
      <ul>
        ${versions.map((version) =>
          html`
            <${Line} key=${version.version_id} version=${version} isOnly=${count === 1} />
          `
        )}
      </ul>
      ${versions.length < count && html`
        <p class="quiet">The newest ${formatCount(versions.length)} of ${formatCount(count)}.
          ${most < MOST && html`
            <button type="button" class="link-button"
              onClick=${() => setMost(Math.min(MOST, most + STEP))}>Show more</button>
          `}
        </p>
      `}
    </section>
  `;
}

/** @param {{ version: VersionView, isOnly: boolean }} props */
function Line({ version, isOnly }) {
  const { version_id: id, is_latest: isLatest, delete_marker: isMarker, links } = version;
  const lock = lockOf(version);
  return html`
    <li>
      <span class="s3-place mono" title=${id}>${shorten(id)}</span>
      ${isLatest && html`<${Chip}>latest<//>`}
      ${isMarker
        ? html`<${Chip}>delete marker<//>`
        : html`<span class="s3-fact">${formatSize(version.size ?? 0)}</span>`}
      ${lock !== undefined && html`<${Chip} title=${lock}>locked<//>`}
      <${Time} iso=${version.last_modified} />
      ${links.content !== undefined && html`<${Download} href=${links.content} what=${id} />`}
      ${links.restore !== undefined && html`
        <${Action} icon="up" text="Restore" label=${`Restore version ${id}`}
          onClick=${() => restore(links.restore ?? "")} />
      `}
      <${Action} icon="trash" text="Delete" label=${`Delete version ${id}`} danger=${true}
        onClick=${() => askToDeleteVersion(version, { isOnly })} />
    </li>
  `;
}

/**
 * The end of an id: the beginning encodes the time, and is nearly the same for all.
 * @param {string} id
 */
function shorten(id) {
  return id.length > 16 ? `…${id.slice(-12)}` : id;
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
