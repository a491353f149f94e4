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
 * @param {FormSchema} [schema]
 */
export function sentFor(value, schema) {
  if (schema?.items?.format === "file") {
    return typeof value === "string" ? null : value.map((file) => JSON.parse(file));
  }
  if (typeof value === "string") return value === "" ? null : value;
  return value.map((one) => one.trim()).filter((one) => one !== "");
}

/**
 * Reads chosen files, each as the JSON text of the value to send.
 * @param {Iterable<File> | ArrayLike<File>} files
 */
export function readChosen(files) {
  return Promise.all(Array.from(files, async (file) =>
    JSON.stringify({
      filename: file.name,
      content: await readBase64(file),
      ...(file.type === "" ? {} : { content_type: file.type }),
    })));
}

/**
 * @param {File} file
 * @returns {Promise<string>}
 */
function readBase64(file) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const reader = new FileReader();
  // `data:text/plain;base64,…`
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
  return promise;
}
