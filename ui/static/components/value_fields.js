/** Fields for values that a JSON Schema describes, such as those of a form in a message. */
import { html, useId } from "../lib/dom.js";
import { readChosen } from "../lib/form_values.js";
import { AreaField, CheckField, ChoiceField, TextField } from "./fields.js";

/** @import { Edited } from "../lib/form_values.js" */
/** @import { FormSchema } from "../lib/types.d.ts" */

/** Types of inputs by the format of a text. @type {Readonly<Record<string, "date" | "time" | "datetime-local">>} */
const INPUTS = { date: "date", time: "time", "date-time": "datetime-local" };

/**
 * @param {{ name: string, schema: FormSchema, value: Edited, onChange: (value: Edited) => void }} props
 */
export function ValueField({ name, schema, value, onChange }) {
  const { title: label = name, type, format, oneOf, items, maxItems } = schema;
  if (type === "array") {
    const list = Array.isArray(value) ? value : [];
    if (items?.format === "file") {
      return html`<${FilesField} label=${label} most=${maxItems} onChange=${onChange} />`;
    }
    if (items?.oneOf !== undefined) {
      return html`
        <${Boxes} label=${label} options=${items.oneOf} list=${list}
          onChange=${onChange} />
      `;
    }
    return html`
      <${TextField} label=${label} value=${list.join(", ")} hint="Separated by commas"
        onChange=${(/** @type {string} */ text) => onChange(text.split(/, ?/))} />
    `;
  }
  const text = typeof value === "string" ? value : "";
  if (oneOf !== undefined) {
    const options = [
      { value: "", label: "Nothing" },
      ...oneOf.map((one) => ({ value: one.const, label: one.title })),
    ];
    return html`
      <${ChoiceField} label=${label} value=${text} options=${options}
        onChange=${onChange} />
    `;
  }
  if (format === "lines") {
    return html`<${AreaField} label=${label} value=${text} rows=${3} onChange=${onChange} />`;
  }
  return html`
    <${TextField} label=${label} value=${text} type=${INPUTS[format ?? ""] ?? "text"}
      hint=${format === "date-time" ? "UTC" : undefined} onChange=${onChange} />
  `;
}

/**
 * @param {{ label: string, options: readonly { const: string, title: string }[], list: readonly string[],
 *   onChange: (list: readonly string[]) => void }} props
 */
function Boxes({ label, options, list, onChange }) {
  return html`
    <div class="field" role="group" aria-label=${label}>
      <span class="field-name">${label}</span>
      ${options.map((option) =>
        html`
          <${CheckField} key=${option.const} label=${option.title}
            checked=${list.includes(option.const)}
            onChange=${(/** @type {boolean} */ checked) =>
              onChange(
                checked ? [...list, option.const] : list.filter((one) => one !== option.const),
              )} />
        `
      )}
    </div>
  `;
}

/**
 * Files from this machine.
 * @param {{ label: string, most?: number, onChange: (list: readonly string[]) => void }} props
 */
function FilesField({ label, most, onChange }) {
  const id = useId();
  /** @param {Event} event */
  const choose = async ({ target }) =>
    onChange(await readChosen(/** @type {HTMLInputElement} */ (target).files ?? []));
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <input id=${id} type="file" multiple=${most !== 1} onChange=${choose} />
    </div>
  `;
}
