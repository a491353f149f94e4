/** Problems of a captured item. */
import { html } from "../lib/dom.js";
import { Icon } from "./icons.js";
import { Captured } from "./text.js";

/**
 * @param {{ issues?: readonly { readonly code: string, readonly detail: string, readonly severity: string }[] }} props
 */
export function Issues({ issues = [] }) {
  if (issues.length === 0) return null;
  return html`<ul class="issues">
    ${
    issues.map(({ code, detail, severity }, at) =>
      html`
        <li key=${at} class=${severity}>
          <${Icon} name="warning" /><code>${code}</code><${Captured} text=${detail} />
        </li>
      `
    )
  }
  </ul>`;
}
