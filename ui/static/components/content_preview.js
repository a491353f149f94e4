/** A preview of stored bytes, or their picture; nothing in them runs. */
import { html, useEffect, useMemo, useState } from "../lib/dom.js";
import { messageOf } from "../lib/api.js";
import { formatSize } from "../lib/format.js";
import { Hex } from "./bytes_view.js";
import { Tabs } from "./controls.js";
import { JsonView } from "./json_view.js";
import { CapturedBlock } from "./text.js";

/** Bytes of a text to fetch. */
const TEXT_BYTES = 200_000;
/** Bytes of other content to fetch. */
const HEX_BYTES = 4096;
const HEX_ROWS = HEX_BYTES / 16;
/** Larger pictures are not shown. */
const MAX_PICTURE = 20_000_000;
/** Picture formats that cannot contain scripts. */
const PICTURES = /^image\/(png|jpeg|gif|webp|avif|bmp|x-icon)/;
const TEXTS = /^text\/|json|xml|yaml|toml|javascript|x-sh|sql|csv/;

/**
 * @param {{ url: string, pictureUrl?: string, type: string, size: number, name: string, encoded?: boolean }} props
 *   `encoded`: the bytes are compressed in transit, so a range of them cannot be read
 */
export function ContentPreview({ url, pictureUrl = url, type, size, name, encoded = false }) {
  const [broken, setBroken] = useState(false);
  const kind = type.toLowerCase();
  if (size === 0) return html`<p class="quiet">Empty: no bytes.</p>`;
  if (PICTURES.test(kind) && size <= MAX_PICTURE && !broken) {
    return html`
      <img class="content-picture" src=${pictureUrl} alt=${name} decoding="async"
        onError=${() => setBroken(true)} />
    `;
  }
  const isText = TEXTS.test(kind);
  const bytes = isText ? TEXT_BYTES : HEX_BYTES;
  if (encoded && size > bytes) {
    return html`<p class="quiet">Large compressed content has no preview.</p>`;
  }
  return html`
    ${broken && html`<p class="quiet">The browser cannot show this image.</p>`}
    <${Beginning} url=${url} size=${size} bytes=${bytes} isText=${isText}
      whole=${encoded} />
  `;
}

/** @param {{ url: string, size: number, bytes: number, isText: boolean, whole: boolean }} props */
function Beginning({ url, size, bytes, isText, whole }) {
  const { read, problem } = useBeginning(url, { size, bytes, whole });
  const [picked, setPicked] = useState("");
  const text = useMemo(() => isText && read ? new TextDecoder().decode(read) : undefined, [read]);
  const json = useMemo(() => size > bytes ? undefined : parseJson(text), [text]);
  if (problem !== undefined) return html`<p class="problem" role="alert">${problem}</p>`;
  if (read === undefined) return null;
  const modes = [
    ...(json === undefined ? [] : [{ id: "json", label: "JSON" }]),
    ...(text === undefined ? [] : [{ id: "text", label: "Text" }]),
    { id: "hex", label: "Hex" },
  ];
  const mode = picked === "" ? modes[0]?.id : picked;
  return html`
    ${modes.length > 1 && html`
      <${Tabs} label="Show the content as" class="small content-modes" current=${mode}
        onPick=${setPicked} items=${modes} />
    `}
    ${mode === "json"
      ? html`<${JsonView} value=${json} label="Content" open=${3} />`
      : mode === "text"
      ? html`<${CapturedBlock} text=${text} />`
      : html`<${Hex} bytes=${read} rows=${HEX_ROWS} />`}
    ${size > bytes &&
      html`<p class="cut">The first ${formatSize(bytes)} of ${formatSize(size)}.</p>`}
  `;
}

/**
 * Only objects and arrays are worth a tree.
 * @param {string | undefined} text
 * @returns {unknown}
 */
function parseJson(text = "") {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @param {string} url
 * @param {{ size: number, bytes: number, whole: boolean }} about
 * @returns {{ read?: Uint8Array, problem?: string }}
 */
function useBeginning(url, { size, bytes, whole }) {
  const [state, setState] = useState(/** @type {{ read?: Uint8Array, problem?: string }} */ ({}));
  useEffect(() => {
    const ended = new AbortController();
    const load = async () => {
      const headers = whole ? {} : { range: `bytes=0-${bytes - 1}` };
      try {
        const response = await fetch(url, { headers, signal: ended.signal });
        if (!response.ok) {
          throw new Error(`Cannot show the content: the service answered ${response.status}`);
        }
        const read = new Uint8Array(await response.arrayBuffer());
        if (!ended.signal.aborted) setState({ read });
      } catch (error) {
        if (!ended.signal.aborted) setState({ problem: messageOf(error) });
      }
    };
    void load();
    return () => ended.abort();
  }, [url, size, bytes, whole]);
  return state;
}
