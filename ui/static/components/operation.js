/** An operation on a file or an object, and the bytes it stored. */
import { html } from "../lib/dom.js";
import { ContentPreview } from "./content_preview.js";
import { Facts } from "./facts.js";
import { Captured } from "./text.js";

/** @import { Children } from "../lib/dom.js" */

/**
 * @param {{ title: string, name: string, type: string, href: string | undefined,
 *   blob: { readonly id: string, readonly size: number } | undefined,
 *   rows: readonly (readonly [string, Children])[] }} props `href` is its current location; `blob` holds its bytes until
 *   they are replaced
 */
export function OperationItem({ title, name, type, href, blob, rows }) {
  const heading = html`<${Captured} text=${title} />`;
  return html`
    <h2>${href === undefined ? heading : html`<a class="out" href=${href}>${heading}</a>`}</h2>
    <${Facts} rows=${rows} />
    ${blob !== undefined && html`
      <section class="panel-preview" aria-label="Content">
        <${ContentPreview} url=${`/api/v1/blobs/${encodeURIComponent(blob.id)}`} type=${type}
          size=${blob.size} name=${name} />
      </section>
    `}
  `;
}
