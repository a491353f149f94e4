/** What is known of something, one name and value a line. */
import { html } from "../lib/dom.js";
import { Captured } from "./text.js";

/**
 * Lines without a value are left out.
 * @param {{ rows: readonly (readonly [name: string, value: string | undefined])[], class?: string }} props
 */
export function Facts({ rows, class: extra = "" }) {
  return html`
    <dl class=${`facts ${extra}`}>
      ${rows.map(([name, value]) =>
        value && html`
          <div key=${name}>
            <dt>${name}</dt>
            <dd>
              <${Captured} text=${value} />
            </dd>
          </div>
        `
      )}
    </dl>
  `;
}
