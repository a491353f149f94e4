/** One file: what is known of it, its beginning or its picture, and what can be done. */
import { html, useEffect, useState } from "../../lib/dom.js";
import { formatSize } from "../../lib/format.js";
import { setQuery } from "../../lib/router.js";
import { IconButton, Time } from "../../components/controls.js";
import { Icon } from "../../components/icons.js";
import { Captured, CapturedBlock } from "../../components/text.js";
import { messageOf } from "../../lib/api.js";

/** @import { Entry } from "./types.d.ts" */

/** Bytes of a text that are looked at. */
const TEXT_BYTES = 200_000;
/** Pictures that no browser runs anything of. */
const PICTURES = /^image\/(png|jpeg|gif|webp|avif|bmp|x-icon)/;
const TEXTS = /^text\/|json|xml|yaml|toml|javascript|x-sh|sql|csv/;

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
        html`<${Content} url=${content} type=${type} size=${size} name=${name} />`}
    </div>
  `;
}

/** @param {{ url: string, type: string, size: number, name: string }} props */
function Content({ url, type, size, name }) {
  if (size === 0) return html`<p class="quiet">The file is empty.</p>`;
  if (PICTURES.test(type)) {
    return html`<img class="files-image" src=${`${url}?inline=1`} alt=${name} />`;
  }
  if (TEXTS.test(type)) return html`<${Text} url=${url} size=${size} />`;
  return html`<p class="quiet">There is no preview of this type.</p>`;
}

/** @param {{ url: string, size: number }} props */
function Text({ url, size }) {
  const [text, setText] = useState(/** @type {string | undefined} */ (undefined));
  useEffect(() => {
    const ended = new AbortController();
    fetch(url, { headers: { range: `bytes=0-${TEXT_BYTES - 1}` }, signal: ended.signal })
      .then((response) => response.text())
      .catch((error) => messageOf(error))
      .then((read) => ended.signal.aborted || setText(read));
    return () => ended.abort();
  }, [url, size]);
  if (text === undefined) return null;
  return html`
    <${CapturedBlock} text=${text} />
    ${size > TEXT_BYTES && html`<p class="quiet">Only the beginning is shown.</p>`}
  `;
}
