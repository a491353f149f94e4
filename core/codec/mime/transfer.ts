/** Content-Transfer-Encoding: RFC 2045 section 6. */
import { STEP, type Steps } from "../../bytes/steps.ts";
import type { Warnings } from "./warnings.ts";

const EQUALS = 0x3d;
const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;

const decoder = new TextDecoder();

/** Decodes a body. Never fails: decodes as much as possible, with warnings. */
export function* decodeTransfer(
  bytes: Uint8Array,
  encoding: string,
  warnings: Warnings,
): Steps<Uint8Array> {
  switch (encoding) {
    case "base64":
      return yield* decodeBase64(bytes, warnings);
    case "quoted-printable":
      return yield* decodeQuotedPrintable(bytes, warnings);
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

/** Section 6.8: characters outside the alphabet are ignored, and padding ends a unit anywhere. */
function* decodeBase64(bytes: Uint8Array, warnings: Warnings): Steps<Uint8Array> {
  const text = decoder.decode(bytes);
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    warnings.add("A body that is not valid base64: other characters were ignored");
  }
  return yield* decodeLoosely(bytes);
}

/** Six bits for each octet of the alphabet, and marks for the others. */
const PADDING = 0x40;
const FOREIGN = 0x80;
const SEXTETS = new Uint8Array(256).fill(FOREIGN);
for (
  const [value, char] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"]
    .entries()
) {
  SEXTETS[char.charCodeAt(0)] = value;
}
SEXTETS[EQUALS] = PADDING;

/** In one pass: a body of many small units must not cost an array for each. */
function* decodeLoosely(bytes: Uint8Array): Steps<Uint8Array> {
  const out = new Uint8Array(Math.floor(bytes.length * 3 / 4));
  let length = 0;
  let bits = 0;
  let held = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (i % STEP === STEP - 1) yield;
    const sextet = SEXTETS[bytes[i]!]!;
    if (sextet === PADDING) held = 0;
    else if (sextet !== FOREIGN) {
      bits = (bits << 6 | sextet) & 0xffff;
      held += 6;
      if (held < 8) continue;
      held -= 8;
      out[length++] = bits >> held & 0xff;
    }
  }
  return out.subarray(0, length);
}

/** Section 6.7. An "=" that begins no escape is kept, and so are octets beyond ASCII. */
function* decodeQuotedPrintable(bytes: Uint8Array, warnings: Warnings): Steps<Uint8Array> {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  let pause = STEP;
  for (let i = 0; i < bytes.length; i++) {
    if (i >= pause) {
      yield;
      pause = i + STEP;
    }
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
      // Blanks before a line end were added in transit (rule 3).
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

/** Returns the index of the last octet of a soft line break whose "=" is before `at`, or -1. */
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
