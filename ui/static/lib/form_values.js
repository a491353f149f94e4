/** Values of a form that a JSON Schema describes, as they are edited and sent. */

/** @import { FormSchema } from "./types.d.ts" */

/** A value while it is edited. @typedef {string | readonly string[]} Edited */

/**
 * Returns the initial value of a field.
 * @param {FormSchema} schema
 * @returns {Edited}
 */
export function startOf({ type, format, default: usual }) {
  if (type === "array") return Array.isArray(usual) ? usual.map(String) : [];
  if (format === "date-time" && typeof usual === "number") {
    return new Date(usual * 1000).toISOString().slice(0, 16);
  }
  return usual === undefined ? "" : String(usual);
}

/**
 * Returns the value to send for a field; `null` for an empty one.
 * @param {Edited} value
 */
export function sentFor(value) {
  if (typeof value === "string") return value === "" ? null : value;
  return value.map((one) => one.trim()).filter((one) => one !== "");
}
