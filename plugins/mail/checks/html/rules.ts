/** Style rules that apply to every reader, and the elements that they match (Selectors Level 4). */
import { type CSSToken, TokenType } from "@csstools/css-tokenizer";
import type { Steps } from "../../../../core/bytes/steps.ts";
import { type StyleVisitor, walkDeclarations, walkSheet } from "./css.ts";
import type { HtmlDocument, HtmlElement } from "./document.ts";

/** Value of a property. */
export interface Declared {
  /** In lower case, without `!important`. */
  readonly text: string;
  readonly isImportant: boolean;
}

/** Values by property; of several for one property, the last. */
export type Declarations = ReadonlyMap<string, Declared>;

/** Compound selector: conditions on one element. */
interface Compound {
  readonly tag: string | undefined;
  readonly id: string | undefined;
  readonly classes: readonly string[];
  /** Combinator to the previous compound. */
  readonly relation: "descendant" | "child" | undefined;
}

/** One selector with the declarations of its rule. */
interface Rule {
  /** From left to right. */
  readonly compounds: readonly Compound[];
  /** Specificity: numbers of ids, classes and types, each below 1000. */
  readonly specificity: number;
  readonly declarations: Map<string, Declared>;
}

/** Maximum number of selectors, and of comparisons of an element with one. */
const MAX_RULES = 5000;
const MAX_COMPARISONS = 1_000_000;
/** Maximum number of inspected ancestors. */
const MAX_CLIMB = 100;
/**
 * Maximum number of conditions of a selector, length of a name in one, and number of classes of an
 * element.
 */
const [MAX_CONDITIONS, MAX_NAME, MAX_CLASSES] = [50, 200, 50];

/** The rules of a document's style sheets. */
class StyleRules {
  /** By id, class or type of the last compound, in order. */
  readonly #byKey: ReadonlyMap<string, readonly (readonly [order: number, rule: Rule])[]>;
  readonly #classes = new WeakMap<HtmlElement, readonly string[]>();
  #comparisons = 0;

  constructor(rules: readonly Rule[]) {
    const byKey = new Map<string, (readonly [number, Rule])[]>();
    for (const [order, rule] of rules.entries()) {
      const key = keyOf(rule.compounds.at(-1)!);
      const same = byKey.get(key);
      if (same === undefined) byKey.set(key, [[order, rule]]);
      else same.push([order, rule]);
    }
    this.#byKey = byKey;
  }

  /** Returns the declarations that match an element, in order of increasing specificity. */
  matching(element: HtmlElement): readonly Declarations[] {
    if (this.#byKey.size === 0) return [];
    const classes = this.#classesOf(element);
    const keys = ["*", element.tag, `#${element.attributes.get("id")?.value ?? ""}`].concat(
      classes.map((name) => `.${name}`),
    );
    const found: (readonly [order: number, rule: Rule])[] = [];
    for (const key of new Set(keys)) {
      for (const entry of this.#byKey.get(key) ?? []) {
        if (this.#matches(element, entry[1].compounds)) found.push(entry);
      }
    }
    return found.sort(([a, one], [b, other]) => one.specificity - other.specificity || a - b)
      .map(([, { declarations }]) => declarations);
  }

  /** Matches from right to left; a descendant combinator may match any ancestor. */
  #matches(
    element: HtmlElement | undefined,
    compounds: readonly Compound[],
    last = compounds.length - 1,
  ): boolean {
    if (element === undefined || !this.#fits(element, compounds[last]!)) return false;
    if (last === 0) return true;
    let above = element.parent;
    if (compounds[last]!.relation === "child") return this.#matches(above, compounds, last - 1);
    for (let up = 0; above !== undefined && up < MAX_CLIMB; above = above.parent, up++) {
      if (this.#matches(above, compounds, last - 1)) return true;
    }
    return false;
  }

  #fits(element: HtmlElement, { tag, id, classes }: Compound): boolean {
    // Limited, because hostile style sheets would take forever; beyond the limit nothing matches.
    if (++this.#comparisons > MAX_COMPARISONS) return false;
    if (tag !== undefined && tag !== element.tag) return false;
    if (id !== undefined && id !== element.attributes.get("id")?.value) return false;
    if (classes.length === 0) return true;
    const own = this.#classesOf(element);
    return classes.every((name) => own.includes(name));
  }

  /**
   * Parsed once: an element may be compared a million times, and its attribute may be as long as
   * the body.
   */
  #classesOf(element: HtmlElement): readonly string[] {
    let classes = this.#classes.get(element);
    if (classes === undefined) this.#classes.set(element, classes = classesOf(element));
    return classes;
  }
}

/**
 * Parses the style sheets. Skips rules in conditional groups, and selectors that depend on user
 * actions.
 */
export function* readRules({ sheets }: HtmlDocument): Steps<StyleRules> {
  const collector = new Collector();
  for (const { css } of sheets) yield* walkSheet(css, collector);
  return new StyleRules(collector.rules);
}

function classesOf({ attributes }: HtmlElement): readonly string[] {
  const text = attributes.get("class")?.value.trim() ?? "";
  return text === "" ? [] : text.split(/\s+/, MAX_CLASSES);
}

function keyOf({ id, classes, tag }: Compound): string {
  if (id !== undefined) return `#${id}`;
  return classes[0] === undefined ? tag ?? "*" : `.${classes[0]}`;
}

/** Parses the declarations of a `style` attribute. */
export function* readDeclarations(style: string): Steps<Declarations> {
  const declarations = new Map<string, Declared>();
  yield* walkDeclarations(style, {
    declaration: (property, value) => declare(declarations, property, value),
    selectors() {},
    atRule() {},
  });
  return declarations;
}

function declare(
  declarations: Map<string, Declared>,
  property: string,
  value: readonly CSSToken[],
): void {
  const text = value.map(([, raw]) => raw).join("").toLowerCase();
  const plain = withoutImportant(text);
  const isImportant = plain !== undefined;
  if (declarations.get(property)?.isImportant && !isImportant) return;
  declarations.set(property, {
    text: plain ?? text.trim(),
    isImportant,
  });
}

const IMPORTANT = "important";

/**
 * Returns a value without its `!important`, which may contain spaces; `undefined` for a value
 * without it.
 */
function withoutImportant(text: string): string | undefined {
  const whole = text.trimEnd();
  if (!whole.endsWith(IMPORTANT)) return undefined;
  const before = whole.slice(0, -IMPORTANT.length).trimEnd();
  return before.endsWith("!") ? before.slice(0, -1).trim() : undefined;
}

/** Kind of a block: a rule that applies, a group whose rules apply, or anything else. */
type Within = Map<string, Declared> | "group" | "other";

class Collector implements StyleVisitor {
  readonly rules: Rule[] = [];
  readonly #within: Within[] = ["group"];
  #next: Within = "other";

  declaration(property: string, value: readonly CSSToken[]): void {
    const within = this.#within.at(-1);
    if (within instanceof Map) declare(within, property, value);
  }

  selectors(prelude: readonly CSSToken[], _place: unknown, nested: boolean): void {
    this.#next = "other";
    if (nested || this.#within.at(-1) !== "group") return;
    const declarations = new Map<string, Declared>();
    for (const compounds of readSelectors(prelude)) {
      if (this.rules.length >= MAX_RULES) return;
      this.rules.push({ compounds, specificity: specificityOf(compounds), declarations });
    }
    this.#next = declarations;
  }

  atRule(name: string, prelude: string): void {
    const isForAll = name === "layer" ||
      (name === "media" && /^(?:(?:only\s+)?(?:all|screen))?$/.test(prelude));
    this.#next = isForAll && this.#within.at(-1) === "group" ? "group" : "other";
  }

  block(begins: boolean): void {
    if (begins) this.#within.push(this.#next);
    else if (this.#within.length > 1) this.#within.pop();
    this.#next = "other";
  }
}

function specificityOf(compounds: readonly Compound[]): number {
  return compounds.reduce(
    (sum, { id, classes, tag }) =>
      sum + (id === undefined ? 0 : 1_000_000) + classes.length * 1000 +
      (tag === undefined ? 0 : 1),
    0,
  );
}

/** Returns the selectors of a list that consist of types, classes and ids. */
function* readSelectors(tokens: readonly CSSToken[]): Generator<readonly Compound[]> {
  let from = 0;
  for (let at = 0; at <= tokens.length; at++) {
    if (at < tokens.length && tokens[at]![0] !== TokenType.Comma) continue;
    const compounds = readSelector(tokens.slice(from, at));
    if (compounds !== undefined) yield compounds;
    from = at + 1;
  }
}

function readSelector(tokens: readonly CSSToken[]): readonly Compound[] | undefined {
  // Longer ones occur only in hostile style sheets, and would be compared with every element.
  if (tokens.length > 2 * MAX_CONDITIONS || tokens.some(([, raw]) => raw.length > MAX_NAME)) {
    return undefined;
  }
  const compounds: Compound[] = [];
  let current: { tag?: string; id?: string; classes: string[] } | undefined;
  let relation: Compound["relation"];
  const end = (): void => {
    if (current === undefined) return;
    const { tag, id, classes } = current;
    compounds.push({ tag, id, classes, relation });
    current = undefined;
    relation = "descendant";
  };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token[0] === TokenType.Whitespace) end();
    else if (token[0] === TokenType.Delim && token[1] === ">") {
      end();
      if (compounds.length === 0) return undefined;
      relation = "child";
    } else {
      current ??= { classes: [] };
      const next = tokens[at + 1];
      if (token[0] === TokenType.Ident) current.tag = token[4].value.toLowerCase();
      else if (token[0] === TokenType.Hash) current.id = token[4].value;
      else if (token[1] === "." && next?.[0] === TokenType.Ident) {
        current.classes.push(next[4].value);
        at++;
      } else if (token[1] !== "*") return undefined;
    }
  }
  end();
  return compounds.length === 0 ? undefined : compounds;
}
