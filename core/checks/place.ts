import type { CheckPlace } from "./model.ts";

/** Maximum characters of the source before, in and after a place. */
const SHOWN = { before: 60, marked: 120, after: 60 };

/** Returns the place from `start` to `end` of a source, in UTF-16 units, with its surroundings on the line. */
export function placeIn(
  part: string,
  source: string,
  { start, end }: { readonly start: number; readonly end: number },
): CheckPlace {
  const lineStart = source.lastIndexOf("\n", start - 1) + 1;
  const newline = source.indexOf("\n", end);
  const lineEnd = newline === -1 ? source.length : newline;
  let line = 1;
  for (let at = source.indexOf("\n"); at !== -1 && at < start; at = source.indexOf("\n", at + 1)) {
    line++;
  }
  return {
    part,
    line,
    column: start - lineStart + 1,
    before: lastOf(source.slice(Math.max(lineStart, start - SHOWN.before - 1), start)),
    marked: firstOf(source.slice(start, Math.min(end, start + SHOWN.marked + 1)), SHOWN.marked),
    after: firstOf(source.slice(end, Math.min(lineEnd, end + SHOWN.after + 1)), SHOWN.after),
  };
}

function firstOf(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

function lastOf(text: string): string {
  return text.length <= SHOWN.before ? text : `…${text.slice(-SHOWN.before)}`;
}
