/** The sources of an item whose findings have places: texts, and values as JSON. */
import { html, useMemo, useState } from "../lib/dom.js";
import { printJson } from "../lib/json_text.js";
import { spanOf } from "../lib/marks.js";
import { Findings, useChecks } from "./checks.js";
import { FindingBar, PointedBlock } from "./pointing.js";
import { CapturedBlock } from "./text.js";

/** @import { Finding } from "../lib/types.d.ts" */
/** @import { Span } from "../lib/marks.js" */
/** @import { PlaceOf, Pointing } from "./pointing.js" */

/**
 * A part of an item, by its name in findings: a text, or a value. The paths of findings begin with `root`, which is the
 * name of the part unless given.
 * @typedef {{ readonly part: string, readonly text: string } |
 *   { readonly part: string, readonly json: unknown, readonly root?: string }} SourcePart
 */
/** @typedef {{ readonly part: string, readonly text: string, readonly place: PlaceOf }} Printed */

/** Characters shown at first, and added by each "more". */
const STEP = 200_000;

/**
 * @param {SourcePart} source
 * @returns {Printed}
 */
function print(source) {
  const { part } = source;
  const { text, spanOf: spanOfPath } = "text" in source
    ? { text: source.text, spanOf: () => undefined }
    : printJson(source.json, source.root ?? part);
  return {
    part,
    text,
    place: ({ where }) => {
      if (where === undefined) return undefined;
      if (where.part === part && where.path !== undefined) return spanOfPath(where.path);
      if (where.part === part && "text" in source) return spanOf(text, where);
      return where.marked === undefined ? undefined : find(text, where.marked, !("text" in source));
    },
  };
}

/**
 * Looks for a marked text, which may have been shortened, in the source that it was taken from.
 * @param {string} text
 * @param {string} marked
 * @param {boolean} isJson
 * @returns {Span | undefined}
 */
function find(text, marked, isJson) {
  const whole = marked.replace(/…$/, "");
  const wanted = isJson ? JSON.stringify(whole).slice(1, -1) : whole;
  const start = wanted === "" ? -1 : text.indexOf(wanted);
  return start === -1 ? undefined : { start, end: start + wanted.length };
}

/**
 * Returns whether one of the sources shows the place of a finding.
 * @param {readonly Printed[]} sources
 * @param {Finding} finding
 */
function isIn(sources, finding) {
  return sources.some(({ place }) => place(finding) !== undefined);
}

/**
 * The sources in order, each under its name if there are several, with the places of findings.
 * @param {{ sources: readonly SourcePart[], pointing: Pointing }} props
 */
export function Sources({ sources, pointing }) {
  const printed = useMemo(() => sources.map(print), [sources]);
  return html`<${PrintedSources} printed=${printed} pointing=${pointing} />`;
}

/** @param {{ printed: readonly Printed[], pointing: Pointing }} props */
function PrintedSources({ printed, pointing }) {
  const [shown, setShown] = useState(STEP);
  // A text may occur in several: its own part is its place, otherwise the first one.
  const home = (/** @type {Finding} */ finding) => {
    const possible = printed.filter(({ place }) => place(finding) !== undefined);
    return possible.find(({ part }) => part === finding.where?.part) ?? possible[0];
  };
  return printed.map((source) => {
    const findings = pointing.findings.filter((finding) => home(finding) === source);
    return html`
      <section key=${source.part} class="source" aria-label=${source.part}>
        ${printed.length > 1 && html`<p class="quiet">${source.part}</p>`}
        ${findings.length === 0
          ? html`<${CapturedBlock} text=${source.text} shown=${shown} onMore=${() =>
            setShown(shown * 2)} />`
          : html`
            <${PointedBlock} text=${source.text} pointing=${{ ...pointing, findings }}
              place=${source.place} shown=${shown} onMore=${() => setShown(shown * 2)} />
          `}
      </section>
    `;
  });
}

/**
 * The findings of an item without tabs: a place opens the sources below them.
 * @param {{ id: string, sources: readonly SourcePart[] }} props
 */
export function SourceFindings({ id, sources }) {
  const { findings = [] } = useChecks(id);
  const [current, setCurrent] = useState(/** @type {Finding | undefined} */ (undefined));
  const printed = useMemo(() => sources.map(print), [id]);
  if (findings.length === 0) return null;
  const placed = findings.filter((finding) => isIn(printed, finding));
  const pointing = current && { findings: placed, current, onPick: setCurrent };
  return html`
    <div class="checks">
      <${Findings} findings=${findings} showPlace=${(/** @type {Finding} */ finding) =>
        placed.includes(finding) ? () => setCurrent(finding) : undefined} />
      ${pointing && html`
        <${FindingBar} pointing=${pointing} />
        <${PrintedSources} printed=${printed} pointing=${pointing} />
      `}
    </div>
  `;
}
