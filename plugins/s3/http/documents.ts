/** Checks of the documents that requests bring. */
import type { XmlNode } from "../codec/xml.ts";
import { S3Error } from "../errors.ts";

/** What may stand in an element. */
export interface Expected {
  readonly known: readonly string[];
  /** Elements of S3 that ask for what this store does not have. */
  readonly leftOut?: readonly string[];
}

/** Throws `MalformedXML` for a child that S3 does not have there, `NotImplemented` for one that is left out here. */
export function checkChildren(node: XmlNode, { known, leftOut = [] }: Expected): void {
  for (const { name } of node.children) {
    if (known.includes(name)) continue;
    if (leftOut.includes(name)) {
      throw new S3Error(
        "NotImplemented",
        `Cannot take ${name} of ${node.name}: it is left out here`,
      );
    }
    const expected = `expected ${known.join(", ")}`;
    throw new S3Error("MalformedXML", `Cannot read ${name} in ${node.name}: ${expected}`);
  }
}

/** A truth of a document; `undefined` for none. Throws `MalformedXML`. */
export function readTruth(name: string, text: string | undefined): boolean | undefined {
  const word = text?.trim().toLowerCase();
  if (word === undefined) return undefined;
  if (word === "true" || word === "false") return word === "true";
  throw new S3Error("MalformedXML", `Cannot read ${name} "${text}": expected true or false`);
}
