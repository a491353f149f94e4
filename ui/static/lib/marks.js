/** Places of findings in a text. */

/** @import { Finding } from "./types.d.ts" */

/** @typedef {{ readonly start: number, readonly end: number }} Span */
/** @typedef {Span & { readonly finding: Finding }} Mark */
/** @typedef {{ readonly text: string, readonly mark?: Mark }} Segment */

/**
 * Returns the place in a text, or its line if the text there differs; `undefined` if there is no such line. Where something
 * is missing, the place is empty.
 * @param {string} text
 * @param {NonNullable<Finding["where"]>} where
 * @returns {Span | undefined}
 */
export function spanOf(text, { line, column = 1, marked }) {
  if (line === undefined) return undefined;
  let from = 0;
  for (let n = 1; n < line; n++) {
    from = text.indexOf("\n", from) + 1;
    if (from === 0) return undefined;
  }
  const start = from + column - 1;
  const newline = text.indexOf("\n", from);
  const end = newline === -1 ? text.length : newline;
  if (marked === "" && start <= end) return { start, end: start };
  if (marked && text.startsWith(marked, start)) {
    return { start, end: start + marked.length };
  }
  // A long place is shortened.
  const part = marked?.replace(/…$/, "") ?? "";
  if (part !== "" && text.startsWith(part, start)) return { start, end: start + part.length };
  return end > from ? { start: from, end } : undefined;
}

/**
 * Splits a text at the places of findings. If two overlap, the current one is kept, or else the first.
 * @param {string} text
 * @param {readonly Mark[]} marks
 * @param {Finding | undefined} current
 * @returns {readonly Segment[]}
 */
export function splitMarks(text, marks, current) {
  const chosen = marks.find(({ finding }) => finding === current);
  const others = marks.filter((mark) =>
    chosen === undefined || (mark !== chosen && isApart(mark, chosen))
  );
  const ordered = [...others, ...(chosen === undefined ? [] : [chosen])]
    .sort((a, b) => a.start - b.start || byLength(a, b));
  /** @type {Segment[]} */
  const segments = [];
  let at = 0;
  for (const mark of ordered) {
    if (mark.start < at || mark.end > text.length) continue;
    if (mark.start > at) segments.push({ text: text.slice(at, mark.start) });
    segments.push({ text: text.slice(mark.start, mark.end), mark });
    at = mark.end;
  }
  if (at < text.length) segments.push({ text: text.slice(at) });
  return segments;
}

/**
 * Longer ones first, after empty ones.
 * @param {Span} a
 * @param {Span} b
 */
function byLength(a, b) {
  if (a.start === a.end || b.start === b.end) return a.end - b.end;
  return b.end - a.end;
}

/**
 * @param {Span} a
 * @param {Span} b
 */
function isApart(a, b) {
  return a.end <= b.start || a.start >= b.end;
}
