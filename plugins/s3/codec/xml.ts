/** The XML of S3 bodies (XML 1.0): elements with text or elements in them, and few attributes. */

const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";
/** What stands in an element: text, or elements, which may be made only when they are written. */
export type XmlContent =
  | string
  | number
  | boolean
  | readonly XmlElement[]
  | (() => readonly XmlElement[]);
/** An element; one whose content is `undefined` is left out. */
export type XmlElement = readonly [
  name: string,
  content: XmlContent | undefined,
  attributes?: Readonly<Record<string, string>>,
];

/** A document whose root carries the name space of S3, in pieces: one for each element in it. */
export function* xmlPieces(root: string, content: XmlContent): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">`;
  if (typeof content === "object") {
    for (const element of content) yield writeContent([element]);
  } else yield writeContent(content);
  yield `</${root}>`;
}

/** A document without a name space: errors have none. */
export function writePlainXml(root: string, content: readonly XmlElement[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>${writeContent(content)}</${root}>`;
}

function writeContent(content: XmlContent): string {
  if (typeof content === "function") return writeContent(content());
  if (typeof content !== "object") return escapeText(String(content));
  let text = "";
  for (const [name, inner, attributes] of content) {
    if (inner === undefined) continue;
    const start = attributes === undefined ? name : `${name}${writeAttributes(attributes)}`;
    text += `<${start}>${writeContent(inner)}</${name}>`;
  }
  return text;
}

function writeAttributes(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeText(value)}"`)
    .join("");
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Control characters are written as references, as the vendor does: a parser would turn a bare CR into LF. */
function escapeText(text: string): string {
  return text.replace(
    /[&<>"]|[^\P{Cc}]|[\ufffe\uffff]/gu,
    (char) => ESCAPES[char] ?? `&#x${char.charCodeAt(0).toString(16).toUpperCase()};`,
  );
}

/** A read element. */
export interface XmlNode {
  /** Without a prefix. */
  readonly name: string;
  /** Text directly in it. */
  readonly text: string;
  readonly children: readonly XmlNode[];
}

/** Text of the first child of that name. */
export function childText(node: XmlNode, name: string): string | undefined {
  return node.children.find((child) => child.name === name)?.text;
}

/** Every child of that name. */
export function childrenOf(node: XmlNode, name: string): readonly XmlNode[] {
  return node.children.filter((child) => child.name === name);
}
