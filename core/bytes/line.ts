/** Longest line, in characters. */
const LINE = 140;

/** Characters looked at: enough for most texts, and how far to go where much is white space. Texts can be megabytes. */
const LOOKS = [2 * LINE, 2000];

/** The beginning of a text on one line, for lists: every stretch of white space in it is one space. */
export function toLine(text = ""): string {
  if (isPlain(text)) return text.slice(0, LINE);
  let line = "";
  for (const look of LOOKS) {
    // One flat string: put together word by word it would be held as a tree of them, for as long as the event is.
    line = text.slice(0, look).replace(/\s{2,}|[^\S ]/g, " ").trim();
    if (line.length >= LINE || text.length <= look) break;
  }
  // A character of two units is shown whole or not at all.
  return line.slice(0, LINE).replace(/[\ud800-\udbff]$/, "").toWellFormed();
}

/** Whether its beginning is words of ASCII, one space between them, as most are. */
function isPlain(text: string): boolean {
  // One character more says whether a space before the cut is the only one.
  const end = Math.min(text.length, LINE + 1);
  let before = 0x20;
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e || (code === 0x20 && before === 0x20)) return false;
    before = code;
  }
  return text.length > LINE || before !== 0x20;
}
