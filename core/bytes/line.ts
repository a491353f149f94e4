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
