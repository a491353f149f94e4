/** Longest line, in characters. */
const LINE = 140;

/** Characters inspected: enough for most texts, even with much white space. Texts can be megabytes. */
const LOOKS = [2 * LINE, 2000];

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
