/** The bodies of a message as text, and their link targets. */
import { html, useState } from "../../lib/dom.js";
import { plural } from "../../lib/format.js";
import { CopyButton } from "../../components/controls.js";
import { Icon } from "../../components/icons.js";
import { PointedBlock } from "../../components/pointing.js";
import { Captured, CapturedBlock, OutLink } from "../../components/text.js";

/** @import { Pointing } from "../../components/pointing.js" */

/** Characters shown at first, and added by each "more". */
const STEP = 200_000;

/** @param {{ text: string, pointing?: Pointing | undefined }} props */
export function TextBody({ text, pointing }) {
  const [shown, setShown] = useState(STEP);
  return html`
    <${pointing === undefined ? CapturedBlock : PointedBlock} text=${text}
      pointing=${pointing} shown=${shown} onMore=${() => setShown(shown * 2)} />
  `;
}

/** The source as sent. @param {{ source: string, pointing?: Pointing | undefined }} props */
export function HtmlSource({ source, pointing }) {
  return html`
    <div class="bytes-bar"><span class="bytes-size">${plural(source.length, "character")}</span>
      <${CopyButton} text=${source} label="Copy" title="Copy the HTML source" /></div>
    <${TextBody} text=${source} pointing=${pointing} />
  `;
}

/** @param {{ urls: readonly string[] }} props */
export function Links({ urls }) {
  return html`
    <p class="quiet">Where the links of the HTML body lead. Nothing was fetched.</p>
    <ul class="links">
          ${urls.map((url) =>
            html`
              <li key=${url}>
                <${Icon} name="link" size=${14} />
                <${OutLink} href=${url}>
                  <${Captured} text=${url} />
                  <//>
                  <${CopyButton} text=${url} title="Copy the address" />
                  </li>
            `
          )}
        </ul>
  `;
}
