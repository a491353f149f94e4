/** Walks style sheets and style attributes (CSS Syntax Level 3), token by token; invalid parts are skipped. */
import { type CSSToken, tokenizer, TokenType } from "@csstools/css-tokenizer";
import type { Steps } from "../../../../core/bytes/steps.ts";
import type { Span } from "./document.ts";

/** Callbacks for a style sheet; places count from the start of its text. */
export interface StyleVisitor {
  /** A declaration; `property` is in lower case, and `value` without spaces around it. */
  declaration(property: string, value: readonly CSSToken[], place: Span): void;
  /** The selectors of a rule. */
  selectors(prelude: readonly CSSToken[], place: Span, nested: boolean): void;
  /** An at-rule; `name` is in lower case without `@`. */
  atRule(name: string, prelude: string, place: Span): void;
  /** Called when a block begins, after its selector or name, and when it ends. */
  block?(begins: boolean): void;
}

type Block = "rules" | "keyframes" | "declarations";

/** At-rules that contain rules. */
const OF_RULES = new Set(["media", "supports", "layer", "container", "document", "-moz-document"]);
/** Tokens between two pauses. */
const STEP = 1000;
/** Deepest nesting of blocks. */
const MAX_DEPTH = 50;

/** Walks a style sheet. */
export function* walkSheet(css: string, visitor: StyleVisitor): Steps<void> {
  yield* new Walker(css, visitor, "rules").walk();
}

/** Walks the value of a `style` attribute. */
export function* walkDeclarations(css: string, visitor: StyleVisitor): Steps<void> {
  yield* new Walker(css, visitor, "declarations").walk();
}

class Walker {
  readonly #css: string;
  readonly #visitor: StyleVisitor;
  readonly #blocks: Block[];
  #prelude: CSSToken[] = [];
  #brackets = 0;

  constructor(css: string, visitor: StyleVisitor, block: Block) {
    this.#css = css;
    this.#visitor = visitor;
    this.#blocks = [block];
  }

  *walk(): Steps<void> {
    const tokens = tokenizer({ css: this.#css });
    for (let count = 1; !tokens.endOfFile(); count++) {
      this.#take(tokens.nextToken());
      if (count % STEP === 0) yield;
    }
    this.#endStatement();
  }

  #take(token: CSSToken): void {
    switch (token[0]) {
      case TokenType.Comment:
      case TokenType.CDO:
      case TokenType.CDC:
      case TokenType.EOF:
        return;
      case TokenType.OpenCurly:
        return this.#beginBlock();
      case TokenType.CloseCurly:
        this.#endStatement();
        if (this.#blocks.length > 1) {
          this.#blocks.pop();
          this.#visitor.block?.(false);
        }
        return;
      case TokenType.Semicolon:
        if (this.#brackets > 0) break;
        return this.#endStatement();
      case TokenType.OpenParen:
      case TokenType.OpenSquare:
      case TokenType.Function:
        this.#brackets++;
        break;
      case TokenType.CloseParen:
      case TokenType.CloseSquare:
        this.#brackets = Math.max(0, this.#brackets - 1);
        break;
      case TokenType.Whitespace:
        if (this.#prelude.length === 0) return;
    }
    this.#prelude.push(token);
  }

  #beginBlock(): void {
    const prelude = this.#endPrelude();
    const first = prelude[0];
    const within = this.#blocks.at(-1)!;
    let block: Block = "declarations";
    if (first?.[0] === TokenType.AtKeyword) {
      const name = first[4].value.toLowerCase();
      this.#visitor.atRule(name, this.#textOf(prelude.slice(1)), spanOf(prelude));
      if (OF_RULES.has(name)) block = "rules";
      else if (name.endsWith("keyframes")) block = "keyframes";
    } else if (first !== undefined && within !== "keyframes") {
      this.#visitor.selectors(prelude, spanOf(prelude), within === "declarations");
    }
    if (this.#blocks.length >= MAX_DEPTH) return;
    this.#blocks.push(block);
    this.#visitor.block?.(true);
  }

  #endStatement(): void {
    const prelude = this.#endPrelude();
    const [first, ...rest] = prelude;
    if (first === undefined) return;
    if (first[0] === TokenType.AtKeyword) {
      const name = first[4].value.toLowerCase();
      this.#visitor.atRule(name, this.#textOf(rest), spanOf(prelude));
      return;
    }
    if (this.#blocks.at(-1) !== "declarations" || first[0] !== TokenType.Ident) return;
    const colon = rest.findIndex(([type]) => type === TokenType.Colon);
    if (colon === -1 || rest.slice(0, colon).some(([type]) => type !== TokenType.Whitespace)) {
      return;
    }
    const value = trim(rest.slice(colon + 1));
    if (value.length > 0) {
      this.#visitor.declaration(first[4].value.toLowerCase(), value, spanOf(prelude));
    }
  }

  #endPrelude(): CSSToken[] {
    const prelude = trim(this.#prelude);
    this.#prelude = [];
    this.#brackets = 0;
    return prelude;
  }

  #textOf(tokens: readonly CSSToken[]): string {
    if (tokens.length === 0) return "";
    const { start, end } = spanOf(tokens);
    return this.#css.slice(start, end).trim().toLowerCase();
  }
}

function trim(tokens: CSSToken[]): CSSToken[] {
  let [start, end] = [0, tokens.length];
  while (start < end && tokens[start]![0] === TokenType.Whitespace) start++;
  while (end > start && tokens[end - 1]![0] === TokenType.Whitespace) end--;
  return start === 0 && end === tokens.length ? tokens : tokens.slice(start, end);
}

function spanOf(tokens: readonly CSSToken[]): Span {
  return { start: tokens[0]?.[2] ?? 0, end: (tokens.at(-1)?.[3] ?? -1) + 1 };
}
