/** Shapes of documents: their elements, how often each occurs, and their valid texts. */
import type { XmlNode } from "../codec/xml.ts";
import { S3Error } from "../errors.ts";
import { checkText } from "./documents.ts";

/** One element. */
export interface Part {
  /** Its content; by default text. */
  readonly in?: Shape;
  /** Whether it holds at most one element. */
  readonly single?: boolean;
  /** Valid texts; by default any. */
  readonly words?: readonly string[];
  readonly text?: RegExp;
  readonly required?: boolean;
  /** Valid types of the element (`xsi:type`); one without a type is valid, too. */
  readonly types?: readonly string[];
  /** Maximum number; by default 1. */
  readonly most?: number;
}

/** Elements by their names. */
export type Shape = Readonly<Record<string, Part>>;

/** Throws `MalformedXML` for a document of another shape. */
export function checkShape(node: XmlNode, shape: Shape): void {
  checkText(node);
  const counts = new Map<string, number>();
  for (const child of node.children) {
    const part = Object.hasOwn(shape, child.name) ? shape[child.name] : undefined;
    if (part === undefined) {
      throw malformed(
        node,
        `${child.name}: expected ${Object.keys(shape).join(", ") || "nothing"}`,
      );
    }
    const count = (counts.get(child.name) ?? 0) + 1;
    counts.set(child.name, count);
    if (count > (part.most ?? 1)) {
      throw malformed(node, `more than ${part.most ?? 1} ${child.name}`);
    }
    checkPart(child, part);
  }
  for (const [name, { required }] of Object.entries(shape)) {
    if (required && !counts.has(name)) throw malformed(node, `no ${name}`);
  }
}

function checkPart(
  node: XmlNode,
  { in: shape, single = false, words, text, types = [] }: Part,
): void {
  if (node.type !== undefined && !types.includes(node.type)) {
    throw malformed(node, `type "${node.type}": expected ${types.join(", ") || "none"}`);
  }
  if (shape !== undefined) {
    checkShape(node, shape);
    if (!single || node.children.length <= 1) return;
    throw malformed(node, node.children.map(({ name }) => name).join(" and ") + ": expected one");
  }
  const value = node.text.trim();
  if (node.children.length > 0) throw malformed(node, "elements: expected a text");
  if (words !== undefined && !words.includes(value)) {
    throw malformed(node, `"${value}": expected ${words.join(", ")}`);
  }
  if (text !== undefined && !text.test(value)) throw malformed(node, `"${value}"`);
}

function malformed({ name }: XmlNode, problem: string): S3Error {
  return new S3Error("MalformedXML", `Cannot accept ${name} with ${problem}`);
}
