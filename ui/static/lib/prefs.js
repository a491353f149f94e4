/** Preferences of this browser. Storage may be forbidden or full; they then last until the page closes. */
import { signal } from "./dom.js";

const PREFIX = "standin.";

/**
 * @param {string} name
 * @returns {string | null}
 */
export function readPref(name) {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string | null} value null forgets it
 */
export function writePref(name, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // Only a convenience.
  }
}

/** @typedef {"system" | "light" | "dark"} Theme */

/** Chosen colour scheme. */
export const theme = signal(/** @type {Theme} */ (readTheme()));

/** @returns {Theme} */
function readTheme() {
  const value = readPref("theme");
  return value === "light" || value === "dark" ? value : "system";
}

/** @param {Theme} value */
export function setTheme(value) {
  theme.value = value;
  writePref("theme", value === "system" ? null : value);
  if (value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = value;
}

/** @typedef {"compact" | "comfortable"} Density */

/** Row height of the lists that offer two. */
export const density = signal(
  /** @type {Density} */ (readPref("density") === "comfortable" ? "comfortable" : "compact"),
);

/** @param {Density} value */
export function setDensity(value) {
  density.value = value;
  writePref("density", value);
}
