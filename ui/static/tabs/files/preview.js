/** One file: what is known of it, its beginning or its picture, and what can be done. */
import { html } from "../../lib/dom.js";
import { formatSize } from "../../lib/format.js";
import { setQuery } from "../../lib/router.js";
import { IconButton, Time } from "../../components/controls.js";
import { Icon } from "../../components/icons.js";
import { ContentPreview } from "../../components/content_preview.js";
import { Captured } from "../../components/text.js";

/** @import { Entry } from "./types.d.ts" */

/** @param {{ entry: Entry, onDelete: () => void }} props */
export function Preview({ entry, onDelete }) {
  const { name, path, size, content_type: type = "", mod_time: modified, provider = "" } = entry;
  const content = entry.links.content;
  return html`
    <div class="files-preview">
      <header class="files-head">
        <${IconButton} icon="back" label="Back to the list" class="back"
          onClick=${() => setQuery({ file: null })} />
        <h2><${Captured} text=${name} /></h2>
        ${content &&
          html`<a class="button" href=${content} download><${Icon} name="download" /> Download</a>`}
        ${entry.dir && html`
          <button type="button" class="button" onClick=${() =>
            setQuery({ path, file: null })}>Open</button>
        `}
        <button type="button" class="button quiet danger" onClick=${onDelete}>
          <${Icon} name="trash" /> Delete
        </button>
      </header>
      <p class="quiet"><${Captured} text=${path} /></p>
      <p class="quiet">${entry.dir
        ? "Directory"
        : `${formatSize(size)}, ${type}`}, by ${provider}, ${html`<${Time} iso=${modified} />`}</p>
      ${content !== undefined &&
        html`
          <${ContentPreview} url=${content} pictureUrl=${`${content}?inline=1`} type=${type}
            size=${size} name=${name} />
        `}
    </div>
  `;
}
