import { LongList } from "./long_list.ts";
import { LongText } from "./long_text.ts";

/** Characters of a text written at once, and the size from which a value is written in chunks. */
const CHUNK_CHARS = 65_536;
/** Length of a value besides its text. */
const NODE = 8;

/** Serializes a value like `JSON.stringify`; a long one in chunks of at most a few times 64 Ki characters. */
export function* jsonChunks(value: unknown): Generator<string> {
  if (isLong(value)) yield* longChunks(value);
  else yield JSON.stringify(value);
}

function* longChunks(value: unknown): Generator<string> {
  if (typeof value === "string") yield* textChunks([value]);
  else if (value instanceof LongText) yield* textChunks(value.chunks());
  else if (Array.isArray(value) || value instanceof LongList) {
    yield* joinChunks("[", value.values().map((item) => ["", item ?? null]), "]");
  } else if (hasToJson(value)) yield* jsonChunks(value.toJSON());
  else yield* joinChunks("{", membersOf(value as object), "}");
}

/** Returns whether the value defines its own JSON. */
function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return typeof (value as { toJSON?: unknown }).toJSON === "function";
}

function* membersOf(value: object): Generator<readonly [before: string, value: unknown]> {
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) yield [`${JSON.stringify(key)}:`, member];
  }
}

/** Joins short values into one chunk: separate chunks would take most of the time. */
function* joinChunks(
  open: string,
  values: Iterable<readonly [before: string, value: unknown]>,
  close: string,
): Generator<string> {
  let text = open;
  let comma = "";
  for (const [before, value] of values) {
    text += comma + before;
    comma = ",";
    const long = isLong(value);
    if (!long) text += JSON.stringify(value);
    if (long || text.length >= CHUNK_CHARS) {
      yield text;
      text = "";
    }
    if (long) yield* longChunks(value);
  }
  yield text + close;
}

function* textChunks(texts: Iterable<string>): Generator<string> {
  yield '"';
  for (const text of texts) {
    for (let at = 0; at < text.length;) {
      let end = at + CHUNK_CHARS;
      // A surrogate pair stays together: each half alone would be escaped.
      if (isHighSurrogate(text.charCodeAt(end - 1))) end--;
      yield JSON.stringify(text.slice(at, end)).slice(1, -1);
      at = end;
    }
  }
  yield '"';
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

/** Returns whether the JSON of a value is long enough for chunks; inspects no more than necessary. */
export function isLong(value: unknown): boolean {
  return leftAfter(value, CHUNK_CHARS) < 0;
}

/** Subtracts the length of a value; below zero nothing is exact. Values nest as deep as JSON may. */
function leftAfter(value: unknown, left: number): number {
  if (typeof value === "string") return left - NODE - value.length;
  if (typeof value !== "object" || value === null) return left - NODE;
  if (Array.isArray(value)) return leftAfterItems(value, left - NODE);
  if (hasToJson(value)) return leftAfterOwn(value, left);
  left -= NODE;
  for (const key in value) {
    left = leftAfter((value as Record<string, unknown>)[key], left - key.length);
    if (left < 0) break;
  }
  return left;
}

function leftAfterOwn(value: { toJSON(): unknown }, left: number): number {
  if (value instanceof LongText) return left - NODE - value.length;
  // The length of its items is unknown before they are created.
  if (value instanceof LongList) return value.isEmpty ? left - NODE : -1;
  return leftAfter(value.toJSON(), left);
}

function leftAfterItems(items: readonly unknown[], left: number): number {
  if (items.length * NODE > left) return -1;
  for (const item of items) {
    left = leftAfter(item, left);
    if (left < 0) break;
  }
  return left;
}
