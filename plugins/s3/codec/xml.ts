/** The XML of S3 bodies (XML 1.0): elements with text or elements in them, and few attributes. */

const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";
/** Content of an element: text, or elements, which may be created only when written. */
export type XmlContent =
  | string
  | number
  | boolean
  | readonly XmlElement[]
  | (() => readonly XmlElement[]);
/** An element; omitted if its content is `undefined`. */
export type XmlElement = readonly [
  name: string,
  content: XmlContent | undefined,
  attributes?: Readonly<Record<string, string>>,
];

/** Writes a document in the S3 namespace, in chunks: one for each element of the root. */
export function* xmlChunks(root: string, content: XmlContent): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">`;
  if (typeof content === "object") {
    for (const element of content) yield writeContent([element]);
  } else yield writeContent(content);
  yield `</${root}>`;
}

/** Writes a document without a namespace: errors have none. */
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

/** Writes control characters as references, as the vendor does: a parser would turn a bare CR into LF. */
function escapeText(text: string): string {
  return text.replace(
    /[&<>"]|[^\P{Cc}]|[\ufffe\uffff]/gu,
    (char) => ESCAPES[char] ?? `&#x${char.charCodeAt(0).toString(16).toUpperCase()};`,
  );
}

/** Returns the attributes that name the type of an element. */
export function typeAttributes(type: string): Readonly<Record<string, string>> {
  return { "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance", "xsi:type": type };
}

/** A parsed element. */
export interface XmlNode {
  /** Without a prefix. */
  readonly name: string;
  /** Its attribute `xsi:type`, the only one in documents of S3. */
  readonly type?: string;
  /** Text directly in it. */
  readonly text: string;
  readonly children: readonly XmlNode[];
}

/** Returns the text of the first child of that name. */
export function childText(node: XmlNode, name: string): string | undefined {
  return node.children.find((child) => child.name === name)?.text;
}

/** Returns every child of that name. */
export function childrenOf(node: XmlNode, name: string): readonly XmlNode[] {
  return node.children.filter((child) => child.name === name);
}
