/** Writes elements in the Basic Encoding Rules, as far as SNMP v3 needs them. */
import { concat } from "../../../../core/bytes/concat.ts";
import { INTEGER, OBJECT_IDENTIFIER, OCTET_STRING } from "./ber.ts";

/** Encodes one element of any tag. */
export function encodeElement(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, { length }) => sum + length, 0);
  return concat([Uint8Array.of(tag, ...lengthOctets(length)), ...parts]);
}

/** At most 65 535, which a datagram cannot exceed. */
function lengthOctets(length: number): readonly number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

/** Encodes an integer from 0 to 2^32 - 1. */
export function encodeUnsigned(value: number, tag = INTEGER): Uint8Array {
  const octets = [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);
  while (octets.length > 1 && octets[0] === 0 && octets[1]! < 0x80) octets.shift();
  if (octets[0]! >= 0x80) octets.unshift(0);
  return encodeElement(tag, Uint8Array.from(octets));
}

/** Encodes an octet string. */
export function encodeOctets(bytes: Uint8Array): Uint8Array {
  return encodeElement(OCTET_STRING, bytes);
}

/** Encodes a dotted identifier whose first arc is 1. */
export function encodeOid(oid: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = oid.split(".").map(Number);
  const octets = [first * 40 + second, ...rest].flatMap((arc) => {
    const groups = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift(0x80 | (left & 0x7f));
    return groups;
  });
  return encodeElement(OBJECT_IDENTIFIER, Uint8Array.from(octets));
}
