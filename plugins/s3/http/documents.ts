/** Checks of documents in requests. */
import type { XmlNode } from "../codec/xml.ts";
import { S3Error } from "../errors.ts";

/** Valid children of an element. */
export interface Expected {
  readonly known: readonly string[];
  /** Elements of S3 for features that this store lacks. */
  readonly leftOut?: readonly string[];
}

/** Throws `MalformedXML` for a child that is invalid in S3, `NotImplemented` for an unsupported one. */
export function checkChildren(node: XmlNode, { known, leftOut = [] }: Expected): void {
  for (const { name } of node.children) {
    if (known.includes(name)) continue;
    if (leftOut.includes(name)) {
      throw new S3Error(
        "NotImplemented",
        `Cannot accept ${name} of ${node.name}: it is not supported`,
      );
    }
    const expected = `expected ${known.join(", ")}`;
    throw new S3Error("MalformedXML", `Cannot read ${name} in ${node.name}: ${expected}`);
  }
}

/** Parses a Boolean of a document; `undefined` if absent. Throws `MalformedXML`. */
export function readTruth(name: string, text: string | undefined): boolean | undefined {
  const word = text?.trim().toLowerCase();
  if (word === undefined) return undefined;
  if (word === "true" || word === "false") return word === "true";
  throw new S3Error("MalformedXML", `Cannot read ${name} "${text}": expected true or false`);
}
