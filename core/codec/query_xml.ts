/** The XML of the query APIs of AWS: https://smithy.io/2.0/aws/protocols/aws-query-protocol.html */

/** A value of a response. A list becomes `<member>` elements, a map `<entry>` elements with `<key>` and `<value>`. */
export type Xml =
  | string
  | number
  | boolean
  | undefined
  | readonly Xml[]
  | ReadonlyMap<string, Xml>
  | { readonly [name: string]: Xml };

/** Writes elements; those without a value are left out. */
export function toXml(value: Xml): string {
  if (value === undefined) return "";
  if (Array.isArray(value)) return value.map((item) => `<member>${toXml(item)}</member>`).join("");
  if (value instanceof Map) {
    return [...value].map(([key, inner]) => toXml({ entry: { key, value: inner } })).join("");
  }
  if (typeof value === "object") {
    return Object.entries(value).map(([name, inner]) =>
      inner === undefined ? "" : `<${name}>${toXml(inner as Xml)}</${name}>`
    ).join("");
  }
  return escapeXml(String(value));
}

/** Escapes what is markup, and replaces what XML 1.0 cannot hold. */
function escapeXml(text: string): string {
  return text.toWellFormed()
    .replace(/[^\P{Cc}\t\n\r\x7f-\x9f]|[\ufffe\uffff]/gu, "\ufffd")
    .replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
