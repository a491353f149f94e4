/** Content-Transfer-Encoding: RFC 2045 section 6. */
import { concat } from "../../bytes/concat.ts";
import type { Warnings } from "./warnings.ts";

const EQUALS = 0x3d;
const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;

const decoder = new TextDecoder();

/** Undoes the encoding. Never fails: what cannot be decoded is kept as far as it goes, and told. */
export function decodeTransfer(
  bytes: Uint8Array,
  encoding: string,
  warnings: Warnings,
): Uint8Array {
  switch (encoding) {
    case "base64":
      return decodeBase64(bytes, warnings);
    case "quoted-printable":
      return decodeQuotedPrintable(bytes, warnings);
    case "":
    case "7bit":
    case "8bit":
    case "binary":
      return bytes;
    default:
      warnings.add(`Unknown transfer encoding "${encoding.slice(0, 60)}": kept as sent`);
      return bytes;
  }
}

/** Section 6.8: characters outside the alphabet are ignored, and padding ends a unit wherever it stands. */
function decodeBase64(bytes: Uint8Array, warnings: Warnings): Uint8Array {
  const text = decoder.decode(bytes);
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    warnings.add("A body that is not proper base64: what does not belong there was ignored");
  }
  const units = text.replace(/[^A-Za-z0-9+/=]+/g, "").split(/=+/);
  const pieces = units.map((unit) =>
    // One character alone is no byte.
    Uint8Array.fromBase64(unit.length % 4 === 1 ? unit.slice(0, -1) : unit)
  );
  return concat(pieces);
}

/** Section 6.7. An "=" that begins no escape is kept, and so are octets beyond ASCII. */
function decodeQuotedPrintable(bytes: Uint8Array, warnings: Warnings): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === EQUALS) {
      const high = hexValue(bytes[i + 1]);
      const low = hexValue(bytes[i + 2]);
      const soft = softBreakEnd(bytes, i + 1);
      if (high >= 0 && low >= 0) {
        out[length++] = high << 4 | low;
        i += 2;
      } else if (soft >= 0) i = soft;
      else {
        warnings.add('A quoted-printable body in which "=" begins no escape: kept as sent');
        out[length++] = byte;
      }
    } else if ((byte === SPACE || byte === TAB) && i + 1 < bytes.length) {
      // Blanks before a line end were added on the way (rule 3).
      const end = blanksEnd(bytes, i);
      if (isLineEnd(bytes, end)) i = end - 1;
      else {
        out.set(bytes.subarray(i, end), length);
        length += end - i;
        i = end - 1;
      }
    } else out[length++] = byte;
  }
  return out.subarray(0, length);
}

function hexValue(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const upper = byte & 0xdf;
  return upper >= 0x41 && upper <= 0x46 ? upper - 0x37 : -1;
}

/** Index of the last octet of a soft line break whose "=" is before `at`, or -1. */
function softBreakEnd(bytes: Uint8Array, at: number): number {
  const end = blanksEnd(bytes, at);
  if (end >= bytes.length) return end - 1;
  if (bytes[end] === LF) return end;
  return bytes[end] === CR && bytes[end + 1] === LF ? end + 1 : -1;
}

function blanksEnd(bytes: Uint8Array, at: number): number {
  let end = at;
  while (bytes[end] === SPACE || bytes[end] === TAB) end++;
  return end;
}

function isLineEnd(bytes: Uint8Array, at: number): boolean {
  return at >= bytes.length || bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] === LF);
}
