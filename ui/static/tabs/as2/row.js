/** A row of the list of AS2 messages, and the badges of a message. */
import { html } from "../../lib/dom.js";
import { formatSize } from "../../lib/format.js";
import { Chip, Time, UnreadDot } from "../../components/controls.js";
import { Icon } from "../../components/icons.js";
import { Captured } from "../../components/text.js";

/** @import { As2Message, As2View } from "./types.d.ts" */

/** @param {{ view: As2View, unread: boolean }} props */
export function Row({ view, unread }) {
  const { message, title } = view;
  const { payload } = message;
  return html`
    <span class=${`item-row ${unread ? "unread" : ""}`}>
      <span class="row-line">
        <${UnreadDot} unread=${unread} />
        <${Captured} class="row-title" text=${title || "(no subject)"} />
        <${Time} iso=${view.received_at} />
      </span>
      <span class="row-line">
        <${Captured} class="row-snippet"
          text=${`${message.from || "?"} → ${message.to || "?"}`} />
        <${Outcome} message=${message} />
      </span>
      <span class="row-line as2-tags">
        ${payload.format && html`<${Chip}>${payload.format}<//>`}
        <${SecurityChips} message=${message} />
        <span class="as2-size">${formatSize(payload.size)}</span>
      </span>
    </span>
  `;
}

/** The layers of the message. @param {{ message: As2Message }} props */
export function SecurityChips({ message: { security } }) {
  const words = /** @type {const} */ (["signed", "encrypted", "compressed"])
    .filter((word) => security[word]);
  return words.length === 0
    ? html`<${Chip} title="Neither signed nor encrypted nor compressed">plain<//>`
    : words.map((word) => html`<${Chip} key=${word}>${word}<//>`);
}

/**
 * The outcome in the receipt or, without one, whether the message was processed without problems.
 * @param {{ message: As2Message }} props
 */
export function Outcome({ message: { mdn, issues = [] } }) {
  const failed = issues.some(({ severity }) => severity === "error");
  const warned = issues.length > 0 && !failed;
  const modifier = /;\s*[^/]*\/\s*\w+:\s*(.+)$/.exec(mdn?.disposition ?? "")?.[1];
  const word = failed ? modifier ?? "failed" : mdn === undefined ? "no receipt" : "processed";
  const tone = failed ? "bad" : mdn === undefined ? "none" : "good";
  return html`
    ${warned &&
      html`<span class="as2-warned" title=${
        issues.map(({ code }) => code).join(", ")
      }><${Icon} name="warning" size=${14} /></span>`}
    <span class=${`outcome as2-outcome ${tone}`} title=${mdn?.disposition ??
      "No receipt was requested"}>
      <${Captured} text=${word.slice(0, 60)} />
    </span>
  `;
}

/** State of a signature. @type {Readonly<Record<string, readonly [string, string]>>} */
const ASSURANCES = {
  unsigned: ["Unsigned", "none"],
  invalid: ["Signature does not verify", "bad"],
  intact: ["Intact, signer not checked", "good"],
  "intact-unexpected-signer": ["Intact, by another signer", "warn"],
  "intact-partner": ["Intact, by the partner", "good"],
};

/** @param {{ view: As2View }} props */
export function Assurance({ view }) {
  const word = String(view.meta?.assurance ?? "unsigned");
  const [text, tone] = ASSURANCES[word] ?? [word, "none"];
  return html`
    <span class=${`outcome as2-outcome ${tone}`} title="Whether the content is what was signed, and by whom">
      <${Captured} text=${text} />
    </span>
  `;
}
