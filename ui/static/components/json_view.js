/** A JSON value as a tree of nodes that open and close. Closed nodes are not rendered. */
import { html, useState } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { splitUnseen } from "../lib/text.js";
import { CopyButton } from "./controls.js";
import { Icon } from "./icons.js";

/** Entries of an object or array shown at first, and added by each "more". */
const STEP = 100;
/** Characters of a string shown at first. */
const LONG = 400;

/**
 * @param {{ value: unknown, label: string, open?: number }} props `open` is how many levels are open at first
 */
export function JsonView({ value, label, open = 2 }) {
  return html`
    <div class="json" aria-label=${label}>
      <div class="json-tools">
        <${CopyButton} text=${() => JSON.stringify(value, null, 2)} label="Copy JSON" />
      </div>
      <${Node} value=${value} depth=${0} open=${open} />
    </div>
  `;
}

/** @param {{ name?: string, value: unknown, depth: number, open: number }} props */
function Node({ name, value, depth, open }) {
  if (value !== null && typeof value === "object") {
    return html`<${Branch} name=${name} value=${value} depth=${depth} open=${open} />`;
  }
  return html`
    <div class="json-line">
      <${Key} name=${name} />
      <${Leaf} value=${value} />
    </div>
  `;
}

/** @param {{ name: string | undefined }} props */
function Key({ name }) {
  if (name === undefined) return null;
  return html`<span class="json-key"><bdi>${
    visible(name)
  }</bdi></span><span class="json-mark">: </span>`;
}

/** @param {{ name: string | undefined, value: object, depth: number, open: number }} props */
function Branch({ name, value, depth, open }) {
  const [isOpen, setOpen] = useState(depth < open);
  const [shown, setShown] = useState(STEP);
  const isArray = Array.isArray(value);
  const entries = Object.entries(value);
  const [begin, end] = isArray ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) {
    return html`
      <div
        class="json-line"><${Key} name=${name} /><span class="json-mark">${begin}${end}</span></div>
    `;
  }
  const about = isArray ? plural(entries.length, "item") : plural(entries.length, "key");
  return html`<div class="json-branch">
    <button type="button" class="json-toggle" aria-expanded=${isOpen} onClick=${() =>
    setOpen(!isOpen)}>
      <${Icon} name="chevron" size=${12} /><${Key} name=${name} /><span class="json-mark">${begin}</span>
      ${
    !isOpen && html`<span class="json-about">${about}</span><span class="json-mark">${end}</span>`
  }
    </button>
    ${
    isOpen && html`
      <div class="json-inner">
              ${entries.slice(0, shown).map(([key, item]) =>
                html`
                  <${Node} key=${key} name=${isArray
                    ? undefined
                    : key} value=${item} depth=${depth + 1}
                    open=${open} />
                `
              )}
              ${entries.length > shown &&
                html`<button type="button" class="link-button" onClick=${() =>
                  setShown(shown + STEP)}>
            ${plural(entries.length - shown, "more entry", "more entries")}
          </button>`}
            </div>
      <div class="json-mark json-end">${end}</div>
    `
  }
  </div>`;
}

/** @param {{ value: unknown }} props */
function Leaf({ value }) {
  const [whole, setWhole] = useState(false);
  if (typeof value !== "string") {
    return html`<span class=${`json-${value === null ? "null" : typeof value}`}>${
      String(value)
    }</span>`;
  }
  const text = whole || value.length <= LONG ? value : value.slice(0, LONG);
  return html`<span class="json-string"><bdi>"${visible(text)}"</bdi></span>
    ${
    text.length < value.length && html`<button type="button" class="link-button" onClick=${() =>
      setWhole(true)}>
        ${plural(value.length - text.length, "more character")}
      </button>`
  }`;
}

/**
 * A string as JSON spells it, with invisible characters made visible.
 * @param {string} text
 */
function visible(text) {
  return splitUnseen(JSON.stringify(text).slice(1, -1)).map(({ kind, text }) =>
    kind === "unseen" ? html`<span class="unseen">${text}</span>` : text
  );
}
