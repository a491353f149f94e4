/** Multipart uploads in progress. Their parts make no events, so they are polled while the page is shown. */
import { html, useEffect, useState } from "../../lib/dom.js";
import { getJson } from "../../lib/api.js";
import { formatSize, plural } from "../../lib/format.js";
import { Chip, IconButton, Time } from "../../components/controls.js";
import { Captured } from "../../components/text.js";
import { askToAbort } from "./removal.js";

/** @import { UploadView } from "./types.d.ts" */

/** Polling interval, in milliseconds. */
const LOOK_MS = 2000;

/** @returns {readonly UploadView[]} */
export function useUploads() {
  const [uploads, setUploads] = useState(/** @type {readonly UploadView[]} */ ([]));
  useEffect(() => {
    const ended = new AbortController();
    let timer = 0;
    const look = async () => {
      if (!document.hidden) {
        try {
          /** @type {{ uploads: readonly UploadView[] }} */
          const answer = await getJson("/s3/uploads", { signal: ended.signal });
          setUploads((last) => last.length + answer.uploads.length === 0 ? last : answer.uploads);
        } catch {
          // The page already reports that the service is unreachable; the next poll may succeed.
        }
      }
      if (!ended.signal.aborted) timer = setTimeout(look, LOOK_MS);
    };
    void look();
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, []);
  return uploads;
}

/** @param {{ uploads: readonly UploadView[], bucket?: string }} props only those into `bucket`, if given */
export function Uploads({ uploads, bucket }) {
  const shown = uploads.filter((upload) => bucket === undefined || upload.bucket === bucket);
  if (shown.length === 0) return null;
  return html`
    <section class="s3-uploads" aria-label="Uploads in progress">
      <h3>Uploads in progress <span class="tab-count">${shown.length}</span></h3>
      <ol>
        ${shown.slice(0, 100).map((upload) =>
          html`
            <li key=${upload.upload_id}>
              <span class="s3-upload-place">
                <${Captured} text=${`${upload.bucket}/${upload.key}`} />
                <span class="quiet">${plural(upload.parts, "part")}, ${formatSize(
                  upload.bytes,
                )} so far · since <${Time} iso=${upload.initiated} /></span>
              </span>
              ${upload.active && html`<${Chip}>receiving<//>`}
              <${IconButton} icon="trash" label="Abort this upload" danger=${true}
                disabled=${upload.active} onClick=${() => askToAbort(upload)} />
            </li>
          `
        )}
      </ol>
      ${shown.length > 100 && html`<p class="quiet">The first 100 of ${shown.length}.</p>`}
    </section>
  `;
}
