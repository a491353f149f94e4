/**
 * Calls of helpers, with the kinds of values that Handlebars accepts:
 *
 * ```
 * insert name "default=friend"        paths and texts in either quotes
 * greaterThan (length items) 3        numbers, and calls in parentheses
 * ```
 *
 * @module
 */
import { parsePath } from "./handlebars_path.ts";
import type { Argument, Call, Helper } from "./template.ts";

/** Functions that a template may call, by name. */
export type Helpers = Readonly<Record<string, Helper>>;

/** Deepest nesting of calls, and most values of one. */
const [MAX_DEPTH, MAX_VALUES] = [10, 100];
const TOKEN = /\s*(?:"([^"]*)"|'([^']*)'|([()])|([^\s()"']+))\s*/y;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["undefined", undefined],
]);

/**
 * Parses `helper value value`; `undefined` for anything else. Calls `count` with the number of
 * tokens.
 */
export function parseCall(
  source: string,
  { helpers, count }: { readonly helpers: Helpers; readonly count: (words: number) => void },
): Call | undefined {
  const tokens = tokenize(source);
  if (tokens === undefined) return undefined;
  count(tokens.length);
  const reader = new Reader(tokens, helpers);
  const call = reader.call(0);
  return call !== undefined && reader.isAtEnd ? call : undefined;
}

type Token = { readonly text: string } | { readonly word: string };

function tokenize(source: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < source.length;) {
    const match = TOKEN.exec(source);
    if (match === null) return undefined;
    const [, double, single, parenthesis, word] = match;
    const text = double ?? single;
    tokens.push(text === undefined ? { word: parenthesis ?? word! } : { text });
  }
  return tokens;
}

class Reader {
  #at = 0;

  constructor(readonly tokens: readonly Token[], readonly helpers: Helpers) {}

  get isAtEnd(): boolean {
    return this.#at === this.tokens.length;
  }

  /** Parses a call up to the end, or to its closing parenthesis. */
  call(depth: number): Call | undefined {
    const head = this.tokens[this.#at++];
    if (head === undefined || !("word" in head) || depth > MAX_DEPTH) return undefined;
    const helper = Object.hasOwn(this.helpers, head.word) ? this.helpers[head.word] : undefined;
    if (helper === undefined) return undefined;
    const args: Argument[] = [];
    while (!this.isAtEnd && !this.#isNext(")")) {
      const arg = this.#argument(depth);
      if (arg === undefined || args.length >= MAX_VALUES) return undefined;
      args.push(arg);
    }
    return { helper, args };
  }

  #argument(depth: number): Argument | undefined {
    const token = this.tokens[this.#at++]!;
    if ("text" in token) return { kind: "literal", value: token.text };
    const { word } = token;
    if (word === "(") {
      const call = this.call(depth + 1);
      if (call === undefined || !this.#isNext(")")) return undefined;
      this.#at++;
      return { kind: "call", call };
    }
    if (WORDS.has(word)) return { kind: "literal", value: WORDS.get(word) };
    if (/^-?\d+(?:\.\d+)?$/.test(word)) return { kind: "literal", value: Number(word) };
    const path = parsePath(word);
    return path && { kind: "path", path };
  }

  #isNext(word: string): boolean {
    const token = this.tokens[this.#at];
    return token !== undefined && "word" in token && token.word === word;
  }
}
