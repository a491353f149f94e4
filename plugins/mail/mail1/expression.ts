/**
 * Values and conditions of the template language of Mailjet: variables with their defaults, texts, numbers, comparisons,
 * logic and functions.
 *
 * @module
 */
import { parsePath } from "../handlebars_path.ts";
import {
  type Argument,
  type Call,
  escapeHtml,
  type Helper,
  isTrue,
  type Path,
  shown,
  TemplateError,
} from "../template.ts";

/**
 * Deepest nesting of parentheses, and maximum number of tokens, each of which may nest calls one
 * level deeper.
 */
const [MAX_DEPTH, MAX_TOKENS] = [100, 1000];
const TOKEN =
  /\s*(?:((?:var|data):[\w.]+(?::(?:"[^"]*"|'[^']*'|[^\s"'()=!<>,]*))?)|"([^"]*)"|'([^']*)'|([=!]==?|<>|<=|>=|[<>=(),])|([^\s"'()=!<>,]+))\s*/y;

/** Parses an expression; calls `count` with its number of tokens. Throws `TemplateError`. */
export function parseExpression(text: string, count: (words: number) => void): Argument {
  const tokens: Token[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length;) {
    const match = TOKEN.exec(text);
    if (match === null) throw new TemplateError(`"${shown(text)}" is not an expression`);
    const [, variable, double, single, sign, word] = match;
    const literal = double ?? single;
    if (tokens.length >= MAX_TOKENS) {
      throw new TemplateError(`"${shown(text)}" has more than ${MAX_TOKENS} words`);
    }
    tokens.push(
      literal === undefined ? { variable, word: sign ?? word ?? "" } : { literal, word: "" },
    );
  }
  count(tokens.length);
  const reader = new Reader(tokens, text);
  const expression = reader.either(0);
  if (!reader.isAtEnd) throw new TemplateError(`"${shown(text)}" is not an expression`);
  return expression;
}

interface Token {
  readonly variable?: string | undefined;
  readonly literal?: string;
  readonly word: string;
}

/** `or` and `xor` bind less than `and`, which binds less than comparisons. */
class Reader {
  #at = 0;

  constructor(readonly tokens: readonly Token[], readonly text: string) {}

  get isAtEnd(): boolean {
    return this.#at === this.tokens.length;
  }

  either(depth: number): Argument {
    if (depth > MAX_DEPTH) throw new TemplateError(`"${shown(this.text)}" is nested too deeply`);
    let left = this.#both(depth);
    for (let word = this.#take("or", "xor"); word !== undefined; word = this.#take("or", "xor")) {
      left = nested(LOGIC[word]!, left, this.#both(depth));
    }
    return left;
  }

  #both(depth: number): Argument {
    let left = this.#negated(depth);
    while (this.#take("and") !== undefined) left = nested(LOGIC.and!, left, this.#negated(depth));
    return left;
  }

  #negated(depth: number): Argument {
    let isNegated = false;
    while (this.#take("not") !== undefined) isNegated = !isNegated;
    const value = this.#compared(depth);
    return isNegated ? nested((one) => !isTrue(one), value) : value;
  }

  #compared(depth: number): Argument {
    const left = this.#value(depth);
    const word = this.tokens[this.#at]?.word.toLowerCase() ?? "";
    const helper = COMPARISONS.get(word);
    if (helper === undefined) return left;
    this.#at++;
    return nested(helper, left, this.#value(depth));
  }

  #value(depth: number): Argument {
    const token = this.tokens[this.#at++];
    if (token === undefined) throw new TemplateError(`"${shown(this.text)}" is not an expression`);
    const { variable, literal, word } = token;
    if (literal !== undefined) return { kind: "literal", value: literal };
    if (variable !== undefined) return toVariable(variable);
    if (word === "(") return this.#closed(depth);
    const helper = FUNCTIONS.get(word.toLowerCase());
    if (helper !== undefined && this.#take("(") !== undefined) {
      return nested(helper, this.#closed(depth));
    }
    if (/^-?\d+(?:\.\d+)?$/.test(word)) return { kind: "literal", value: Number(word) };
    if (word === "true" || word === "false") return { kind: "literal", value: word === "true" };
    const path = /^[A-Za-z_]/.test(word) ? parsePath(word) : undefined;
    if (path === undefined) throw new TemplateError(`"${shown(this.text)}" is not an expression`);
    return { kind: "path", path };
  }

  #closed(depth: number): Argument {
    const inner = this.either(depth + 1);
    if (this.#take(")") === undefined) throw new TemplateError(`"${shown(this.text)}" lacks ")"`);
    return inner;
  }

  #take(...words: readonly string[]): string | undefined {
    const token = this.tokens[this.#at];
    if (token === undefined || token.literal !== undefined || token.variable !== undefined) {
      return undefined;
    }
    const word = words.find((one) => one === token.word.toLowerCase());
    if (word !== undefined) this.#at++;
    return word;
  }
}

/** `var:a.b`, or with a default `var:a.b:"x"`. Without one, a missing value is an error, as at the vendor. */
function toVariable(text: string): Argument {
  const [, name = "", rest] = /^((?:var|data):[^:]+)(?::([\s\S]*))?$/.exec(text) ?? [];
  const path = toPath(name);
  if (path === undefined) throw new TemplateError(`"${shown(text)}" is not a variable`);
  const value: Argument = { kind: "path", path };
  if (rest === undefined) {
    return nested((one) => {
      if (one === undefined) throw new TemplateError(`The variable "${shown(name)}" has no value`);
      return one;
    }, value);
  }
  const fallback = rest === "false" ? false : rest.replace(/^(["'])([\s\S]*)\1$/, "$2");
  return nested((one) => one === undefined || one === null || one === "" ? fallback : one, value);
}

/** Parses `var:a.b`, `data:a` or the name of an item; `undefined` for anything else. */
export function toPath(text: string): Path | undefined {
  return parsePath(text.replace(/^(var|data):/, "$1."));
}

function nested(helper: Helper, ...args: readonly Argument[]): Argument {
  return { kind: "call", call: { helper, args } };
}

/** Returns the call of a helper. */
export function toCall(helper: Helper, ...args: readonly Argument[]): Call {
  return { helper, args };
}

/** Returns the value itself. */
export function identity(value: unknown): unknown {
  return value;
}

const LOGIC: Readonly<Record<string, Helper>> = {
  and: (a, b) => isTrue(a) && isTrue(b),
  or: (a, b) => isTrue(a) || isTrue(b),
  xor: (a, b) => isTrue(a) !== isTrue(b),
};

const COMPARISONS: ReadonlyMap<string, Helper> = new Map<string, Helper>([
  ["==", isEqual],
  ["===", isEqual],
  ["=", isEqual],
  ["!=", (a, b) => !isEqual(a, b)],
  ["!==", (a, b) => !isEqual(a, b)],
  ["<>", (a, b) => !isEqual(a, b)],
  ["<", (a, b) => compare(a, b) < 0],
  ["<=", (a, b) => compare(a, b) <= 0],
  [">", (a, b) => compare(a, b) > 0],
  [">=", (a, b) => compare(a, b) >= 0],
]);

const FUNCTIONS: ReadonlyMap<string, Helper> = new Map<string, Helper>([
  ["upper", (text) => String(text ?? "").toUpperCase()],
  ["lower", (text) => String(text ?? "").toLowerCase()],
  ["capitalize", (text) => String(text ?? "").replace(/^./u, (first) => first.toUpperCase())],
  ["escape", (text) => escapeHtml(String(text ?? ""))],
]);

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || (isScalar(a) && isScalar(b) && String(a) === String(b));
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** `NaN` for values that cannot be compared. */
function compare(a: unknown, b: unknown): number {
  const [left, right] = [toNumber(a), toNumber(b)];
  if (!Number.isNaN(left) && !Number.isNaN(right)) return left - right;
  return typeof a === "string" && typeof b === "string" ? a < b ? -1 : a > b ? 1 : 0 : NaN;
}

/**
 * Lists and objects are not converted to numbers: their text may be long, and each comparison would
 * create it.
 */
function toNumber(value: unknown): number {
  return isScalar(value) ? Number(value) : NaN;
}
