/** Files of a message: never shown automatically, because they may contain anything. */
import { html } from "../../lib/dom.js";
import { formatSize } from "../../lib/format.js";
import { Icon } from "../../components/icons.js";
import { Captured } from "../../components/text.js";

/** @import { ChatFile } from "./types.d.ts" */

/** @param {{ files: readonly ChatFile[] }} props */
export function Files({ files }) {
  return html`<ul class="post-files" aria-label="Files">${
    files.map((file, i) => html`<${Item} key=${i} file=${file} />`)
  }</ul>`;
}

/** @param {{ file: ChatFile }} props */
function Item({ file: { blob, size, filename = "(no name)", title, content_type } }) {
  return html`
    <li>
      <${Icon} name=${content_type?.startsWith("image/") ? "image" : "file"} size=${18} />
      <${Captured} class="post-file-name" text=${title || filename} />
      <span class="quiet">${formatSize(size)}</span>
      <a class="icon-button" href=${`/api/v1/blobs/${encodeURIComponent(blob.id)}`} download
        title="Download" aria-label=${`Download ${filename}`}><${Icon} name="download" /></a>
    </li>
  `;
}
