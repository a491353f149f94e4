/**
 * Templates of the vendors, parsed: text, values and blocks. Each language has its own parser.
 * Rendering is shared, and limited because template and model come from the application.
 *
 * @module
 */
import { isJsonObject } from "../../core/codec/json_lenient.ts";

/** Maximum characters that a template may be rendered to. */
const MAX_OUTPUT = 5 * 1024 * 1024;
/** Maximum number of written parts, visited items and helper calls, because nested loops multiply. */
const MAX_VISITS = 200_000;
/** Maximum number of characters passed to and returned from helpers. */
const MAX_HELPED = 32 * 1024 * 1024;
/** Maximum number of parts of a template before it is rendered, and longest tag in characters. */
const [MAX_PARTS, MAX_TAG] = [50_000, 10_000];
/** Number of characters escaped at a time: escaping makes text up to six times as long. */
const ESCAPED_AT_ONCE = 65_536;
/** Number of characters of a template quoted in a message. */
const SHOWN = 100;

/** A path in the model: `../` steps, then names. An empty path is the current value. */
export interface Path {
  readonly up: number;
  readonly names: readonly string[];
  /** As written. */
  readonly source: string;
}

/** One part of a template. */
export type Node = TextNode | ValueNode | BlockNode | CallNode;

/** Literal text. */
export interface TextNode {
  readonly kind: "text";
  readonly text: string;
}

/** A placeholder for a value. */
export interface ValueNode {
  readonly kind: "value";
  readonly path: Path;
  /** Whether it is inserted without escaping. */
  readonly raw: boolean;
  /** Default for a missing value. */
  readonly fallback?: string;
}

/** A block that is repeated or conditional. */
export interface BlockNode {
  readonly kind: "block";
  /**
   * `section` repeats for a list, and enters an object; `each` and `for` repeat, `for` with a named
   * item; `with` enters an object; `if` and `unless` keep the current value.
   */
  readonly type: "if" | "unless" | "each" | "with" | "section" | "for";
  readonly path: Path;
  /** The name of an item in `for`. */
  readonly item?: string;
  readonly body: readonly Node[];
  readonly otherwise: readonly Node[];
}

/**
 * A function that templates of a vendor may call. Receives values from the model; `undefined` for
 * missing ones.
 */
export type Helper = (...values: readonly unknown[]) => unknown;

/** A value for a helper. */
export type Argument =
  | { readonly kind: "literal"; readonly value: unknown }
  | { readonly kind: "path"; readonly path: Path }
  | { readonly kind: "call"; readonly call: Call };

/** A helper with its values. */
export interface Call {
  readonly helper: Helper;
  readonly args: readonly Argument[];
}

/** Result of a helper: inserted, or used as the condition of a block. */
export interface CallNode {
  readonly kind: "call";
  readonly call: Call;
  /** Whether it is inserted without escaping. */
  readonly raw: boolean;
  /** Absent for a value. */
  readonly branches?: { readonly body: readonly Node[]; readonly otherwise: readonly Node[] };
}

/** A template, or a model, that cannot be rendered. */
export class TemplateError extends Error {
  override name = "TemplateError";

  /** The place counts from 1. */
  constructor(message: string, readonly line?: number, readonly column?: number) {
    super(message);
  }
}

/** Options of rendering. */
export interface RenderOptions {
  /** Escapes values that are not raw; by default they stay as they are. */
  readonly escape?: (text: string) => string;
  /** Called for each value that the model lacks. */
  readonly onMissing?: (source: string) => void;
}

/** Returns the error for a fault at an offset of a template. */
export function faultAt(source: string, at: number, message: string): TemplateError {
  let [line, begin] = [1, 0];
  for (let next; (next = source.indexOf("\n", begin)) >= 0 && next < at; begin = next + 1) line++;
  return new TemplateError(message, line, at - begin + 1);
}

/** Returns an excerpt of a template for messages. */
export function shown(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}

/** Finds the tags of a template, visiting each character once, however many tags are left open. */
export class Tags {
  readonly #source: string;
  readonly #absent = new Set<string>();
  #parts = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Returns the next position of a delimiter, or -1. */
  close(mark: string, from: number): number {
    if (this.#absent.has(mark)) return -1;
    const end = this.#source.indexOf(mark, from);
    if (end < 0) this.#absent.add(mark);
    return end;
  }

  /** Returns the text of a tag without the blanks around it. Throws `TemplateError` if it is too long. */
  textOf(start: number, from: number, end: number): string {
    if (end - from <= MAX_TAG) return this.#source.slice(from, end).trim();
    throw faultAt(this.#source, start, `The tag has more than ${MAX_TAG} characters`);
  }

  /** Counts parts: tags, and the words of calls. Throws `TemplateError` for too many. */
  count(at: number, parts = 1): void {
    this.#parts += parts;
    if (this.#parts <= MAX_PARTS) return;
    throw faultAt(this.#source, at, `The template has more than ${MAX_PARTS} parts`);
  }
}

/** Renders a template. Throws `TemplateError` for more than 5 Mi characters or 200 000 parts. */
export function render(
  nodes: readonly Node[],
  model: unknown,
  options: RenderOptions = {},
): string {
  const output = new Output(options);
  output.write(nodes, { value: model });
  return output.text;
}

/** Escapes a text for HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char]!);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A value with its enclosing scopes. */
interface Scope {
  readonly value: unknown;
  readonly outer?: Scope;
  /** `@index`, `@key`, `@first`, `@last`, and the names of `for`. */
  readonly names?: Readonly<Record<string, unknown>>;
}

class Output {
  text = "";
  #visits = 0;
  #helped = 0;

  constructor(readonly options: RenderOptions) {}

  write(nodes: readonly Node[], scope: Scope): void {
    this.#visit(nodes.length);
    for (const node of nodes) {
      if (node.kind === "text") this.#add(node.text);
      else if (node.kind === "value") this.#value(node, scope);
      else if (node.kind === "call") this.#call(node, scope);
      else this.#block(node, scope);
    }
  }

  #visit(parts: number): void {
    this.#visits += parts;
    if (this.#visits <= MAX_VISITS) return;
    throw new TemplateError(`The template has more than ${MAX_VISITS} parts when rendered`);
  }

  #add(text: string): void {
    this.text += text;
    if (this.text.length > MAX_OUTPUT) {
      throw new TemplateError(`The rendered template has more than ${MAX_OUTPUT} characters`);
    }
  }

  #value({ path, raw, fallback }: ValueNode, scope: Scope): void {
    const value = lookUp(path, scope);
    if (value === undefined || value === null || (fallback !== undefined && value === "")) {
      if (fallback === undefined) this.options.onMissing?.(path.source);
      return this.#add(fallback ?? "");
    }
    this.#write(value, raw);
  }

  #write(value: unknown, raw: boolean): void {
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    const { escape } = this.options;
    if (raw || escape === undefined) return this.#add(text);
    for (let at = 0; at < text.length; at += ESCAPED_AT_ONCE) {
      this.#add(escape(text.slice(at, at + ESCAPED_AT_ONCE)));
    }
  }

  #call({ call, raw, branches }: CallNode, scope: Scope): void {
    const value = this.#resultOf(call, scope);
    if (branches === undefined) {
      if (value === undefined || value === null) this.#missing(call, scope);
      return this.#write(value ?? "", raw);
    }
    this.write(isTrue(value) ? branches.body : branches.otherwise, scope);
  }

  #missing({ args }: Call, scope: Scope): void {
    for (const arg of args) {
      if (arg.kind !== "path" || (lookUp(arg.path, scope) ?? undefined) !== undefined) continue;
      this.options.onMissing?.(arg.path.source);
    }
  }

  #resultOf({ helper, args }: Call, scope: Scope): unknown {
    this.#visit(1);
    const values = args.map((arg) => {
      if (arg.kind === "literal") return arg.value;
      return arg.kind === "path" ? lookUp(arg.path, scope) : this.#resultOf(arg.call, scope);
    });
    for (const value of values) this.#help(value);
    const result = helper(...values);
    this.#help(result);
    return result;
  }

  /** Counts a value of a helper, which may read or create all of it each time. */
  #help(value: unknown): void {
    if (typeof value === "string") this.#helped += value.length;
    if (this.#helped <= MAX_HELPED) return;
    throw new TemplateError(
      `The helpers of the template process more than ${MAX_HELPED} characters`,
    );
  }

  #block(node: BlockNode, scope: Scope): void {
    const value = lookUp(node.path, scope);
    switch (node.type) {
      case "if":
      case "unless":
        return this.write(
          isTrue(value) === (node.type === "if") ? node.body : node.otherwise,
          scope,
        );
      case "with":
        if (!isTrue(value)) return this.write(node.otherwise, scope);
        return this.write(node.body, { value, outer: scope });
      case "section":
        if (!isTrue(value)) return this.write(node.otherwise, scope);
        if (!Array.isArray(value)) return this.write(node.body, { value, outer: scope });
    }
    const items = itemsOf(value);
    if (items.length === 0) return this.write(node.otherwise, scope);
    // Even a loop with an empty body takes time.
    this.#visit(items.length);
    for (const [index, [key, item]] of items.entries()) {
      const names = { index, key, first: index === 0, last: index === items.length - 1 };
      const inner = node.item === undefined
        ? { value: item, outer: scope, names }
        : { value: scope.value, outer: scope, names: { [node.item]: item } };
      this.write(node.body, inner);
    }
  }
}

function itemsOf(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((item, index) => [index, item] as const);
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** As in Handlebars: an empty list is false, an empty object is true. */
export function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function lookUp({ up, names }: Path, from: Scope): unknown {
  let scope: Scope | undefined = from;
  for (let i = 0; i < up && scope !== undefined; i++) scope = scope.outer;
  if (scope === undefined) return undefined;
  const [first, ...rest] = names;
  if (first === undefined) return scope.value;
  return rest.reduce(memberOf, named(first, scope) ?? memberOf(scope.value, first));
}

/** Loop variables are visible in all nested blocks. */
function named(name: string, from: Scope): unknown {
  const bare = name.startsWith("@") ? name.slice(1) : name;
  for (let scope: Scope | undefined = from; scope !== undefined; scope = scope.outer) {
    if (scope.names === undefined || !Object.hasOwn(scope.names, bare)) continue;
    // `index` without `@` is a member of the item.
    if (name !== bare || !LOOP_NAMES.has(bare)) return scope.names[bare];
  }
  return undefined;
}

const LOOP_NAMES = new Set(["index", "key", "first", "last"]);

/** Own members only: a template must not reach into prototypes. */
function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) {
    return /^\d{1,9}$/.test(name)
      ? value[Number(name)]
      : name === "length"
      ? value.length
      : undefined;
  }
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
