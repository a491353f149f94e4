/** Longest summary, in characters, before it is cut. */
const SUMMARY_LENGTH = 200;

/** Longest text looked at; captured bodies can be megabytes. */
const LOOK = 2000;

/** One line without control characters, cut at 200 characters with an ellipsis behind. */
export function toSummary(text: string): string {
  if (isPlain(text)) return text;
  const line = text.slice(0, LOOK).toWellFormed().replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
  if (line.length <= SUMMARY_LENGTH && text.length <= LOOK) return line;
  const characters = [...line];
  if (characters.length <= SUMMARY_LENGTH) return line;
  return characters.slice(0, SUMMARY_LENGTH).join("") + "…";
}

/** Whether it is one short line of ASCII already, as most are. */
function isPlain(text: string): boolean {
  if (text.length > SUMMARY_LENGTH || text.startsWith(" ") || text.endsWith(" ")) return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}
