/**
 * Escape sequences of text (HL7 v2.5.1 section 2.7), between two escape characters:
 *
 *   F field   S component   T subcomponent   R repetition   E escape   Xhh.. bytes   .br line break
 *
 * @module
 */
import { toLatin1 } from "../../../core/bytes/latin1.ts";
import type { Separators } from "../model.ts";

/** Number of sequences that may still be decoded: each costs more than its characters. */
export interface EscapeBudget {
  left: number;
}

/**
 * Decodes escape sequences. Unknown and unfinished sequences stay as they are, and so do all sequences after the budget
 * is spent.
 */
export function unescapeText(
  text: string,
  separators: Separators,
  budget: EscapeBudget = { left: Infinity },
): string {
  const { escape } = separators;
  if (escape === "" || !text.includes(escape)) return text;
  // Joined at the end: a string that grows step by step is stored as a tree, which is slow to read.
  const chunks: string[] = [];
  let at = 0;
  for (;;) {
    const start = budget.left > 0 ? text.indexOf(escape, at) : -1;
    const end = start < 0 ? -1 : text.indexOf(escape, start + 1);
    if (end < 0) {
      chunks.push(text.slice(at));
      return chunks.join("");
    }
    budget.left--;
    const meaning = toMeaning(text.slice(start + 1, end), separators);
    if (meaning === undefined) {
      // The second escape character may begin a sequence itself.
      chunks.push(text.slice(at, end));
      at = end;
    } else {
      chunks.push(text.slice(at, start), meaning);
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

/** Decodes bytes as UTF-8 if valid; a single byte such as 0D is the same either way. */
function fromHex(digits: string): string | undefined {
  if (digits === "" || digits.length % 2 !== 0 || !/^[\da-f]+$/i.test(digits)) return undefined;
  if (digits.length === 2) return String.fromCharCode(parseInt(digits, 16));
  const bytes = Uint8Array.fromHex(digits);
  try {
    return strict.decode(bytes);
  } catch {
    return toLatin1(bytes);
  }
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
