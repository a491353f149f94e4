/** Captured JSON may be anything: these say what it is taken for. */

/** @import { Json } from "./types.d.ts" */

/** Elements of one list that are drawn. */
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
 * The objects of a list, as many as are drawn.
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
