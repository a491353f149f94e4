const strict = new TextDecoder("utf-8", { fatal: true });

/** 1 for each control character except tab, line feed, form feed and return. */
const CONTROL = Uint8Array.from(
  { length: 256 },
  (_, byte) => (byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(byte)) || byte === 0x7f ? 1 : 0,
);

/** Returns whether bytes are valid UTF-8 without control characters other than tab, line feed, form feed and return. */
export function isText(bytes: Uint8Array): boolean {
  if (isPrintable(bytes)) return true;
  // Without a branch the loop is four times as fast, and it runs over every captured body.
  let controls = 0;
  let seen = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    controls |= CONTROL[byte]!;
    seen |= byte;
  }
  if (controls !== 0) return false;
  if (seen < 0x80) return true;
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns whether all bytes are printable ASCII, as most JSON bodies are, four at a time. Returns false for bytes that
 * are not aligned to four.
 */
function isPrintable(bytes: Uint8Array): boolean {
  if (bytes.byteOffset % 4 !== 0) return false;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  // The high bit of a byte is set in `w` from 0x80, in `w + 0x01..` from 0x7f, and in `w - 0x20..` below 0x20. A carry
  // into the byte above comes only from a byte that has set its own bit.
  let odd = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    odd |= word | (word + 0x01010101) | (word - 0x20202020);
  }
  if ((odd & 0x80808080) !== 0) return false;
  for (let i = words.length << 2; i < bytes.length; i++) {
    if (bytes[i]! < 0x20 || bytes[i]! > 0x7e) return false;
  }
  return true;
}

/** Quotes a text as one word for a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Returns a key for a `Map` or `Set` of names that a peer chooses. V8 derives the hash of a string of digits from its
 * number, without a seed, so names such as `65536` and `131072` collide, and each look-up walks all of them.
 */
export function mapKey(name: string): string {
  return `:${name}`;
}

/** Longest line, in characters. */
const LINE = 140;

/** Longest summary, in characters, before it is cut. */
const SUMMARY_LENGTH = 200;

/** Characters inspected at most: texts can be megabytes. */
const MOST_LOOKED_AT = 2000;

/** Characters inspected for a line: enough for most texts, even with much white space. */
const LOOKS = [2 * LINE, MOST_LOOKED_AT];

/** Returns the beginning of a text on one line, for lists, with white space collapsed. */
export function toLine(text = ""): string {
  if (isPlain(text)) return text.slice(0, LINE);
  let line = "";
  for (const look of LOOKS) {
    // One flat string: joined word by word it would stay a tree of strings as long as the event.
    line = text.slice(0, look).replace(/\s{2,}|[^\S ]/g, " ").trim();
    if (line.length >= LINE || text.length <= look) break;
  }
  // A surrogate pair is kept whole or dropped.
  return line.slice(0, LINE).replace(/[\ud800-\udbff]$/, "").toWellFormed();
}

/** Returns whether the beginning is ASCII words with single spaces, as most texts are. */
function isPlain(text: string): boolean {
  // One more character shows whether a space before the cut is single.
  const end = Math.min(text.length, LINE + 1);
  let before = 0x20;
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e || (code === 0x20 && before === 0x20)) return false;
    before = code;
  }
  return text.length > LINE || before !== 0x20;
}

/** Returns one line without control characters, cut after 200 characters with an ellipsis. */
export function toSummary(text: string): string {
  if (isShortAscii(text)) return text;
  const line = text.slice(0, MOST_LOOKED_AT).toWellFormed().replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
  if (line.length <= SUMMARY_LENGTH && text.length <= MOST_LOOKED_AT) return line;
  const characters = [...line];
  if (characters.length <= SUMMARY_LENGTH) return line;
  return characters.slice(0, SUMMARY_LENGTH).join("") + "…";
}

/** Returns whether it already is one short line of ASCII, as most are. */
function isShortAscii(text: string): boolean {
  if (text.length > SUMMARY_LENGTH || text.startsWith(" ") || text.endsWith(" ")) return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}
