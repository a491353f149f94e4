/** Labelled fields of a form. */
import { html, useId } from "../../lib/dom.js";

/** @import { Children } from "../../lib/dom.js" */

/** @param {Event} event */
const valueOf = (event) => /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value;

/**
 * A line of text; what must be a number is checked by the service, which says what it expects.
 * @param {{ label: string, value: string, onChange: (value: string) => void, hint?: Children, placeholder?: string,
 *   bare?: boolean }} props `bare` shows the label to screen readers only
 */
export function TextField({ label, value, onChange, hint, placeholder = "", bare = false }) {
  const id = useId();
  return html`
    <div class="field">
      ${!bare && html`<label for=${id}>${label}</label>`}
      <input id=${id} type="text" aria-label=${bare ? label : undefined} aria-describedby=${hint
        ? `${id}-hint`
        : undefined} value=${value} placeholder=${placeholder} autocomplete="off"
        spellcheck=${false} onInput=${(/** @type {Event} */ event) => onChange(valueOf(event))} />
      ${hint && html`<p class="field-hint" id=${`${id}-hint`}>${hint}</p>`}
    </div>
  `;
}

/** @typedef {{ readonly value: string, readonly label: string }} Option */

/**
 * @param {{ label: string, value: string, onChange: (value: string) => void, options: readonly Option[],
 *   groups?: readonly { readonly label: string, readonly options: readonly Option[] }[], hint?: Children, bare?: boolean,
 *   box?: { current: HTMLSelectElement | null } }} props a value that is no option is shown as one
 */
export function ChoiceField(
  { label, value, onChange, options, groups = [], hint, bare = false, box },
) {
  const id = useId();
  const all = [...options, ...groups.flatMap(({ options }) => options)];
  const shown = all.some((option) => option.value === value)
    ? options
    : [...options, { value, label: value }];
  /** @param {Option} option */
  const draw = (option) =>
    html`
      <option key=${option.value} value=${option.value} selected=${option.value ===
        value}>${option.label}</option>
    `;
  return html`
    <div class="field">
      ${!bare && html`<label for=${id}>${label}</label>`}
      <select id=${id} ref=${box} value=${value} aria-label=${bare ? label : undefined}
        aria-describedby=${hint ? `${id}-hint` : undefined}
        onChange=${(/** @type {Event} */ event) => onChange(valueOf(event))}>
          ${shown.map(draw)}
          ${groups.map(({ label, options }) =>
            html`<optgroup key=${label} label=${label}>${options.map(draw)}</optgroup>`
          )}
        </select>
      ${hint && html`<p class="field-hint" id=${`${id}-hint`}>${hint}</p>`}
    </div>
  `;
}

/** @param {{ label: string, checked: boolean, onChange: (checked: boolean) => void }} props */
export function CheckField({ label, checked, onChange }) {
  return html`
    <label class="check-field">
      <input type="checkbox" checked=${checked} onChange=${(/** @type {Event} */ event) =>
        onChange(/** @type {HTMLInputElement} */ (event.target).checked)} />
      <span>${label}</span>
    </label>
  `;
}
