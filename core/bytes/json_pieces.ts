import { LongList } from "./long_list.ts";
import { LongText } from "./long_text.ts";

/** Characters of a text that are written at once, and of a value from which on it is written in pieces. */
const PIECE = 65_536;
/** What a value counts for besides its text. */
const NODE = 8;

/** JSON of a value as `JSON.stringify` writes it; a long one in pieces of at most a few times 64 Ki characters. */
export function* jsonPieces(value: unknown): Generator<string> {
  if (isLong(value)) yield* longPieces(value);
  else yield JSON.stringify(value);
}

function* longPieces(value: unknown): Generator<string> {
  if (typeof value === "string") yield* textPieces([value]);
  else if (value instanceof LongText) yield* textPieces(value.pieces());
  else if (Array.isArray(value) || value instanceof LongList) {
    yield* joinPieces("[", value.values().map((item) => ["", item ?? null]), "]");
  } else if (hasToJson(value)) yield* jsonPieces(value.toJSON());
  else yield* joinPieces("{", membersOf(value as object), "}");
}

/** Whether it says itself what is written of it. */
function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return typeof (value as { toJSON?: unknown }).toJSON === "function";
}

function* membersOf(value: object): Generator<readonly [before: string, value: unknown]> {
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) yield [`${JSON.stringify(key)}:`, member];
  }
}

/** Short values are joined to one piece: a piece for each would take most of the time. */
function* joinPieces(
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
    if (long || text.length >= PIECE) {
      yield text;
      text = "";
    }
    if (long) yield* longPieces(value);
  }
  yield text + close;
}

function* textPieces(texts: Iterable<string>): Generator<string> {
  yield '"';
  for (const text of texts) {
    for (let at = 0; at < text.length;) {
      let end = at + PIECE;
      // Both halves of a character stay together: each alone would be escaped.
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

/** Whether the JSON of a value is so long that it is better written in pieces; looks no further than it has to. */
export function isLong(value: unknown): boolean {
  if (typeof value === "string") return value.length > PIECE;
  if (typeof value !== "object" || value === null) return false;
  let left = PIECE;
  const rest: unknown[] = [value];
  while (rest.length > 0 && left >= 0) {
    const one = rest.pop();
    left -= NODE;
    if (typeof one === "string" || one instanceof LongText) left -= one.length;
    // How long its items are is not known before they are made.
    else if (one instanceof LongList) left -= one.length === 0 ? 0 : PIECE;
    else if (Array.isArray(one)) {
      if (one.length * NODE > PIECE) return true;
      for (const item of one) rest.push(item);
    } else if (typeof one !== "object" || one === null) continue;
    else if (hasToJson(one)) rest.push(one.toJSON());
    else {
      for (const key in one) {
        left -= key.length;
        rest.push((one as Record<string, unknown>)[key]);
      }
    }
  }
  return left < 0;
}
