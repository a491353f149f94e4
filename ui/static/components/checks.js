/** Findings: problems that the vendor or the reader of an event would have with it. */
import { html } from "../lib/dom.js";
import { useFetchedOnce } from "../lib/fetched.js";
import { plural } from "../lib/format.js";
import { Problem } from "./page.js";
import { Captured, OutLink } from "./text.js";

/** @import { Children } from "../lib/dom.js" */
/** @import { Finding } from "../lib/types.d.ts" */

/** @typedef {{ findings?: readonly Finding[], problem?: string | undefined }} Checked */
/**
 * Shows the place of a finding in the item; `undefined` for a finding whose place no view shows.
 * @typedef {(finding: Finding) => (() => void) | undefined} ShowPlace
 */

/**
 * Fetches the findings of an event.
 * @param {string} id
 * @returns {Checked}
 */
export function useChecks(id) {
  /** @type {{ value?: { checks: readonly Finding[] }, problem?: string }} */
  const { value, problem } = useFetchedOnce(`/events/${encodeURIComponent(id)}/checks`);
  return { ...(value === undefined ? {} : { findings: value.checks }), problem };
}

/**
 * The part of an item that shows its findings, with their number unless there are none.
 * @param {Checked} checked
 * @param {{ more?: Children, showPlace?: ShowPlace }} [options] `more` is shown below them
 */
export function checksPart({ findings, problem }, { more, showPlace } = {}) {
  const count = findings?.length ?? 0;
  return {
    id: "checks",
    label: "Checks",
    ...(count === 0 ? {} : { count }),
    draw: () =>
      html`
        <div
          class="checks"><${Problem} text=${problem} /><${Findings} findings=${findings}
            showPlace=${showPlace} />${more}</div>
      `,
  };
}

/** @param {{ findings: readonly Finding[] | undefined, showPlace?: ShowPlace | undefined }} props */
export function Findings({ findings, showPlace }) {
  if (findings === undefined) return null;
  if (findings.length === 0) return html`<p class="quiet">No findings.</p>`;
  const counts = ["error", "warning", "info"].map((level) => ({
    level,
    count: findings.filter((one) => one.level === level).length,
  })).filter(({ count }) => count > 0);
  return html`
    <p class="quiet">${counts.map(({ level, count }) => countOf(level, count)).join(", ")}</p>
    <ul class="findings" aria-label="Findings">
      ${findings.map((finding, at) =>
        html`
          <${One} key=${at} finding=${finding} onShow=${showPlace?.(finding)} />
        `
      )}
    </ul>
  `;
}

/**
 * @param {string} level
 * @param {number} count
 */
function countOf(level, count) {
  return level === "info" ? plural(count, "note") : plural(count, level);
}

/** @param {{ finding: Finding, onShow?: (() => void) | undefined }} props */
function One({ finding: { id, level, message, where, source }, onShow }) {
  return html`
    <li class=${`finding ${level}`}>
      <p class="finding-head">
        <span class="finding-level">${level === "info" ? "note" : level}</span>
        <code>${id}</code>
        ${where && html`<${Place} where=${where} onShow=${onShow} />`}
        ${source !== undefined && html`<${OutLink} href=${source}>Source<//>`}
      </p>
      <p class="finding-message">
        <${Captured} text=${message} />
      </p>
      ${where?.marked !== undefined && html`<${Marked} where=${where} />`}
    </li>
  `;
}

/** @param {{ where: NonNullable<Finding["where"]>, onShow?: (() => void) | undefined }} props */
function Place({ where, onShow }) {
  const place = html`<${Captured} text=${placeOf(where)} />`;
  if (onShow === undefined) return html`<span class="finding-place">${place}</span>`;
  return html`
    <button type="button" class="link-button finding-place" title="Show it in the source"
      onClick=${onShow}>${place}</button>
  `;
}

/** @param {{ where: NonNullable<Finding["where"]> }} props */
function Marked({ where: { before = "", marked = "", after = "" } }) {
  // Where something is missing, the mark is empty.
  return html`<pre class="finding-source" tabindex="0"><${Captured} text=${before} /><mark
      class=${
    marked === "" ? "found missing" : "found"
  }><${Captured} text=${marked} /></mark><${Captured} text=${after} /></pre>`;
}

/** @param {NonNullable<Finding["where"]>} where */
function placeOf({ part, line, column, path }) {
  if (path !== undefined) return `${part} ${path}`;
  return line === undefined ? part : `${part}, line ${line}:${column ?? 1}`;
}
