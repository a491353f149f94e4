/** Facts about an item, one name and value per line. */
import { html } from "../lib/dom.js";
import { Captured } from "./text.js";

/**
 * Skips facts without a value; treats strings as captured text.
 * @param {{ rows: readonly (readonly [name: string, value: import("../lib/dom.js").Children])[], class?: string }} props
 */
export function Facts({ rows, class: extra = "" }) {
  return html`
    <dl class=${`facts ${extra}`}>
      ${rows.map(([name, value]) =>
        value && html`
          <div key=${name}>
            <dt>${name}</dt>
            <dd>
              ${typeof value === "string" ? html`<${Captured} text=${value} />` : value}
            </dd>
          </div>
        `
      )}
    </dl>
  `;
}
