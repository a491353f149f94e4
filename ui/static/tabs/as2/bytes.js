/** The beginning of a resource, as bytes. */
import { html, useEffect, useState } from "../../lib/dom.js";
import { messageOf } from "../../lib/api.js";
import { toBase64 } from "../../lib/bytes.js";
import { formatSize } from "../../lib/format.js";
import { BytesView } from "../../components/bytes_view.js";
import { Problem } from "../../components/page.js";

/** Maximum bytes fetched of a resource. */
const MAX_BYTES = 512 * 1024;

/**
 * @typedef {{ bytes?: Uint8Array, total?: number, problem?: string }} Loaded `total` is the size of all of it
 */

/**
 * Fetches the beginning of a resource.
 * @param {string} url
 * @returns {Loaded}
 */
export function useBeginning(url) {
  const [state, setState] = useState(/** @type {Loaded} */ ({}));
  useEffect(() => {
    const ended = new AbortController();
    load(url, ended.signal)
      .then((loaded) => !ended.signal.aborted && setState(loaded))
      .catch((error) => !ended.signal.aborted && setState({ problem: messageOf(error) }));
    return () => ended.abort();
  }, [url]);
  return state;
}

/**
 * @param {string} url
 * @param {AbortSignal} signal
 * @returns {Promise<Loaded>}
 */
async function load(url, signal) {
  const headers = { range: `bytes=0-${MAX_BYTES - 1}` };
  const response = await fetch(url, { signal, headers });
  // An empty resource has no range.
  if (response.status === 416) return { bytes: new Uint8Array(), total: 0 };
  if (!response.ok) return { problem: `The service answered ${response.status}` };
  const bytes = new Uint8Array(await response.arrayBuffer());
  const total = Number(/\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1]);
  return { bytes, total: total || bytes.length };
}

/**
 * Decodes bytes as UTF-8, whose last character may be cut; `undefined` for other bytes.
 * @param {Uint8Array} bytes
 * @returns {string | undefined}
 */
export function textOf(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return /(?![\t\n\f\r])\p{Cc}/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** @param {{ shown: number, total: number, url: string }} props */
export function TruncationNote({ shown, total, url }) {
  if (shown >= total) return null;
  return html`
    <p class="cut">The first ${formatSize(shown)} of ${formatSize(total)}.
      ${" "}<a href=${url} download>Download all</a></p>
  `;
}

/** @param {{ url: string, filename: string, label: string }} props */
export function LoadedBytes({ url, filename, label }) {
  const { bytes, total = 0, problem } = useBeginning(url);
  if (bytes === undefined) return html`<${Problem} text=${problem} />`;
  return html`
    <${TruncationNote} shown=${bytes.length} total=${total} url=${url} />
    <${BytesView} base64=${toBase64(bytes)} text=${textOf(bytes)} filename=${filename}
      label=${label} />
  `;
}
