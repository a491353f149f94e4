/** Type checks for captured JSON, which may be anything. */

/** @import { Json } from "./types.d.ts" */

/** Maximum number of elements of a list that are shown. */
const MAX_ITEMS = 200;

/** @param {unknown} value */
export function asText(value) {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/**
 * @param {unknown} value
 * @returns {Json}
 */
export function asObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? /** @type {Json} */ (value)
    : {};
}

/**
 * Returns the objects of a list, up to the limit.
 * @param {unknown} value
 * @returns {readonly Json[]}
 */
export function asObjects(value) {
  return asList(value).filter((item) => typeof item === "object" && item !== null).map(asObject);
}

/**
 * @param {unknown} value
 * @returns {readonly unknown[]}
 */
export function asList(value) {
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [];
}
