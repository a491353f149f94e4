/** Export and import of captured items as one file. */
import { html, useEffect, useRef, useState } from "../lib/dom.js";
import { messageOf, sendFile, toQuery } from "../lib/api.js";
import { formatCount, formatSize, plural } from "../lib/format.js";
import { scoped } from "../lib/namespace.js";
import { ToolButton } from "./controls.js";
import { Modal } from "./dialog.js";
import { Icon } from "./icons.js";
import { Captured } from "./text.js";

/** @typedef {{ imported: number, known: number, dropped: number }} Imported */
/**
 * Progress of an import: uploading, imported, or refused.
 * @typedef {{ name: string, size: number, share?: number, imported?: Imported, problem?: string }} Taking
 */

/**
 * Tools of a page: download what it lists, and import a bundle.
 * @param {{ count: number, plugin?: string | undefined }} props `plugin` limits what is downloaded
 */
export function BundleTools({ count, plugin }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [taking, setTaking] = useState(/** @type {Taking | undefined} */ (undefined));
  const ended = useRef(new AbortController());
  useEffect(() => () => ended.current.abort(), []);
  const close = () => {
    ended.current.abort();
    setTaking(undefined);
  };
  const chosen = async () => {
    const file = input.current?.files?.[0];
    if (file === undefined) return;
    const { name, size } = file;
    const { signal } = ended.current = new AbortController();
    const tell = (/** @type {Partial<Taking>} */ more) =>
      signal.aborted || setTaking({ name, size, ...more });
    tell({ share: 0 });
    try {
      const imported = /** @type {Imported} */ (await sendFile("/import", file, {
        signal,
        onSent: (share) => tell({ share }),
      }));
      tell({ imported });
    } catch (error) {
      tell({ problem: messageOf(error) });
    }
    // Allows choosing the same file again.
    if (input.current !== null) input.current.value = "";
  };
  const label = "Export: download events and attachments in one file";
  const href = `/api/v1${scoped(`/export${toQuery({ plugin })}`)}`;
  return html`
    ${count === 0
      ? html`
        <${ToolButton} icon="download" text="Export" label=${label} disabled=${true}
          onClick=${close} />
      `
      : html`
        <a class="button quiet tool" href=${href} download title=${label} aria-label=${label}>
          <${Icon} name="download" /><span class="wide-only">Export</span>
        </a>
      `}
    <${ToolButton} icon="upload" text="Import" label="Import: open an exported file"
      onClick=${() => input.current?.click()} />
    <input ref=${input} type="file" accept=".zip,application/zip" hidden onChange=${chosen} />
    ${taking && html`<${TakingDialog} taking=${taking} onClose=${close} />`}
  `;
}

/** @param {Taking} taking */
function titleOf({ imported, problem }) {
  if (problem !== undefined) return "Not imported";
  return imported === undefined ? "Importing" : "Imported";
}

/** @param {{ taking: Taking, onClose: () => void }} props */
function TakingDialog({ taking, onClose }) {
  const { name, size, share, imported, problem } = taking;
  return html`
    <${Modal} title=${titleOf(taking)} onClose=${onClose}>
      <p><${Captured} text=${name} />, ${formatSize(size)}</p>
      <div role="status">
        ${share !== undefined && html`<${Progress} share=${share} />`}
        ${imported && html`<${Outcome} imported=${imported} />`}
      </div>
      ${problem !== undefined && html`
        <p class="problem" role="alert">
          <${Captured} text=${problem} />
        </p>
      `}
      <div class="dialog-actions">
        <button type="button" class="button" onClick=${onClose}>${share === undefined
          ? "Close"
          : "Cancel"}</button>
        ${imported && html`<a class="button" href="/ui/events/" onClick=${onClose}>Show events</a>`}
      </div>
      <//>
  `;
}

/** @param {{ share: number }} props of the file that was sent, from 0 to 1 */
function Progress({ share }) {
  const sent = share >= 1;
  return html`
    <progress class="taking-bar" aria-label="Sent" max="1"
      value=${sent ? undefined : share}></progress>
    <p>${sent ? "Reading the file…" : `${Math.floor(share * 100)} % sent`}</p>
  `;
}

/** @param {{ imported: Imported }} props */
function Outcome({ imported: { imported, known, dropped } }) {
  return html`
    <p>${plural(imported, "event")} imported.</p>
    ${known > 0 && html`<p>${formatCount(known)} already there, and left unchanged.</p>`}
    ${dropped > 0 &&
      html`<p>${formatCount(dropped)} dropped: too old, or no room left.</p>`}
  `;
}
