/**
 * Escape sequences of text (HL7 v2.5.1 section 2.7), between two escape characters:
 *
 *   F field   S component   T subcomponent   R repetition   E escape   Xhh.. bytes   .br line break
 *
 * @module
 */
import { toLatin1 } from "../../../core/bytes/latin1.ts";
import type { Separators } from "./separators.ts";

/** Text with its escape sequences undone. Unknown and unfinished sequences stay as they are. */
export function unescapeText(text: string, separators: Separators): string {
  const { escape } = separators;
  if (escape === "" || !text.includes(escape)) return text;
  let plain = "";
  let at = 0;
  for (;;) {
    const start = text.indexOf(escape, at);
    const end = start < 0 ? -1 : text.indexOf(escape, start + 1);
    if (end < 0) return plain + text.slice(at);
    const meaning = toMeaning(text.slice(start + 1, end), separators);
    plain += text.slice(at, start);
    if (meaning === undefined) {
      // The second escape character may begin a sequence itself.
      plain += text.slice(start, end);
      at = end;
    } else {
      plain += meaning;
      at = end + 1;
    }
  }
}

function toMeaning(sequence: string, separators: Separators): string | undefined {
  switch (sequence) {
    case "F":
      return separators.field;
    case "S":
      return separators.component;
    case "T":
      return separators.subcomponent;
    case "R":
      return separators.repetition;
    case "E":
      return separators.escape;
    case ".br":
      return "\n";
    default:
      return sequence.startsWith("X") ? fromHex(sequence.slice(1)) : undefined;
  }
}

/** Bytes are characters of UTF-8 where they are valid as such; a single byte such as 0D is one either way. */
function fromHex(digits: string): string | undefined {
  if (digits === "" || digits.length % 2 !== 0 || !/^[\da-f]+$/i.test(digits)) return undefined;
  const bytes = Uint8Array.fromHex(digits);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return toLatin1(bytes);
  }
}
