/** Labelled fields of a form. */
import { html, useId } from "../lib/dom.js";
import { toValue } from "../lib/fault_rule.js";

/** @import { Children } from "../lib/dom.js" */
/** @import { FaultParam } from "../lib/types.d.ts" */

/** @param {Event} event */
const valueOf = (event) =>
  /** @type {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} */ (event.target).value;

/**
 * A line of text; the service validates numbers, and reports what it expects.
 * @param {{ label: string, value: string, onChange: (value: string) => void, hint?: Children, placeholder?: string,
 *   bare?: boolean, type?: "text" | "date" | "time" | "datetime-local" }} props `bare` shows the label to screen readers
 *   only
 */
export function TextField(
  { label, value, onChange, hint, placeholder = "", bare = false, type = "text" },
) {
  const id = useId();
  return html`
    <div class="field">
      ${!bare && html`<label for=${id}>${label}</label>`}
      <input id=${id} type=${type} aria-label=${bare ? label : undefined} aria-describedby=${hint
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

/**
 * A parameter by its JSON Schema: a choice, or a line of text.
 * @param {{ param: FaultParam & { readonly name: string }, value: string, onChange: (value: string) => void }} props
 */
export function ParamField({ param: { name, about, schema, default: usual }, value, onChange }) {
  const choices = schema.type === "boolean" ? ["true", "false"] : schema.enum;
  if (choices !== undefined) {
    const options = [
      { value: "", label: `${usual ?? "Not given"}` },
      ...choices.map((value) => ({ value, label: value })),
    ];
    return html`
      <${ChoiceField} label=${name} value=${value} options=${options} hint=${about}
        onChange=${onChange} />
    `;
  }
  const { type = "text", minimum, maximum } = schema;
  const range = minimum === undefined || maximum === undefined
    ? type
    : `${type}, ${minimum} to ${maximum}`;
  return html`
    <${TextField} label=${name} value=${value} placeholder=${usual === undefined
      ? ""
      : String(usual)} hint=${`${about} (${range})`}
      onChange=${onChange} />
  `;
}

/**
 * Several lines of text, such as JSON.
 * @param {{ label: string, value: string, onChange: (value: string) => void, hint?: Children, rows?: number }} props
 */
export function AreaField({ label, value, onChange, hint, rows = 10 }) {
  const id = useId();
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <textarea id=${id} rows=${rows} aria-describedby=${hint ? `${id}-hint` : undefined}
        value=${value} autocomplete="off" spellcheck=${false}
        onInput=${(/** @type {Event} */ event) => onChange(valueOf(event))}></textarea>
      ${hint && html`<p class="field-hint" id=${`${id}-hint`}>${hint}</p>`}
    </div>
  `;
}

/**
 * Returns the filled-in parameters; numbers are converted, unless a text is expected.
 * @param {Readonly<Record<string, Pick<FaultParam, "schema">>>} params
 * @param {Readonly<Record<string, string>>} texts
 * @returns {Record<string, unknown>}
 */
export function toParams(params, texts) {
  const given = Object.entries(params).filter(([name]) => (texts[name] ?? "") !== "");
  return Object.fromEntries(given.map(([name, { schema }]) => {
    const text = texts[name] ?? "";
    return [name, schema.type === "string" ? text : toValue(text)];
  }));
}
