/** The receipt of a message as sent, and the digests that a sender may compare. */
import { html, useState } from "../../lib/dom.js";
import { formatCount } from "../../lib/format.js";
import { Facts } from "../../components/facts.js";
import { HeadersTable } from "../../components/headers_table.js";
import { CopyButton } from "../../components/controls.js";
import { Captured } from "../../components/text.js";
import { LoadedBytes } from "./bytes.js";

/** @import { As2View, MdnRecord, Mic } from "./types.d.ts" */

/** @param {{ view: As2View }} props */
export function Receipt({ view }) {
  const { mdn } = view.message;
  return html`
    <${Digests} view=${view} />
    ${mdn === undefined
      ? html`<p class="quiet">No receipt was requested: the request has no Disposition-Notification-To.</p>`
      : html`<${SentReceipt} view=${view} mdn=${mdn} />`}
  `;
}

/** @param {{ view: As2View, mdn: MdnRecord }} props */
function SentReceipt({ view, mdn }) {
  return html`
    <h3>As sent</h3>
    <${Facts} class="as2-facts" rows=${[
      ["Disposition", mdn.disposition],
      ["Signed", mdn.signed ? `yes, ${mdn.micalg ?? ""}` : "no"],
      ["Status", String(mdn.status)],
      ["Message id", mdn.message_id],
      ["Human-readable text", mdn.human_text],
    ]} />
    ${mdn.headers !== undefined &&
      html`<${HeadersTable} headers=${mdn.headers} caption="Header fields of the receipt" />`}
    ${view.mdn_url !== undefined &&
      html`<${LoadedBytes} url=${view.mdn_url} filename=${`${view.id}.mdn`} label="the receipt" />`}
  `;
}

/** @param {{ view: As2View }} props */
function Digests({ view }) {
  const { mic, alternate_mics = [], mdn } = view.message;
  const [theirs, setTheirs] = useState("");
  const wanted = digestIn(theirs);
  const rows = [
    ...(mic === undefined ? [] : [{ mic, title: "Returned" }]),
    ...alternate_mics.map((other) => ({ mic: other, title: "Other reading" })),
  ];
  const found = rows.find(({ mic: { digest } }) => digest === wanted);
  return html`
    <h3>Digests (MIC)</h3>
    ${rows.length === 0
      ? html`<p class="quiet">None: the bytes that it covers could not be unwrapped.</p>`
      : html`
        <table class="as2-mics">
          <thead>
            <tr>
              <th scope="col">Reading</th>
              <th scope="col">Covers</th>
              <th scope="col">Digest</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map(({ mic, title }) =>
              html`
                <${MicRow} key=${mic.coverage} title=${title} mic=${mic}
                  matches=${wanted !== "" && mic.digest === wanted}
                  returned=${isReturned(mdn, mic)} />
              `
            )}
          </tbody>
        </table>
        <div class="as2-compare">
          <label for="as2-theirs">Compare with the sender's</label>
          <input id="as2-theirs" type="text" placeholder="Base64, as in Received-Content-MIC"
            autocomplete="off" spellcheck=${false} maxlength="500" value=${theirs}
            onInput=${(/** @type {InputEvent} */ event) =>
              setTheirs(/** @type {HTMLInputElement} */ (event.target).value)} />
          <output for="as2-theirs" class=${found === undefined ? "bad" : "good"}>${wanted === ""
            ? ""
            : found === undefined
            ? "None of these: the sender digested different bytes, or used another algorithm"
            : `The same: ${found.mic.coverage.replaceAll("-", " ")}`}</output>
        </div>
      `}
  `;
}

/**
 * Returns whether the receipt returned this digest.
 * @param {MdnRecord | undefined} mdn
 * @param {Mic} mic
 */
function isReturned(mdn, { digest }) {
  return digestIn(mdn?.received_content_mic ?? "") === digest;
}

/** Removes the name of the algorithm. @param {string} text */
function digestIn(text) {
  return (text.split(",")[0] ?? "").replace(/^.*:/s, "").trim();
}

/** @param {{ title: string, mic: Mic, matches: boolean, returned: boolean }} props */
function MicRow({ title, mic, matches, returned }) {
  return html`
    <tr class=${matches ? "match" : ""}>
      <td>${title}${returned && html`<span class="as2-returned">in the receipt</span>`}</td>
      <td>${mic.coverage.replaceAll("-", " ")}, ${formatCount(mic.bytes)} bytes
        ${mic.note && html`<span class="as2-note">${mic.note}</span>`}</td>
      <td class="as2-digest"><code><${Captured} text=${mic.digest} /></code>
        <${CopyButton} text=${mic.digest} title="Copy the digest" />
        <span class="as2-note"><${Captured} text=${mic.algorithm} /></span></td>
    </tr>
  `;
}
