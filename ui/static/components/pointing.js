/** The place of a finding in the source of an item. */
import { html, useEffect, useRef } from "../lib/dom.js";
import { spanOf, splitMarks } from "../lib/marks.js";
import { splitLinks } from "../lib/text.js";
import { IconButton } from "./controls.js";
import { Captured, renderPart } from "./text.js";

/** @import { Finding } from "../lib/types.d.ts" */
/** @import { Mark, Span } from "../lib/marks.js" */

/** @typedef {(finding: Finding) => Span | undefined} PlaceOf */

/**
 * The findings of a view, and the one that the reader follows.
 * @typedef {{ findings: readonly Finding[], current: Finding, onPick: (finding: Finding) => void }} Pointing
 */

/** Characters shown after the place of the current finding. */
const BEHIND = 2000;

/** The finding whose place is shown, and the way to its neighbours. @param {{ pointing: Pointing }} props */
export function FindingBar({ pointing: { findings, current, onPick } }) {
  const at = findings.indexOf(current);
  /** @param {number} step */
  const go = (step) => () => {
    const next = findings[at + step];
    if (next !== undefined) onPick(next);
  };
  return html`
    <div class=${`finding finding-bar ${current.level}`} role="group" aria-label="Finding">
      <p class="finding-message" aria-live="polite">
        <code>${current.id}</code> <${Captured} text=${current.message} />
      </p>
      <span class="quiet">${at + 1} of ${findings.length}</span>
      <${IconButton} icon="up" label="Previous finding" disabled=${at <= 0} onClick=${go(-1)} />
      <${IconButton} icon="down" label="Next finding" disabled=${at >= findings.length - 1}
        onClick=${go(1)} />
    </div>
  `;
}

/**
 * A captured text with the places of findings, scrolled to the current one.
 * @param {{ text: string, pointing: Pointing, place?: PlaceOf, shown: number, onMore?: (() => void) | undefined }} props
 *   `place` finds a place in this text; by default by its line
 */
export function PointedBlock(
  { text, pointing: { findings, current }, place = placeByLine(text), shown, onMore },
) {
  const marks = marksOf(findings, place);
  const own = marks.find(({ finding }) => finding === current);
  const length = Math.max(shown, (own?.end ?? 0) + BEHIND);
  return html`<pre class="plain" dir="auto" tabindex="0">${
    splitMarks(text.slice(0, length), marks, current).map(({ text, mark }) => {
      const parts = splitLinks(text).map(renderPart);
      if (mark === undefined) return parts;
      const isMissing = text === "";
      if (mark.finding === current) {
        return html`
          <${Current} key="current" finding=${current} isMissing=${isMissing}>${parts}<//>
        `;
      }
      return html`<mark class=${
        markClass(isMissing)
      } title=${mark.finding.message}>${parts}</mark>`;
    })
  }</pre>
  ${
    text.length > length &&
    html`<p class="cut">Cut after ${length.toLocaleString("en-US")} characters. ${
      onMore && html`<button type="button" class="button" onClick=${onMore}>Show more</button>`
    }</p>`
  }`;
}

/**
 * The place itself, which is scrolled to and focused.
 * @param {{ finding: Finding, isMissing: boolean, children?: import("../lib/dom.js").Children }} props
 */
function Current({ finding, isMissing, children }) {
  const place = useArrival(finding);
  return html`<mark class=${`${
    markClass(isMissing)
  } current`} tabindex="-1" ref=${place}>${children}</mark>`;
}

/** @param {boolean} isMissing */
function markClass(isMissing) {
  return isMissing ? "found finding-mark missing" : "found finding-mark";
}

/**
 * A reference to an element that is scrolled to and focused when it appears, or when `subject` changes.
 * @param {unknown} subject
 */
export function useArrival(subject) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    place.current?.scrollIntoView({ block: "center" });
    place.current?.focus({ preventScroll: true });
  }, [subject]);
  return place;
}

/** @param {string} text @returns {PlaceOf} */
function placeByLine(text) {
  return ({ where }) => where && spanOf(text, where);
}

/**
 * @param {readonly Finding[]} findings
 * @param {PlaceOf} place
 * @returns {readonly Mark[]}
 */
function marksOf(findings, place) {
  return findings.flatMap((finding) => {
    const span = place(finding);
    return span === undefined ? [] : [{ ...span, finding }];
  });
}
