/** A message as text, one segment per line, with separators highlighted. */
import { html, useEffect, useState } from "../../lib/dom.js";
import { messageOf } from "../../lib/api.js";
import { useArrival } from "../../components/pointing.js";
import { Captured } from "../../components/text.js";
import { Problem } from "../../components/page.js";

/** @import { Hl7View, Separators } from "./types.d.ts" */

/** Limits of the characters shown, and of the highlighted parts of a line. */
const SOME_CHARACTERS = 100_000;
const MAX_PARTS = 1000;

/** @param {{ view: Hl7View, place?: string | undefined }} props `place` is that of a finding, such as `PID[1]-3` */
export function RawMessage({ view, place }) {
  const [state, setState] = useState(/** @type {{ text?: string, problem?: string }} */ ({}));
  useEffect(() => {
    const ended = new AbortController();
    const load = async () => {
      try {
        const response = await fetch(view.raw_url, { signal: ended.signal });
        const text = decode(await response.arrayBuffer(), view.message.encoding);
        if (!ended.signal.aborted) setState({ text });
      } catch (error) {
        if (!ended.signal.aborted) setState({ problem: messageOf(error) });
      }
    };
    void load();
    return () => ended.abort();
  }, [view.id]);
  if (state.text === undefined) return html`<${Problem} text=${state.problem} />`;
  return html`
    <${SegmentLines} text=${state.text} separators=${view.message.separators}
      place=${place} />
  `;
}

/**
 * Returns the line of a place; -1 without one.
 * @param {readonly string[]} lines
 * @param {string} place
 */
function lineOf(lines, place) {
  const [, id = "", occurrence = "1"] = /^([A-Z][A-Z0-9]{2})(?:\[(\d+)\])?/.exec(place) ?? [];
  if (id === "") return -1;
  let left = Number(occurrence);
  return lines.findIndex((line) => line.startsWith(id) && --left === 0);
}

/**
 * Returns the separators before the field of a place; -1 without one.
 * @param {string} place
 */
function barsBefore(place) {
  const [, id = "", position] = /^([A-Z][A-Z0-9]{2}).*-(\d+)$/.exec(place) ?? [];
  // MSH-1 is the first separator itself.
  return position === undefined ? -1 : Number(position) - (/^(?:MSH|BHS|FHS)$/.test(id) ? 1 : 0);
}

/** @param {ArrayBuffer} bytes @param {string} encoding as the service names it */
function decode(bytes, encoding) {
  const label = encoding === "ascii" ? "utf-8" : encoding === "latin-1" ? "iso-8859-1" : encoding;
  return new TextDecoder(label).decode(bytes);
}

/** @param {{ text: string, separators: Separators, place?: string | undefined }} props */
export function SegmentLines({ text, separators, place = "" }) {
  const cut = text.length > SOME_CHARACTERS;
  const lines = text.slice(0, SOME_CHARACTERS).split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  const marked = lineOf(lines, place);
  const field = barsBefore(place);
  const arrival = useArrival(place);
  return html`
    <div class="hl7-raw" tabindex="0" dir="ltr">
      ${lines.map((line, at) =>
        html`
          <div key=${at} class=${`hl7-line ${at === marked ? "marked" : ""}`}
            tabindex=${at === marked ? -1 : undefined} ref=${at === marked
              ? arrival
              : undefined}><${Line} line=${line} separators=${separators}
                  field=${at === marked
                    ? field
                    : -1} /><span class="hl7-end" title="End of the segment">␍</span></div>
        `
      )}
    </div>
    ${cut &&
      html`<p class="cut">Cut after ${SOME_CHARACTERS.toLocaleString("en-US")} characters.</p>`}
  `;
}

/** @param {{ line: string, separators: Separators, field: number }} props `field` is marked, if it is not -1 */
function Line({ line, separators, field }) {
  const parts = split(line, separators);
  const shown = parts.length > MAX_PARTS ? [line] : parts;
  let bars = 0;
  return shown.map((part, at) => {
    if (kindOf(part, separators) === "bar") bars++;
    else if (bars === field && bars > 0) {
      return html`<mark class="found"><${Captured} text=${part} /></mark>`;
    }
    const kind = at === 0 ? "name" : parts.length > MAX_PARTS ? "" : kindOf(part, separators);
    if (kind === "") return html`<${Captured} text=${part} />`;
    return html`<span class=${`hl7-${kind}`}><${Captured} text=${part} /></span>`;
  });
}

/** Splits a line into content and separators. @param {string} line @param {Separators} separators */
function split(line, separators) {
  const characters = Object.values(separators).filter((character) => character !== "");
  const set = characters.map((character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return line.split(new RegExp(`([${set.join("")}])`, "u")).filter((part) => part !== "");
}

/** @param {string} part @param {Separators} separators */
function kindOf(part, separators) {
  if (part.length !== 1) return "";
  if (part === separators.field) return "bar";
  return Object.values(separators).includes(part) ? "mark" : "";
}
