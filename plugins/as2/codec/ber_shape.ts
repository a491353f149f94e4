/**
 * Checks the shape of a value in BER (ITU-T X.690 section 8.1) without building objects: identifier, length, and the
 * content of constructed values.
 *
 * @module
 */
import { WireError } from "../../../core/bytes/decoder.ts";

/** Octets of the longest OBJECT IDENTIFIER that is read: each octet can become an object. */
const MAX_OID_OCTETS = 256;
/** Octets of the longest text, number or time: everything except octets, bits, and values with their own tag. */
const MAX_VALUE_OCTETS = 65_536;
const OID = 0x06;
const RELATIVE_OID = 0x0d;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const CONSTRUCTED = 0x20;
/** Bits of the class; 0 is the universal one. */
const CLASS = 0xc0;
const INDEFINITE = -1;

/** Maximum number of values, nested ones included, and the deepest nesting. */
export interface ShapeLimits {
  readonly maxNodes: number;
  readonly maxDepth: number;
}

/**
 * Checks the first value. Throws `WireError` "limit" if it has too many values, is nested too deeply, or holds an
 * object identifier of more than 256 octets or a text, number or time of more than 65 536. The parser reports malformed
 * BER.
 */
export function checkShape(bytes: Uint8Array, { maxNodes, maxDepth }: ShapeLimits): void {
  /** Ends of the open values. */
  const ends: number[] = [];
  let nodes = 0;
  let at = 0;
  do {
    const head = readHead(bytes, at);
    if (head === undefined) return;
    if (ends.at(-1) === INDEFINITE && head.tag === 0 && head.length === 0) {
      ends.pop();
      at = head.start;
    } else {
      if (++nodes > maxNodes) throw tooMuch(`it has more than ${maxNodes} values`);
      checkLength(head);
      at = head.start;
      if ((head.tag & CONSTRUCTED) === 0) at += head.length;
      else if (ends.length >= maxDepth) {
        throw tooMuch(`it is nested deeper than ${maxDepth} levels`);
      } else ends.push(head.length === INDEFINITE ? INDEFINITE : head.start + head.length);
    }
    while (ends.at(-1) !== INDEFINITE && ends.length > 0 && at >= ends.at(-1)!) ends.pop();
  } while (ends.length > 0 && at < bytes.length);
}

function checkLength({ tag, length }: Head): void {
  if ((tag & (CLASS | CONSTRUCTED)) !== 0 || tag === BIT_STRING || tag === OCTET_STRING) return;
  if ((tag === OID || tag === RELATIVE_OID) && length > MAX_OID_OCTETS) {
    throw tooMuch(`an object identifier has more than ${MAX_OID_OCTETS} octets`);
  }
  if (length > MAX_VALUE_OCTETS) {
    throw tooMuch(`a text, number or time has more than ${MAX_VALUE_OCTETS} octets`);
  }
}

interface Head {
  /** First octet of the identifier. */
  readonly tag: number;
  /** Octets of the content, or `INDEFINITE`. */
  readonly length: number;
  /** Start of the content. */
  readonly start: number;
}

function readHead(bytes: Uint8Array, from: number): Head | undefined {
  const tag = bytes[from];
  if (tag === undefined) return undefined;
  let at = from + 1;
  if ((tag & 0x1f) === 0x1f) {
    while ((bytes[at] ?? 0) >= 0x80) at++;
    at++;
  }
  const first = bytes[at++];
  if (first === undefined) return undefined;
  if (first < 0x80) return { tag, length: first, start: at };
  if (first === 0x80) return { tag, length: INDEFINITE, start: at };
  const octets = first & 0x7f;
  if (octets > 6 || at + octets > bytes.length) return undefined;
  let length = 0;
  for (let i = 0; i < octets; i++) length = length * 256 + bytes[at++]!;
  return { tag, length, start: at };
}

function tooMuch(why: string): WireError {
  return new WireError("limit", `Cannot read ASN.1: ${why}`);
}
