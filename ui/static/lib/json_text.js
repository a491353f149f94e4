/** JSON as text, with the places of its members. */

/** @typedef {import("./marks.js").Span} Span */

/** Maximum number of members whose places are stored. */
const MAX_PLACES = 50_000;

/**
 * Prints a value with one member to a line. `spanOf` takes paths of findings, such as `blocks[3].text`, and returns the
 * line of that member, or of the nearest object around it.
 * @param {unknown} value
 * @param {string} root the name that paths begin with; empty if they begin with a member
 * @returns {{ text: string, spanOf: (path: string) => Span | undefined }}
 */
export function printJson(value, root) {
  /** @type {Map<string, Span>} */
  const places = new Map();
  let text = "";
  /**
   * @param {unknown} value
   * @param {{ path: string, indent: string, key: string }} at
   */
  const print = (value, { path, indent, key }) => {
    const start = text.length;
    text += key;
    const isList = Array.isArray(value);
    const [open, close] = isList ? ["[", "]"] : ["{", "}"];
    const members = value !== null && typeof value === "object" ? Object.entries(value) : [];
    text += members.length > 0
      ? open
      : value !== null && typeof value === "object"
      ? open + close
      : JSON.stringify(value) ?? "null";
    if (places.size < MAX_PLACES && !places.has(path)) {
      places.set(path, { start, end: text.length });
    }
    if (members.length === 0) return;
    for (const [at, [name, inner]] of members.entries()) {
      text += `${at === 0 ? "" : ","}\n${indent}  `;
      print(inner, {
        path: isList ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`,
        indent: `${indent}  `,
        key: isList ? "" : `${JSON.stringify(name)}: `,
      });
    }
    text += `\n${indent}${close}`;
  };
  print(value, { path: root, indent: "", key: "" });
  return {
    text,
    spanOf: (path) => {
      for (let at = path; at !== ""; at = at.replace(/(\.[^.[\]]*|\[[^[\]]*\]|^[^.[\]]+)$/, "")) {
        const span = places.get(at);
        if (span !== undefined) return span;
        if (!/[.[]/.test(at)) break;
      }
      return undefined;
    },
  };
}
