/** One-time codes and links of an item, ready to copy. */
import { html, useState } from "../lib/dom.js";
import { shortAddress } from "../lib/format.js";
import { CopyChip } from "./controls.js";
import { Icon } from "./icons.js";
import { Captured, OutLink } from "./text.js";

/** @import { Extracted } from "../lib/types.d.ts" */

/** Number of each kind shown before "more". */
const FIRST = 4;

/** @param {{ extracted: Pick<Extracted, "codes" | "links"> | undefined }} props */
export function CodesAndLinks({ extracted: { codes, links } = { codes: [], links: [] } }) {
  const [all, setAll] = useState(false);
  if (codes.length + links.length === 0) return null;
  const most = all ? Infinity : FIRST;
  const left = Math.max(0, codes.length - most) + Math.max(0, links.length - most);
  return html`
    <ul class="found-chips" aria-label="Codes and links">
      ${codes.slice(0, most).map((code) =>
        html`
          <li key=${`code ${code}`}>
            <${CopyChip} text=${code} title=${`Copy the code ${code}`}
            ><strong class="mono"><${Captured} text=${code} /></strong><//></li>
        `
      )}
      ${links.slice(0, most).map((link) =>
        html`
          <li key=${link} class="found-link">
            <${CopyChip} text=${link} title=${`Copy the link ${link}`}>
              <${Captured} text=${shortAddress(link)} />
              <//>
              <${OutLink} href=${link}><${Icon} name="external" size=${13} /><span
              class="hidden">Open <${Captured} text=${link} /></span><//>
          </li>
        `
      )}
      ${left > 0 && html`
        <li><button type="button" class="link-button" onClick=${() =>
          setAll(true)}>${left} more</button></li>
      `}
    </ul>
  `;
}
