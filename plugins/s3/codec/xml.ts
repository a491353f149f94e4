/** The XML of S3 bodies (XML 1.0): elements with text or elements in them, no attributes but the name space. */
import { Parser } from "htmlparser2";

const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";
/** Bodies of requests are three deep; more is not one of them. */
const MAX_DEPTH = 8;

/** What stands in an element: text, elements, or nothing when it is left out. */
export type XmlContent = string | number | boolean | readonly XmlElement[];
/** An element; one whose content is `undefined` is left out. */
export type XmlElement = readonly [name: string, content: XmlContent | undefined];

/** A document whose root carries the name space of S3. */
export function writeXml(root: string, content: XmlContent): string {
  const inner = writeContent(content);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">${inner}</${root}>`;
}

/** A document without a name space: errors have none. */
export function writePlainXml(root: string, content: readonly XmlElement[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>${writeContent(content)}</${root}>`;
}

function writeContent(content: XmlContent): string {
  if (typeof content !== "object") return escapeText(String(content));
  let text = "";
  for (const [name, inner] of content) {
    if (inner !== undefined) text += `<${name}>${writeContent(inner)}</${name}>`;
  }
  return text;
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

interface OpenNode {
  readonly name: string;
  text: string;
  readonly children: OpenNode[];
}

/**
 * The root element, or nothing for text that is no well-formed document, nests deeper than any S3 body or declares a
 * document type, which no client does and entity bombs need.
 */
export function readXml(text: string): XmlNode | undefined {
  const top: OpenNode = { name: "", text: "", children: [] };
  const stack: OpenNode[] = [top];
  let sound = true;
  const parser = new Parser({
    onopentag(name) {
      const node: OpenNode = { name: name.replace(/^.*:/, ""), text: "", children: [] };
      stack.at(-1)!.children.push(node);
      if (stack.length > MAX_DEPTH) sound = false;
      else stack.push(node);
    },
    ontext: (data) => void (stack.at(-1)!.text += data),
    onclosetag(_name, implied) {
      if (implied) sound = false;
      if (stack.length > 1) stack.pop();
    },
    onprocessinginstruction: (name) => void (name.startsWith("!") && (sound = false)),
  }, { xmlMode: true, decodeEntities: true });
  parser.end(text);
  const [root, ...more] = top.children;
  const stray = top.text.replace(/^\ufeff/, "").trim() !== "";
  return sound && !stray && more.length === 0 ? root : undefined;
}

/** Text of the first child of that name. */
export function childText(node: XmlNode, name: string): string | undefined {
  return node.children.find((child) => child.name === name)?.text;
}

/** Every child of that name. */
export function childrenOf(node: XmlNode, name: string): readonly XmlNode[] {
  return node.children.filter((child) => child.name === name);
}
