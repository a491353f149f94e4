/** Search and filters with their values in the address. */
import { html, useEffect, useId, useRef, useState } from "../lib/dom.js";
import { useKeys } from "../lib/keys.js";
import { place, setQuery } from "../lib/router.js";
import { IconButton } from "./controls.js";
import { Icon } from "./icons.js";

/** Pause in typing before a filter applies, in milliseconds. */
const SETTLE_MS = 180;

/**
 * A text field bound to one parameter of the address.
 * @param {{ name: string, label: string, placeholder?: string, search?: boolean }} props
 */
export function QueryField({ name, label, placeholder = "", search = false }) {
  const given = place.value.query.get(name) ?? "";
  const [value, setValue] = useState(given);
  const timer = useRef(0);
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const id = useId();
  useEffect(() => {
    // Typing is ahead of the address; any other change of the address wins.
    if (document.activeElement !== input.current) setValue(given);
  }, [given]);
  useEffect(() => () => clearTimeout(timer.current), []);
  /** @param {string} text */
  const change = (text) => {
    setValue(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setQuery({ [name]: text }, { replace: true }), SETTLE_MS);
  };
  useKeys(
    search
      ? [{ keys: "/", about: "Search", group: "Everywhere", run: () => input.current?.select() }]
      : [],
  );
  const field = html`
    <input
      ref=${input}
      id=${id}
      type="search"
      aria-label=${search ? label : undefined}
      placeholder=${placeholder}
      value=${value}
      autocomplete="off"
      spellcheck=${false}
      maxlength="500"
      onInput=${(/** @type {InputEvent} */ event) =>
        change(/** @type {HTMLInputElement} */ (event.target).value)}
    />
  `;
  if (search) return html`<div class="search"><${Icon} name="search" />${field}<kbd>/</kbd></div>`;
  return html`<div class="field"><label for=${id}>${label}</label>${field}</div>`;
}

/**
 * A choice bound to one parameter of the address.
 * @param {{ name: string, label: string, options: readonly { value: string, label: string }[] }} props
 */
export function QueryChoice({ name, label, options }) {
  const id = useId();
  const value = place.value.query.get(name) ?? "";
  const known = options.some((option) => option.value === value);
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <select id=${id} value=${value} onChange=${(/** @type {Event} */ event) =>
        setQuery({ [name]: /** @type {HTMLSelectElement} */ (event.target).value })}>
          <option value="" selected=${value === ""}>Any</option>
          ${options.map((option) =>
            html`<option value=${option.value} selected=${
              option.value === value
            }>${option.label}</option>`
          )}
          ${value !== "" && !known && html`<option value=${value} selected>${value}</option>`}
        </select>
    </div>
  `;
}

/**
 * The active filters, each with a button that removes it.
 * @param {{ names: Readonly<Record<string, string>>, words?: Readonly<Record<string, string>> }} props `names` gives the
 *   label of each parameter, `words` the label of a value
 */
export function ActiveFilters({ names, words = {} }) {
  const { query } = place.value;
  const active = Object.entries(names).filter(([name]) => query.has(name));
  if (active.length === 0) return null;
  /** @param {string} name */
  const shown = (name) => {
    const value = query.get(name) ?? "";
    return words[value] ?? value;
  };
  const all = Object.fromEntries(active.map(([name]) => [name, null]));
  return html`<div class="active-filters">
    ${
    active.map(([name, label]) =>
      html`<span class="chip removable" key=${name}><span>${label}: <bdi>${shown(name)}</bdi></span>
        <${IconButton} icon="close" label=${`Remove the filter ${label}`} onClick=${() =>
        setQuery({ [name]: null })} /></span>`
    )
  }
    <button type="button" class="link-button" onClick=${() => setQuery(all)}>Clear filters</button>
  </div>`;
}
