/** Canonical forms of header fields and bodies, RFC 6376 section 3.4. */
import { STEP, type Steps } from "../../../../core/bytes/steps.ts";

/** Canonicalization algorithm: how much a relay may change. */
export type Canonicalization = "simple" | "relaxed";

const CR = 0x0d;
const LF = 0x0a;
const SP = 0x20;
const TAB = 0x09;

/** The canonical form of a field, with its folds, without its last line end. One character for each octet. */
export function canonicalField(field: string, how: Canonicalization): string {
  if (how === "simple") return field;
  const colon = field.indexOf(":");
  const value = field.slice(colon + 1).replaceAll("\r\n", "").replaceAll(/[ \t]+/g, " ");
  return `${field.slice(0, colon).trim().toLowerCase()}:${value.trim()}`;
}

/** The canonical form of a body. */
export function* canonicalBody(body: Uint8Array, how: Canonicalization): Steps<Uint8Array> {
  return how === "simple" ? simpleBody(body) : yield* relaxedBody(body);
}

/** Empty lines at the end become one line end. */
function simpleBody(body: Uint8Array): Uint8Array {
  let end = body.length;
  while (end >= 2 && body[end - 2] === CR && body[end - 1] === LF) end -= 2;
  const canonical = new Uint8Array(end + 2);
  canonical.set(body.subarray(0, end));
  canonical.set([CR, LF], end);
  return canonical;
}

/** Removes space at line ends, collapses other space, and removes empty lines at the end. */
function* relaxedBody(body: Uint8Array): Steps<Uint8Array> {
  const canonical = new Uint8Array(body.length + 2);
  let length = 0;
  let hasSpace = false;
  let lineEnds = 0;
  for (let at = 0; at < body.length; at++) {
    if (at % STEP === STEP - 1) yield;
    const octet = body[at]!;
    if (octet === CR && body[at + 1] === LF) {
      lineEnds++;
      hasSpace = false;
      at++;
    } else if (octet === SP || octet === TAB) {
      hasSpace = true;
    } else {
      for (; lineEnds > 0; lineEnds--) {
        canonical[length++] = CR;
        canonical[length++] = LF;
      }
      if (hasSpace) canonical[length++] = SP;
      hasSpace = false;
      canonical[length++] = octet;
    }
  }
  if (length === 0) return canonical.subarray(0, 0);
  canonical[length++] = CR;
  canonical[length++] = LF;
  return canonical.subarray(0, length);
}
