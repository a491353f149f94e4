/**
 * Reads the XML of S3 requests (XML 1.0) with `htmlparser2`: separate from the writer, because most clients never send
 * XML and the library is large.
 *
 * @module
 */
import { Parser } from "htmlparser2";
import type { XmlNode } from "./xml.ts";

/** Bodies of requests are three deep; deeper ones are invalid. */
const MAX_DEPTH = 8;
/** Elements of the largest valid document: 10 000 parts of a completion with their ETag and checksums. */
const MAX_ELEMENTS = 100_000;
/** Characters passed to the parser at a time: an error in them stops it before the next. */
const CHUNK_CHARS = 16_384;

interface OpenNode {
  readonly name: string;
  readonly type?: string;
  text: string;
  readonly children: OpenNode[];
}

/**
 * Returns the root element, or `undefined` for a text that is not well-formed, nests deeper than any S3 body, has more
 * than 100 000 elements or declares a document type, which no client does and entity bombs need. Reading ends at the
 * first error.
 */
export function readXml(text: string): XmlNode | undefined {
  const top: OpenNode = { name: "", text: "", children: [] };
  const stack: OpenNode[] = [top];
  let elements = 0;
  let sound = true;
  const parser = new Parser({
    onopentag(name, attributes) {
      const node: OpenNode = {
        name: name.replace(/^.*:/, ""),
        ...typeOf(attributes),
        text: "",
        children: [],
      };
      stack.at(-1)!.children.push(node);
      if (stack.length > MAX_DEPTH || ++elements > MAX_ELEMENTS) sound = false;
      else stack.push(node);
    },
    ontext: (data) => void (stack.at(-1)!.text += data),
    onclosetag(_name, implied) {
      // The parser reports the end of `<a/>` as implied, too.
      if (implied && !endsItself(text, parser)) sound = false;
      if (stack.length > 1) stack.pop();
    },
    onprocessinginstruction: (name) => void (name.startsWith("!") && (sound = false)),
  }, { xmlMode: true, decodeEntities: true });
  // The parser compares each closing element with all open ones, which is slow if there are many.
  for (let at = 0; sound && at < text.length; at += CHUNK_CHARS) {
    parser.write(text.slice(at, at + CHUNK_CHARS));
  }
  if (!sound) return undefined;
  parser.end();
  const [root, ...more] = top.children;
  const stray = top.text.replace(/^\ufeff/, "").trim() !== "";
  return sound && !stray && more.length === 0 ? root : undefined;
}

/** The prefix is that of the name space of XML Schema, whatever its name. */
function typeOf(attributes: Readonly<Record<string, string>>): { readonly type?: string } {
  for (const [name, value] of Object.entries(attributes)) {
    if (/^[^:]+:type$/.test(name)) return { type: value };
  }
  return {};
}

/** Returns whether the parser is at the end of a self-closing tag; at the end of the text it is at no tag. */
function endsItself(text: string, { startIndex, endIndex }: Parser): boolean {
  return text.startsWith("<", startIndex) && text.startsWith("/>", endIndex - 1) &&
    !text.startsWith("</", startIndex);
}
