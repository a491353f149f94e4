/** The segments of a message as a tree: segments, fields, repetitions, components. */
import { html, useState } from "../../lib/dom.js";
import { formatCount, plural } from "../../lib/format.js";
import { Captured } from "../../components/text.js";
import { fieldName, segmentName } from "./dictionary.js";

/** @import { Component, Field, Hl7View, Segment } from "./types.d.ts" */

/** Segments shown at once, and fields of one of them. */
const SOME_SEGMENTS = 100;
const SOME_FIELDS = 300;
/** Characters shown of one value. */
const SOME_CHARACTERS = 2000;

/** @param {{ view: Hl7View }} props */
export function Segments({ view }) {
  const segments = view.message.segments ?? [];
  const [shown, setShown] = useState(SOME_SEGMENTS);
  return html`
    <div class="hl7-segments">
      ${segments.slice(0, shown).map((segment) =>
        html`<${SegmentNode} key=${segment.index} segment=${segment} />`
      )}
      ${segments.length > shown && html`
        <p class="cut">${plural(segments.length - shown, "more segment")}.
          ${" "}<button type="button" class="button" onClick=${() =>
            setShown(shown * 4)}>Show more</button>
        </p>
      `}
    </div>
  `;
}

/** @param {{ segment: Segment }} props */
function SegmentNode({ segment }) {
  const { id, occurrence, fields } = segment;
  const valued = fields.filter(({ value }) => value !== "");
  return html`
    <details class="segment-fields hl7-segment" open>
      <summary>
        <code class="hl7-id">${html`<${Captured} text=${id.slice(0, 20)} />`}</code>
        <span class="hl7-name">${segmentName(id)}</span>
        ${occurrence > 1 && html`<span class="hl7-occurrence">${formatCount(occurrence)}</span>`}
      </summary>
      <table>
        <tbody>
          ${valued.slice(0, SOME_FIELDS).map((field) =>
            html`
              <${FieldRows} key=${field.position} id=${id.slice(0, 20)} field=${field} />
            `
          )}
        </tbody>
      </table>
      ${valued.length > SOME_FIELDS && html`
        <p class="cut">${plural(
          valued.length - SOME_FIELDS,
          "more field",
        )}: see the raw message.</p>
      `}
      ${valued.length === 0 && html`<p class="hl7-nothing">No fields</p>`}
    </details>
  `;
}

/** @param {{ id: string, field: Field }} props */
function FieldRows({ id, field }) {
  const { position, repetitions = [], value } = field;
  const place = `${id}-${position}`;
  const name = fieldName(id, position);
  const plain = repetitions.length <= 1 && (repetitions[0]?.components.length ?? 1) <= 1 &&
    repetitions[0]?.components[0]?.subcomponents === undefined;
  if (plain) {
    const text = repetitions[0]?.components[0]?.value ?? value;
    return html`<${Row} place=${place} name=${name} text=${text} />`;
  }
  const parts = repetitions.flatMap((repetition, at) => {
    const within = repetitions.length > 1 ? `${place}[${at + 1}]` : place;
    return repetition.components.flatMap((component, part) =>
      partsOf(component, `${within}.${part + 1}`)
    );
  });
  return html`
    <${Row} place=${place} name=${name} text=${value} whole=${true} />
    ${parts.slice(0, SOME_FIELDS).map(({ place, text }) =>
      html`<${Row} key=${place} place=${place} name="" text=${text} part=${true} />`
    )}
  `;
}

/**
 * Returns the non-empty parts of a component.
 * @param {Component} component
 * @param {string} place
 * @returns {readonly { place: string, text: string }[]}
 */
function partsOf({ value, subcomponents }, place) {
  if (value === "") return [];
  if (subcomponents === undefined) return [{ place, text: value }];
  return subcomponents.map((text, at) => ({ place: `${place}.${at + 1}`, text }))
    .filter(({ text }) => text !== "");
}

/** @param {{ place: string, name: string, text: string, whole?: boolean, part?: boolean }} props */
function Row({ place, name, text, whole = false, part = false }) {
  const cut = text.length > SOME_CHARACTERS;
  return html`
    <tr class=${part ? "part" : ""}>
      <th scope="row"><code><${Captured} text=${place} /></code></th>
      <td class="hl7-field">${name}</td>
      <td class=${`hl7-value ${whole ? "whole" : ""}`}>
        <${Captured} text=${cut ? text.slice(0, SOME_CHARACTERS) : text} />
        ${cut && html`<span class="cut"> … ${formatCount(text.length)} characters</span>`}
      </td>
    </tr>
  `;
}
