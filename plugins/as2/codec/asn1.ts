/**
 * ASN.1 values in BER and DER: ITU-T X.690. `asn1js` parses; this file adds what CMS needs.
 *
 * An OCTET STRING may arrive in chunks, nested (X.690 section 8.7.3.2), and so may a field that is tagged as one.
 */
import { concat } from "../../../core/bytes/concat.ts";
import { BaseBlock, fromBER, Integer, ObjectIdentifier } from "asn1js";
import { WireError } from "../../../core/bytes/decoder.ts";
import { checkShape } from "./ber_shape.ts";

/** A parsed value, with its bytes. */
export type Node = BaseBlock;

/** Senders that stream write chunks of 1000 octets, one node each: enough for the chunks of 64 MiB and their frame. */
const MAX_NODES = 70_000;
const MAX_DEPTH = 60;

/** Class of a tag (X.690 section 8.1.2.2). */
const CONTEXT_SPECIFIC = 3;

/**
 * Parses one value, as views of the bytes; ignores what follows it. Throws `WireError` "syntax" for malformed bytes,
 * "limit" for more than `maxNodes` values (70 000 by default), more than 60 levels, and what `checkShape` refuses.
 */
export function readBer(bytes: Uint8Array, { maxNodes = MAX_NODES } = {}): Node {
  checkShape(bytes, { maxNodes, maxDepth: MAX_DEPTH });
  let read: ReturnType<typeof fromBER>;
  try {
    read = fromBER(bytes as Uint8Array<ArrayBuffer>, {
      maxContentLength: bytes.length + 1,
      copyInput: false,
      maxNodes,
      maxDepth: MAX_DEPTH,
      parseEmbedded: false,
    });
  } catch (error) {
    throw new WireError(
      "syntax",
      `Cannot read ASN.1: ${error instanceof Error ? error.message : error}`,
    );
  }
  if (read.offset < 0 || read.result.error !== "") {
    throw new WireError("syntax", `Cannot read ASN.1: ${read.result.error || "no value there"}`);
  }
  return read.result;
}

/** Returns the values inside; none for a primitive value. */
export function childrenOf(node: Node | undefined): readonly Node[] {
  if (node === undefined || !node.idBlock.isConstructed) return [];
  const inside: unknown = (node.valueBlock as { value?: unknown }).value;
  return Array.isArray(inside) ? inside.filter((one) => one instanceof BaseBlock) : [];
}

/** Returns the value at this index. Throws `WireError` if there are fewer. */
export function childAt(node: Node | undefined, index: number): Node {
  const child = childrenOf(node)[index];
  if (child === undefined) throw new WireError("syntax", "Cannot read CMS: a field is missing");
  return child;
}

/** Returns the dotted form of an OBJECT IDENTIFIER. Throws `WireError` for anything else. */
export function oidOf(node: Node | undefined): string {
  if (node instanceof ObjectIdentifier) return node.getValue();
  throw new WireError("syntax", "Cannot read CMS: expected an object identifier");
}

/** Returns the number of a context-specific tag; `undefined` for a value of another class. */
export function tagOf(node: Node | undefined): number | undefined {
  return node?.idBlock.tagClass === CONTEXT_SPECIFIC ? node.idBlock.tagNumber : undefined;
}

/** Returns the octets of an OCTET STRING or of a value tagged as one, with its chunks joined. */
export function octetsOf(node: Node): Uint8Array<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  collect(node, chunks);
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only as Uint8Array<ArrayBuffer>;
  return concat(chunks);
}

function collect(node: Node, into: Uint8Array[]): void {
  if (node.idBlock.isConstructed) {
    for (const child of childrenOf(node)) collect(child, into);
    return;
  }
  const view: unknown = (node.valueBlock as { valueHexView?: unknown }).valueHexView;
  if (view instanceof Uint8Array) into.push(view);
}

/** Encodes a value in DER: the tag, the length in as few octets as possible (X.690 section 10.1), and the content. */
export function encodeDer(tag: number, ...inside: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = inside.reduce((sum, chunk) => sum + chunk.length, 0);
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) octets.unshift(rest & 0xff);
  const head = length < 0x80 ? [tag, length] : [tag, 0x80 | octets.length, ...octets];
  return concat([Uint8Array.from(head), ...inside]);
}

/** Returns the value as received, including tag and length. */
export function bytesOf(node: Node): Uint8Array<ArrayBuffer> {
  const { valueBeforeDecodeView } = node;
  // `asn1js` keeps the bytes of a parsed value; a new value has none yet.
  return valueBeforeDecodeView.length > 0
    ? valueBeforeDecodeView as Uint8Array<ArrayBuffer>
    : new Uint8Array(node.toBER());
}

/** Returns an INTEGER as lower-case hexadecimal digits, without leading zeros. */
export function integerHex(node: Node | undefined): string {
  if (!(node instanceof Integer)) {
    throw new WireError("syntax", "Cannot read CMS: expected an integer");
  }
  return hexNumber(node.valueBlock.valueHexView);
}

/** Returns lower-case hexadecimal digits of a number, without leading zeros. */
export function hexNumber(bytes: Uint8Array): string {
  return bytes.toHex().replace(/^0+(?=.)/, "");
}

/** Returns a small INTEGER; `undefined` for anything else. */
export function smallInteger(node: Node | undefined): number | undefined {
  return node instanceof Integer && node.valueBlock.valueHexView.length <= 4
    ? parseInt(hexNumber(node.valueBlock.valueHexView), 16)
    : undefined;
}

/** Returns whether both hold the same bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
