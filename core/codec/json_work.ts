import { JSON_LIMITS } from "./json_lenient.ts";

/** Memory of parsed JSON besides its texts, in bytes: measured, with the copies that a garbage collection has yet to free. */
const [CONTAINER_BYTES, MEMBER_BYTES, VALUE_BYTES] = [64, 96, 16];

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [ARRAY, OBJECT] = [0x5b, 0x7b];
const WHITE = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Returns the approximate memory of a parsed body besides its texts, in bytes: two characters of JSON become an object of
 * thirty times their size. 0 for a body that is not an array or an object of JSON.
 */
export function jsonWork(body: Uint8Array): number {
  let begin = 0;
  while (WHITE.has(body[begin] ?? 0)) begin++;
  if (body[begin] !== ARRAY && body[begin] !== OBJECT) return 0;
  let containers = 0;
  let members = 0;
  let further = 0;
  for (let i = begin; i < body.length; i++) {
    const byte = body[i];
    if (byte === QUOTE) i = endOfString(body, i);
    else if (byte === ARRAY || byte === OBJECT) containers++;
    else if (byte === COLON) members++;
    else if (byte === COMMA) further++;
  }
  // Beyond these limits it is refused before it is parsed.
  return Math.min(containers, JSON_LIMITS.containers) * CONTAINER_BYTES +
    Math.min(members, JSON_LIMITS.members) * MEMBER_BYTES +
    Math.min(further, JSON_LIMITS.further) * VALUE_BYTES;
}

/** Returns the index of the quote that ends the string begun at `start`. */
function endOfString(body: Uint8Array, start: number): number {
  for (let at = start;;) {
    at = body.indexOf(QUOTE, at + 1);
    if (at < 0) return body.length;
    let before = at;
    while (body[before - 1] === BACKSLASH) before--;
    if ((at - before) % 2 === 0) return at;
  }
}
