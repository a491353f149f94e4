/**
 * Finds values in a JSON text (RFC 8259 sections 2 to 7), so that a part can be kept exactly as it was sent:
 * number spelling, escapes, order, repeated names and white space included. Nothing is converted.
 *
 * ```
 * value  = object / array / string / number / true / false / null
 * object = { [ string : value *( , string : value ) ] }     array = [ [ value *( , value ) ] ]
 * ```
 *
 * @module
 */
import { WireError } from "../bytes/decoder.ts";
import { mapKey } from "../bytes/text.ts";

/** Place of a value in a text: from its first character up to the one after its last. */
export interface JsonSpan {
  readonly start: number;
  readonly end: number;
}

/** Deepest nesting of arrays and objects. */
const MAX_DEPTH = 256;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Checks a whole text and returns the place of its value, without the white space around it.
 * Throws `WireError` "syntax" for a text that is not JSON, "limit" for nesting beyond 256 levels.
 */
export function scanJson(text: string): JsonSpan {
  const start = skipSpace(text, 0);
  const end = skipValue(text, start);
  const rest = skipSpace(text, end);
  if (rest < text.length) throw unexpected(text, rest);
  return { start, end };
}

/** Returns the place of each value of an object, by name, in the order of the text. */
export interface JsonMembers extends Iterable<readonly [name: string, span: JsonSpan]> {
  readonly size: number;
  get(name: string): JsonSpan | undefined;
}

class Members implements JsonMembers {
  readonly #byKey = new Map<string, readonly [name: string, span: JsonSpan]>();

  get size(): number {
    return this.#byKey.size;
  }

  get(name: string): JsonSpan | undefined {
    return this.#byKey.get(mapKey(name))?.[1];
  }

  set(name: string, span: JsonSpan): void {
    this.#byKey.set(mapKey(name), [name, span]);
  }

  [Symbol.iterator](): Iterator<readonly [name: string, span: JsonSpan]> {
    return this.#byKey.values();
  }
}

/** Returns the members of the object at `span` by name, the last of equal names; empty for a value of another type. */
export function memberSpans(text: string, span: JsonSpan): JsonMembers {
  const members = new Members();
  if (text.charCodeAt(span.start) !== OPEN_OBJECT) return members;
  let at = skipSpace(text, span.start + 1);
  while (text.charCodeAt(at) !== CLOSE_OBJECT) {
    const nameEnd = skipString(text, at);
    const start = skipSpace(text, expect(text, skipSpace(text, nameEnd), COLON));
    const end = skipValue(text, start);
    members.set(nameAt(text, at, nameEnd), { start, end });
    at = nextItem(text, end, CLOSE_OBJECT);
  }
  return members;
}

function nameAt(text: string, start: number, end: number): string {
  const written = text.slice(start + 1, end - 1);
  return written.includes("\\") ? JSON.parse(text.slice(start, end)) : written;
}

/** Returns the elements of the array at `span`; empty for a value of another type. */
export function elementSpans(text: string, span: JsonSpan): readonly JsonSpan[] {
  const elements: JsonSpan[] = [];
  if (text.charCodeAt(span.start) !== OPEN_ARRAY) return elements;
  let at = skipSpace(text, span.start + 1);
  while (text.charCodeAt(at) !== CLOSE_ARRAY) {
    const end = skipValue(text, at);
    elements.push({ start: at, end });
    at = nextItem(text, end, CLOSE_ARRAY);
  }
  return elements;
}

/** Returns the text of a value as sent. */
export function sliceJson(text: string, span: JsonSpan): string {
  return text.slice(span.start, span.end);
}

/** Without recursion: a stack of open brackets. */
function skipValue(text: string, start: number): number {
  const closers: number[] = [];
  let at = start;
  while (true) {
    const code = text.charCodeAt(at);
    if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (closers.length === MAX_DEPTH) throw tooDeep(at);
      closers.push(code === OPEN_ARRAY ? CLOSE_ARRAY : CLOSE_OBJECT);
      at = skipSpace(text, at + 1);
      if (text.charCodeAt(at) !== closers.at(-1)) {
        at = skipName(text, at, closers.at(-1)!);
        continue;
      }
    } else at = code === QUOTE ? skipString(text, at) : skipScalar(text, at);
    // A value has ended here, or an empty bracket is about to close.
    while (true) {
      const closer = closers.at(-1);
      if (closer === undefined) return at;
      at = skipSpace(text, at);
      if (text.charCodeAt(at) === COMMA) {
        at = skipName(text, skipSpace(text, at + 1), closer);
        break;
      }
      at = expect(text, at, closer);
      closers.pop();
    }
  }
}

/** In an object, skips a name and its colon; an array has none. */
function skipName(text: string, at: number, closer: number): number {
  if (closer === CLOSE_ARRAY) return at;
  return skipSpace(text, expect(text, skipSpace(text, skipString(text, at)), COLON));
}

/** Moves past a comma to the next item, or stays at the closing bracket. */
function nextItem(text: string, end: number, closer: number): number {
  const at = skipSpace(text, end);
  if (text.charCodeAt(at) === closer) return at;
  return skipSpace(text, expect(text, at, COMMA));
}

function skipString(text: string, start: number): number {
  let at = expect(text, start, QUOTE);
  while (true) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) {
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(text)) throw unexpected(text, at);
      at = ESCAPE.lastIndex;
    } else if (code >= 0x20) at++;
    else throw unexpected(text, at); // a control character, or NaN at the end of the text
  }
}

function skipScalar(text: string, at: number): number {
  SCALAR.lastIndex = at;
  if (!SCALAR.test(text)) throw unexpected(text, at);
  return SCALAR.lastIndex;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (true) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at++;
  }
}

function expect(text: string, at: number, code: number): number {
  if (text.charCodeAt(at) !== code) throw unexpected(text, at);
  return at + 1;
}

function unexpected(text: string, at: number): WireError {
  const found = at < text.length ? JSON.stringify(text[at]) : "the end";
  return new WireError("syntax", `Cannot read the text as JSON: unexpected ${found} at ${at}`);
}

function tooDeep(at: number): WireError {
  return new WireError(
    "limit",
    `Cannot read the text as JSON: nested deeper than ${MAX_DEPTH} levels at ${at}`,
  );
}
