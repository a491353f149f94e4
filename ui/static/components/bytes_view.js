/** Bytes as text or as a hexadecimal dump, with copy and download. */
import { html, useMemo, useState } from "../lib/dom.js";
import { fromBase64, hexRows, ROW_BYTES, saveFile } from "../lib/bytes.js";
import { formatSize } from "../lib/format.js";
import { CopyButton, Tabs } from "./controls.js";
import { Icon } from "./icons.js";
import { PointedBlock } from "./pointing.js";
import { CapturedBlock } from "./text.js";

/** @import { Pointing } from "./pointing.js" */

/** Rows of a dump shown at first, and added by each "more". */
const STEP_ROWS = 256;
const STEP_TEXT = 200_000;

/**
 * @param {{ base64: string, text: string | undefined, filename: string, label: string, pointing?: Pointing | undefined }} props
 *   `text` is the decoded body if it is text; the dump is then the second choice
 */
export function BytesView({ base64, text, filename, label, pointing }) {
  const bytes = useMemo(() => fromBase64(base64), [base64]);
  const [mode, setMode] = useState(text === undefined ? "hex" : "text");
  const [rows, setRows] = useState(STEP_ROWS);
  const [characters, setCharacters] = useState(STEP_TEXT);
  if (bytes.length === 0) return html`<p class="quiet">Empty: no bytes were received here.</p>`;
  return html`<div class="bytes">
    <div class="bytes-bar">
      <${Tabs} label=${`Show ${label} as`} class="small" current=${mode} onPick=${setMode} items=${[
    ...(text === undefined ? [] : [{ id: "text", label: "Text" }]),
    { id: "hex", label: "Hex" },
  ]} />
      <span class="bytes-size">${formatSize(bytes.length)}</span>
      ${
    text !== undefined && html`<${CopyButton} text=${text} label="Copy" title=${`Copy ${label}`} />`
  }
      <button type="button" class="button" onClick=${() => saveFile(bytes, filename)}>
        <${Icon} name="download" />Download
      </button>
    </div>
    ${
    mode === "text" && text !== undefined
      ? html`
        <${pointing === undefined ? CapturedBlock : PointedBlock} text=${text}
          pointing=${pointing} shown=${characters} onMore=${() => setCharacters(characters * 2)} />
      `
      : html`<${Hex} bytes=${bytes} rows=${rows} onMore=${() => setRows(rows * 2)} />`
  }
  </div>`;
}

/**
 * The first rows of a dump.
 * @param {{ bytes: Uint8Array, rows: number, onMore?: () => void }} props without `onMore`, no more is offered
 */
export function Hex({ bytes, rows, onMore }) {
  const lines = hexRows(bytes, rows * ROW_BYTES);
  const left = bytes.length - lines.length * ROW_BYTES;
  return html`<pre class="hex" tabindex="0">${
    lines.map(({ offset, hex, text }) =>
      html`
        <span class="hex-offset">${offset}</span>  ${hex}  <span
          class="hex-text">${text}</span>${"\n"}
      `
    )
  }</pre>
  ${
    left > 0 && onMore !== undefined &&
    html`
      <p
        class="cut">${formatSize(
          left,
        )} more. <button type="button" class="button" onClick=${onMore}>Show more</button></p>
    `
  }`;
}
