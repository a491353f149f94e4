import type { RE2Set } from "re2js";

/** Longest pattern. */
const MAX_PATTERN = 1000;
/** Maximum number of instructions of a compiled pattern, and of one expectation in total. */
const MAX_INSTRUCTIONS = 1000;
const MAX_INSTRUCTIONS_TOGETHER = 10_000;
/** Characters of a text that are matched. */
const MAX_TEXT = 262_144;
/**
 * Instructions times characters of one match: about a quarter of a second for the slowest pattern. A pattern of many
 * instructions is matched with fewer characters.
 */
const MAX_WORK = 12_000_000;

/** Limits of cached patterns: their number, the state bytes of each, and the total. */
const KEPT = 64;
const MAX_STATE_BYTES = 8 * 1024 ** 2;
const MAX_KEPT_BYTES = 32 * 1024 ** 2;

/** Returns whether a text has a match. */
export type TestText = (text: string) => boolean;

/**
 * Compiles the patterns of one expectation, which arrive over the network: RE2 syntax, whose time depends only on the
 * length of text and pattern, both limited, so that no pattern can block the service. The library is loaded on first use.
 * Throws `RangeError` for a pattern that is invalid or too large.
 */
export async function loadRegex(): Promise<(pattern: string) => TestText> {
  const { RE2JS, RE2Set } = await import("re2js");
  let together = 0;
  const compile = (pattern: string): RE2Set => {
    // A set of one: unlike a single pattern, it has a limit for its state.
    const set = new RE2Set(RE2Set.UNANCHORED, 0, MAX_STATE_BYTES);
    set.add(pattern);
    return set;
  };
  return (pattern) => {
    if (pattern.length > MAX_PATTERN) {
      throw new RangeError(
        `it has ${pattern.length} characters, at most ${MAX_PATTERN} are allowed`,
      );
    }
    checkSize(repetitionsIn(pattern), "at least ");
    const instructions = RE2JS.compile(pattern).programSize();
    checkSize(instructions);
    together += instructions;
    if (together > MAX_INSTRUCTIONS_TOGETHER) {
      throw new RangeError(
        `with those before it, it compiles to ${together} instructions, ` +
          `at most ${MAX_INSTRUCTIONS_TOGETHER} are allowed in one expectation`,
      );
    }
    const length = Math.min(MAX_TEXT, Math.floor(MAX_WORK / instructions));
    return (text) => {
      const found = compiled(pattern, compile).match(text.slice(0, length)).length > 0;
      forgetOldest();
      return found;
    };
  };
}

function checkSize(instructions: number, how = ""): void {
  if (instructions <= MAX_INSTRUCTIONS) return;
  throw new RangeError(
    `it compiles to ${how}${instructions} instructions, at most ${MAX_INSTRUCTIONS} are allowed; ` +
      "counts such as {200} repeat what is before them",
  );
}

/** A count outside of classes, escapes and quoted text; its operand compiles that many times. */
const COUNT =
  /\\Q[^]*?(?:\\E|$)|\\[^]|\[\^?\]?(?:\\[^]|\[:\^?\w+:\]|[^\]\\])*\]|\{(\d{1,4})(?:,(\d{0,4}))?\}/g;

/** Sum of all counts, so that a pattern that must be large is not compiled. */
function repetitionsIn(pattern: string): number {
  let sum = 0;
  for (const [, least, most] of pattern.matchAll(COUNT)) {
    if (least !== undefined) sum += Number(most || least);
  }
  return sum;
}

const kept = new Map<string, RE2Set>();

/** Returns the compiled pattern from the cache: waits and expectations use it again with each event. */
function compiled(pattern: string, compile: (pattern: string) => RE2Set): RE2Set {
  const found = kept.get(pattern) ?? compile(pattern);
  kept.delete(pattern);
  kept.set(pattern, found);
  return found;
}

/** Drops the least recently used patterns until the limits are met. */
function forgetOldest(): void {
  let bytes = 0;
  for (const { dfa } of kept.values()) bytes += MAX_STATE_BYTES - dfa.memBudget;
  for (const [pattern, { dfa }] of kept) {
    if (kept.size <= KEPT && bytes <= MAX_KEPT_BYTES) return;
    kept.delete(pattern);
    bytes -= MAX_STATE_BYTES - dfa.memBudget;
  }
}
