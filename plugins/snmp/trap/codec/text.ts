/**
 * Decides when an octet string is text (RFC 3416 leaves its content open): valid UTF-8 without control characters other
 * than tab, line feed and return.
 *
 * @module
 */

import { toLatin1 } from "../../../../core/bytes/latin1.ts";

/** Longest string built octet by octet; the platform's decoder is faster beyond. */
const SHORT = 64;

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes octets as text; `undefined` if they are not text. */
export function decodeText(octets: Uint8Array): string | undefined {
  let ascii = octets.length <= SHORT;
  for (const octet of octets) {
    if (octet < 0x20 && octet !== 0x09 && octet !== 0x0a && octet !== 0x0d) return undefined;
    if (octet === 0x7f) return undefined;
    if (octet > 0x7f) ascii = false;
  }
  if (ascii) return toLatin1(octets);
  try {
    return strict.decode(octets);
  } catch {
    return undefined;
  }
}
