/** Checks of documents in requests. */
import type { XmlNode } from "../codec/xml.ts";
import { S3Error } from "../errors.ts";

/** Valid children of an element. */
export interface Expected {
  readonly known: readonly string[];
  /** Those that may be repeated. */
  readonly many?: readonly string[];
  /** Those with elements of their own, instead of text. */
  readonly nested?: readonly string[];
  /** Elements of S3 for features that this store lacks. */
  readonly leftOut?: readonly string[];
}

/**
 * Throws `MalformedXML` for a child that is invalid in S3 and for what would be dropped: a second child of a name, text
 * beside elements and elements in a text. Throws `NotImplemented` for an unsupported child.
 */
export function checkChildren(node: XmlNode, expected: Expected): void {
  const { known, many = [], nested = many, leftOut = [] } = expected;
  checkText(node);
  const seen = new Set<string>();
  for (const { name, children } of node.children) {
    if (known.includes(name)) {
      if (seen.has(name) && !many.includes(name)) {
        throw new S3Error("MalformedXML", `Cannot read ${name} twice in ${node.name}`);
      }
      seen.add(name);
      if (children.length > 0 && !nested.includes(name)) {
        throw new S3Error("MalformedXML", `Cannot read elements in ${name}: expected a text`);
      }
      continue;
    }
    if (leftOut.includes(name)) {
      throw new S3Error(
        "NotImplemented",
        `Cannot accept ${name} of ${node.name}: it is not supported`,
      );
    }
    const names = `expected ${known.join(", ")}`;
    throw new S3Error("MalformedXML", `Cannot read ${name} in ${node.name}: ${names}`);
  }
}

/** Throws `MalformedXML` for text in an element that has only elements. */
export function checkText({ name, text }: XmlNode): void {
  const stray = text.trim();
  if (stray === "") return;
  throw new S3Error("MalformedXML", `Cannot read "${stray}" in ${name}: expected elements only`);
}

/** Parses a Boolean of a document; `undefined` if absent. Throws `MalformedXML`. */
export function readTruth(name: string, text: string | undefined): boolean | undefined {
  const word = text?.trim().toLowerCase();
  if (word === undefined) return undefined;
  if (word === "true" || word === "false") return word === "true";
  throw new S3Error("MalformedXML", `Cannot read ${name} "${text}": expected true or false`);
}
