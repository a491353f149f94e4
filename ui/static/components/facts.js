/** What is known of something, one name and value a line. */
import { html } from "../lib/dom.js";
import { Captured } from "./text.js";

/**
 * Lines without a value are left out; a text counts as captured.
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
