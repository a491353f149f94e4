/** The document inside a message: EDI as a tree of segments beside its text, anything else as is. */
import { html, useEffect, useMemo, useRef, useState } from "../../lib/dom.js";
import { toBase64 } from "../../lib/bytes.js";
import { plural } from "../../lib/format.js";
import { spanOf } from "../../lib/marks.js";
import { CopyButton } from "../../components/controls.js";
import { BytesView } from "../../components/bytes_view.js";
import { Problem } from "../../components/page.js";
import { Captured } from "../../components/text.js";
import { textOf, TruncationNote, useBeginning } from "./bytes.js";
import { parseEdi } from "./edi.js";
import { elementName, placeName, segmentName } from "./edi_names.js";

/** @import { Finding } from "../../lib/types.d.ts" */
/** @import { As2View, EdiDocument, EdiElement, EdiSegment } from "./types.d.ts" */

/** Segments shown at first, and elements of one. */
const SOME_SEGMENTS = 200;
const SOME_ELEMENTS = 100;
/** Characters shown of one value, and of one line. */
const SOME_CHARACTERS = 2000;

/** @param {{ view: As2View, finding?: Finding | undefined }} props */
export function Document({ view, finding }) {
  if (view.payload_url === undefined) {
    return html`<p class="quiet">The document was not stored; see the raw message.</p>`;
  }
  return html`<${Loaded} view=${view} url=${view.payload_url} finding=${finding} />`;
}

/** @param {{ view: As2View, url: string, finding: Finding | undefined }} props */
function Loaded({ view, url, finding }) {
  const { bytes, total = 0, problem } = useBeginning(url);
  const { format, filename, recovered } = view.message.payload;
  const isEdi = format === "x12" || format === "edifact";
  // EDI need not be UTF-8: otherwise each octet is one character, so that positions stay the same.
  const edi = useMemo(() => {
    if (bytes === undefined || !isEdi) return undefined;
    const text = textOf(bytes) ?? new TextDecoder("iso-8859-1").decode(bytes);
    const document = parseEdi(text);
    return document === undefined ? undefined : { text, document };
  }, [bytes, isEdi]);
  if (bytes === undefined) return html`<${Problem} text=${problem} />`;
  return html`
    ${recovered &&
      html`<p class="quiet">One layer could not be opened: these are its bytes.</p>`}
    <${TruncationNote} shown=${bytes.length} total=${total} url=${url} />
    ${edi === undefined
      ? html`
        <${BytesView} base64=${toBase64(bytes)} text=${textOf(bytes)}
          filename=${filename ?? `${view.id}.bin`} label="the document" />
      `
      : html`<${Edi} text=${edi.text} document=${edi.document} finding=${finding} />`}
  `;
}

/** @param {{ text: string, document: EdiDocument, finding: Finding | undefined }} props */
function Edi({ text, document, finding }) {
  const { segments, standard, separators, complete } = document;
  const [shown, setShown] = useState(SOME_SEGMENTS);
  const [picked, setPicked] = useState(-1);
  useEffect(() => {
    const span = finding?.where && spanOf(text, finding.where);
    if (span === undefined) return;
    const at = segments.findIndex(({ to }) => to > span.start);
    setShown((shown) => Math.max(shown, at + 1));
    setPicked(at);
  }, [finding]);
  const raw = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    raw.current?.querySelector(".picked")?.scrollIntoView({ block: "nearest" });
  }, [picked]);
  const visible = segments.slice(0, shown);
  return html`
    <div class="as2-separators">
      <span>${standard === "x12" ? "ANSI X12" : "UN/EDIFACT"}, ${plural(
        segments.length,
        "segment",
      )};</span>
      ${Object.entries(separators).map(([name, character]) =>
        html`<span key=${name}>${name} <code>${visibleCharacter(character)}</code></span>`
      )}
      <${CopyButton} text=${text} label="Copy" title="Copy the document" />
    </div>
    <div class="as2-edi">
      <ol class="as2-tree" aria-label="Segments">
        ${visible.map((segment, at) =>
          html`
            <${SegmentNode} key=${segment.from} segment=${segment} standard=${standard}
              picked=${at === picked} onPick=${() => setPicked(at)} />
          `
        )}
      </ol>
      <pre class="as2-text" dir="ltr" tabindex="0" ref=${raw}
        aria-label="Text of the document">${visible
          .map((segment, at) =>
            html`
              <span key=${segment.from} class=${at === picked ? "picked" : ""}
                onClick=${() => setPicked(at)}><${Captured} text=${clip(
                  text.slice(segment.from, segment.to),
                )} />${gapAfter(text, segments, at)}</span>
            `
          )}</pre>
    </div>
    ${segments.length > shown && html`
      <p class="cut">${plural(segments.length - shown, "more segment")}.
        ${" "}<button type="button" class="button" onClick=${() =>
          setShown(shown * 4)}>Show more</button></p>
    `}
    ${!complete && html`<p class="cut">There are more segments than this page parses.</p>`}
  `;
}

/**
 * The text between two segments; each segment starts a new line anyway.
 * @param {string} text
 * @param {readonly EdiSegment[]} segments
 * @param {number} at
 */
function gapAfter(text, segments, at) {
  const { to } = segments[at] ?? { to: 0 };
  const gap = text.slice(to, Math.min(segments[at + 1]?.from ?? text.length, to + 1000));
  return html`${
    gap !== "" &&
    html`<span class="as2-gap" title="Separator between segments">${
      gap.replaceAll("\r", "␍").replaceAll("\n", "␊").replaceAll(" ", "·").slice(0, 20)
    }</span>`
  }${"\n"}`;
}

/** @param {string} text */
function clip(text) {
  return text.length > SOME_CHARACTERS ? `${text.slice(0, SOME_CHARACTERS)}…` : text;
}

/** @param {string} character */
function visibleCharacter(character) {
  const names = /** @type {Readonly<Record<string, string>>} */ ({
    "\n": "LF",
    "\r": "CR",
    "\t": "TAB",
    " ": "space",
  });
  return names[character] ?? html`<${Captured} text=${character} />`;
}

/**
 * @param {{ segment: EdiSegment, standard: EdiDocument["standard"], picked: boolean, onPick: () => void }} props
 */
function SegmentNode({ segment, standard, picked, onPick }) {
  const { tag, elements, depth, ended } = segment;
  const valued = elements.filter(({ text }) => text.trim() !== "");
  const short = tag.slice(0, 20);
  return html`
    <li class=${`segment-fields as2-segment depth-${Math.min(depth, 3)} ${picked ? "picked" : ""}`}>
      <button type="button" class="as2-segment-head" aria-pressed=${picked} onClick=${onPick}>
        <code><${Captured} text=${short} /></code>
        <span class="as2-segment-name">${segmentName(standard, tag)}</span>
        ${!ended && html`<span class="as2-unended">not ended</span>`}
      </button>
      ${valued.length > 0 && html`
        <table>
          <tbody>
            ${valued.slice(0, SOME_ELEMENTS).map((element) =>
              html`
                <${ElementRows} key=${element.position} element=${element} tag=${short}
                  standard=${standard} />
              `
            )}
          </tbody>
        </table>
      `}
      ${valued.length > SOME_ELEMENTS &&
        html`<p class="cut">${
          plural(
            valued.length - SOME_ELEMENTS,
            "more element",
          )
        }: see the text.</p>`}
    </li>
  `;
}

/** @param {{ element: EdiElement, tag: string, standard: EdiDocument["standard"] }} props */
function ElementRows({ element, tag, standard }) {
  const { position, repetitions } = element;
  const many = repetitions.length > 1;
  const parts = repetitions.flatMap((components, time) =>
    components.map((text, part) => ({
      text,
      place: placeName(standard, tag, {
        position,
        repetition: many ? time + 1 : undefined,
        component: components.length > 1 ? part + 1 : undefined,
      }),
    }))
  ).filter(({ text }) => text !== "");
  const name = elementName(standard, tag, position);
  return parts.slice(0, SOME_ELEMENTS).map(({ place, text }, at) =>
    html`
      <tr key=${place}>
        <th scope="row"><code><${Captured} text=${place} /></code></th>
        <td>
          <div class="as2-element">
          <span class="as2-value"><${Captured} text=${clip(text)} /></span>
          ${at === 0 && name !== "" && html`<span class="as2-element-name">${name}</span>`}
        </div>
        </td>
      </tr>
    `
  );
}
