/** Header fields, one value per line. */
import { html } from "../lib/dom.js";
import { Captured } from "./text.js";

/** @import { HeaderMap } from "../lib/types.d.ts" */

/** @param {{ headers: HeaderMap, caption: string }} props */
export function HeadersTable({ headers, caption }) {
  const rows = Object.entries(headers).flatMap(([name, values]) =>
    values.map((value) => [name, value])
  );
  return html`
    <table class="headers">
      <caption class="hidden">${caption}</caption>
      <tbody>
          ${rows.map(([name, value]) =>
            html`
              <tr>
                <th scope="row">
                  <${Captured} text=${name} />
                </th>
                <td>
                  <${Captured} text=${value} />
                </td>
              </tr>
            `
          )}
        </tbody>
    </table>
  `;
}
