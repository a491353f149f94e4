/** Keyboard shortcuts. No single key does anything that cannot be undone. */
import { useLayoutEffect } from "./dom.js";

/**
 * @typedef {object} KeyBinding
 * @property {string} keys `j`, `Enter`, or two strokes such as `g m`
 * @property {string} about what it does, for the help
 * @property {string} group heading in the help
 * @property {() => void} run
 */

/** @type {Set<readonly KeyBinding[]>} */
const bound = new Set();

/** Maximum pause before the second key of a pair, in milliseconds. */
const PAIR_MS = 1200;

let first = "";
let firstAt = 0;

/** Active bindings, the innermost first. */
export function currentKeys() {
  return [...bound].reverse().flat();
}

/**
 * Binds keys while the component is mounted.
 * @param {readonly KeyBinding[]} bindings
 */
export function useKeys(bindings) {
  // Before the first paint, so that everything visible works.
  useLayoutEffect(() => {
    bound.add(bindings);
    return () => void bound.delete(bindings);
  });
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement && !target.matches("[type=checkbox]") &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Starts listening to keys. */
export function startKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]") !== null) return;
    if (isTyping(event.target)) {
      const field = /** @type {HTMLElement} */ (event.target);
      const leaves = event.key === "Escape" ||
        event.key === "Enter" && field.matches("[type=search]");
      if (!leaves || event.isComposing) return;
      // Escape would empty a search field without telling the page.
      event.preventDefault();
      field.blur();
      return;
    }
    // Enter and space belong to the focused control.
    const onControl = event.target instanceof Element &&
      event.target.closest("a, button, summary, [role=tab], [type=checkbox]") !== null;
    if (onControl && (event.key === "Enter" || event.key === " ")) return;
    const pair = event.timeStamp - firstAt < PAIR_MS ? `${first} ${event.key}` : event.key;
    first = event.key;
    firstAt = event.timeStamp;
    const keys = currentKeys();
    const found = keys.find((binding) => binding.keys === pair) ??
      keys.find((binding) => binding.keys === event.key);
    if (found === undefined) return;
    event.preventDefault();
    first = "";
    found.run();
  });
}
