/**
 * The part of the Basic Encoding Rules (ITU-T X.690) that SNMP uses (RFC 3417 section 8): one-octet tags, definite
 * lengths in short or long form. An element is
 *
 *   tag (1)  length (1, or 1 + n)  content (length)
 *
 * and must lie wholly inside the element around it. Lengths need not be minimal; some agents always use the four-octet
 * form.
 *
 * @module
 */
import { WireError } from "../../../../core/bytes/decoder.ts";

/** INTEGER. */
export const INTEGER = 0x02;
/** OCTET STRING. */
export const OCTET_STRING = 0x04;
/** NULL. */
export const NULL = 0x05;
/** OBJECT IDENTIFIER. */
export const OBJECT_IDENTIFIER = 0x06;
/** SEQUENCE and SEQUENCE OF. */
export const SEQUENCE = 0x30;

/** Octets of one arc: enough for a UUID under 2.25, which takes 128 bits. */
const MAX_ARC_OCTETS = 19;

/** One element: its position, and a view of its content. */
export interface Element {
  readonly tag: number;
  /** Offset of the tag in the whole datagram. */
  readonly tagAt: number;
  /** Offset of the content in the whole datagram. */
  readonly contentAt: number;
  readonly content: Uint8Array;
}

/** Reads the elements between two offsets. Throws `WireError` only. */
export class BerReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array, { from = 0, to = bytes.length } = {}) {
    this.#bytes = bytes;
    this.#at = from;
    this.#end = to;
  }

  /** Octets not read yet. */
  get left(): number {
    return this.#end - this.#at;
  }

  /** Reads the next element, of any tag; `what` names it in the error. */
  next(what: string): Element {
    const tagAt = this.#at;
    const tag = this.#octet(what);
    const length = this.#length(what);
    if (length > this.left) {
      throw new WireError(
        "truncated",
        `Cannot read ${what}: it claims ${length} octets, ${this.left} are left`,
      );
    }
    const contentAt = this.#at;
    this.#at += length;
    return { tag, tagAt, contentAt, content: this.#bytes.subarray(contentAt, this.#at) };
  }

  /** Reads the next element, which must have this tag. */
  expect(tag: number, what: string): Element {
    const found = this.#bytes[this.#at];
    if (this.left === 0 || found === tag) return this.next(what);
    throw new WireError(
      "syntax",
      `Cannot read ${what}: expected tag ${hex(tag)}, got ${hex(found ?? 0)}`,
    );
  }

  /** Reads the elements inside a constructed one. */
  inside(element: Element): BerReader {
    const from = element.contentAt;
    return new BerReader(this.#bytes, { from, to: from + element.content.length });
  }

  /** Throws if anything is left. */
  end(what: string): void {
    if (this.left === 0) return;
    throw new WireError("syntax", `Cannot read ${what}: ${this.left} octets follow its end`);
  }

  #octet(what: string): number {
    if (this.left === 0) {
      throw new WireError("truncated", `Cannot read ${what}: nothing is left`);
    }
    return this.#bytes[this.#at++]!;
  }

  #length(what: string): number {
    const first = this.#octet(what);
    if (first < 0x80) return first;
    const count = first & 0x7f;
    if (count === 0) {
      throw new WireError("syntax", `Cannot read ${what}: SNMP has no indefinite lengths`);
    }
    if (count > 4) {
      throw new WireError("limit", `Cannot read ${what}: its length takes ${count} octets`);
    }
    let length = 0;
    for (let i = 0; i < count; i++) length = length * 256 + this.#octet(what);
    return length;
  }
}

/** Returns a tag in the usual notation, such as `0x04`. */
export function hex(tag: number): string {
  return `0x${tag.toString(16).padStart(2, "0")}`;
}

/** Reads a signed integer of up to 64 bits; senders of unsigned values prefix a zero octet. */
export function toInteger(content: Uint8Array, what: string): number | bigint {
  const value = toUnsigned(content, what);
  if (content[0]! < 0x80) return value;
  return typeof value === "number"
    ? value - 2 ** (8 * content.length)
    : BigInt.asIntN(8 * content.length, value);
}

/** Reads the octets as unsigned: counters arrive with and without the leading zero octet (X.690 section 8.3). */
export function toUnsigned(content: Uint8Array, what: string): number | bigint {
  if (content.length === 0) {
    throw new WireError("syntax", `Cannot read ${what}: an integer has at least one octet`);
  }
  if (content.length > 9 || (content.length === 9 && content[0] !== 0)) {
    throw new WireError("limit", `Cannot read ${what}: it has more than 64 bits`);
  }
  if (content.length > 6) return BigInt(`0x${content.toHex()}`);
  let value = 0;
  for (const octet of content) value = value * 256 + octet;
  return value;
}

/** Returns an object identifier in dotted form, without a leading dot (X.690 section 8.19). */
export function toOid(content: Uint8Array, what: string): string {
  // Agents send 06 00 for 0.0, and the net-snmp programs accept it.
  if (content.length === 0) return "0.0";
  if (content[content.length - 1]! >= 0x80) {
    throw new WireError("truncated", `Cannot read ${what}: its last arc does not end`);
  }
  let oid = "";
  for (let at = 0; at < content.length;) {
    const end = endOfArc(content, at);
    const arc = end - at === 1 ? content[at]! : toArc(content.subarray(at, end), what);
    oid = at === 0 ? toFirstArcs(arc) : `${oid}.${arc}`;
    at = end;
  }
  return oid;
}

function endOfArc(content: Uint8Array, from: number): number {
  let at = from;
  while (content[at]! >= 0x80) at++;
  return at + 1;
}

/**
 * The first number holds two arcs, 40 times the first plus the second; only under 2 may the second exceed 39.
 */
function toFirstArcs(arc: number | bigint): string {
  if (arc < 80) return `${Math.floor(Number(arc) / 40)}.${Number(arc) % 40}`;
  return `2.${BigInt(arc) - 80n}`;
}

/** Seven bits an octet, all but the last with the eighth bit set. */
function toArc(octets: Uint8Array, what: string): number | bigint {
  if (octets[0] === 0x80) {
    throw new WireError("syntax", `Cannot read ${what}: an arc begins with a filler octet`);
  }
  if (octets.length > MAX_ARC_OCTETS) {
    throw new WireError("limit", `Cannot read ${what}: an arc has ${octets.length} octets`);
  }
  // Up to 49 bits a number is exact, and several times faster than a bigint.
  if (octets.length <= 7) return octets.reduce((arc, octet) => arc * 128 + (octet & 0x7f), 0);
  return octets.reduce<bigint>((arc, octet) => arc << 7n | BigInt(octet & 0x7f), 0n);
}
