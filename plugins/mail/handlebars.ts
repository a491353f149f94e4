/**
 * The Mustache family: Handlebars (https://handlebarsjs.com/guide/) as Mailgun and Amazon SES have it, and Mustachio
 * (https://github.com/ActiveCampaign/mustachio) of Postmark.
 *
 * ```
 * {{name}} {{a.b}} {{../a}} {{this}} {{.}} {{@index}}   a value, escaped
 * {{{name}}} {{&name}}                                  the same, as it is
 * {{#if a}} {{else if b}} {{else}} {{/if}}              also unless, each, with
 * {{#a}} {{/a}}  {{^a}} {{/a}}                          sections
 * {{! text}} {{!-- text --}}                            comments
 * {{insert a "b"}} {{#equals a "b"}} {{/equals}}        helpers, where the vendor has some
 * ```
 *
 * @module
 */
import { type Helpers, parseCall } from "./handlebars_call.ts";
import { parsePath } from "./handlebars_path.ts";
import {
  type BlockNode,
  type Call,
  faultAt,
  isTrue,
  type Node,
  type Path,
  shown,
  Tags,
  type TemplateError,
} from "./template.ts";

export { parsePath } from "./handlebars_path.ts";

/** Deepest nesting of blocks. */
const MAX_DEPTH = 100;
const BUILT_IN: ReadonlySet<string> = new Set(["if", "unless", "each", "with"]);

/** Parses a template that may call `helpers`. Throws `TemplateError` with the place of the fault. */
export function parseHandlebars(source: string, helpers: Helpers = {}): readonly Node[] {
  return new Parser(source, helpers).parse();
}

/** Head of a block: what it repeats or tests. */
type Head =
  | { readonly type: BlockNode["type"] | "inverted"; readonly path: Path }
  | { readonly type: "call"; readonly call: Call };

interface Open {
  readonly name: string;
  readonly at: number;
  readonly head: Head;
  /** Whether it began with `{{else if}}`: it ends with the enclosing block. */
  readonly isChained: boolean;
  readonly body: Node[];
  readonly otherwise: Node[];
  inElse: boolean;
}

class Parser {
  readonly #source: string;
  readonly #tags: Tags;
  readonly #helpers: Helpers;
  readonly #root: Node[] = [];
  readonly #open: Open[] = [];

  constructor(source: string, helpers: Helpers) {
    this.#source = source;
    this.#tags = new Tags(source);
    this.#helpers = helpers;
  }

  parse(): readonly Node[] {
    const source = this.#source;
    for (let at = 0; at < source.length;) {
      const start = source.indexOf("{{", at);
      if (start < 0) {
        this.#add({ kind: "text", text: source.slice(at) });
        break;
      }
      if (start > at) this.#add({ kind: "text", text: source.slice(at, start) });
      this.#tags.count(start);
      at = this.#tag(start);
    }
    const left = this.#open.at(-1);
    if (left !== undefined) {
      throw this.#fault(left.at, `The block "${shown(left.name)}" is not closed`);
    }
    return this.#root;
  }

  #add(node: Node): void {
    const open = this.#open.at(-1);
    (open === undefined ? this.#root : open.inElse ? open.otherwise : open.body).push(node);
  }

  /** Parses the tag at an offset, and returns its end. */
  #tag(start: number): number {
    const [source, tags] = [this.#source, this.#tags];
    const triple = source.startsWith("{{{", start) ? tags.close("}}}", start + 3) : -1;
    if (triple >= 0) {
      this.#value(tags.textOf(start, start + 3, triple), true, start);
      return triple + 3;
    }
    const note = source.startsWith("{{!--", start) ? tags.close("--}}", start + 5) : -1;
    if (note >= 0) return note + 4;
    const double = tags.close("}}", start + 2);
    if (double < 0) throw this.#fault(start, "The tag is not closed");
    if (source[start + 2] !== "!") this.#read(tags.textOf(start, start + 2, double), start);
    return double + 2;
  }

  #read(double: string, at: number): void {
    // A comment.
    if (double.startsWith("!")) return;
    const tag = double.replace(/^~|~$/g, "").trim();
    if (tag === "else" || tag === "^") return this.#else(at);
    const chained = /^else\s+(.+)$/s.exec(tag)?.[1];
    if (chained !== undefined) {
      this.#else(at);
      return this.#begin(chained, at, true);
    }
    const rest = tag.slice(1).trim();
    switch (tag[0]) {
      case "#":
        return this.#begin(rest, at);
      case "^":
        return this.#push(rest, { type: "inverted", path: this.#path(rest, at) }, { at });
      case "/":
        return this.#end(rest, at);
      case "&":
        return this.#value(rest, true, at);
      case ">":
        throw this.#fault(at, "Partials are not supported");
      default:
        return this.#value(tag, false, at);
    }
  }

  #value(text: string, raw: boolean, at: number): void {
    const call = this.#callOf(text, at);
    if (call === undefined) this.#add({ kind: "value", path: this.#path(text, at), raw });
    else this.#add({ kind: "call", call, raw });
  }

  #begin(text: string, at: number, isChained = false): void {
    const [name = "", ...words] = text.split(/\s+/);
    const options = { at, isChained };
    const own = words.length === 0 ? undefined : this.#callOf(text, at);
    if (own !== undefined) return this.#push(name, { type: "call", call: own }, options);
    if (words.length === 0) {
      return this.#push(name, { type: "section", path: this.#path(name, at) }, options);
    }
    if (!BUILT_IN.has(name)) throw this.#fault(at, `The helper "${shown(name)}" is unknown`);
    const subject = text.slice(name.length).trim();
    const call = name === "if" || name === "unless" ? this.#inner(subject, at) : undefined;
    if (call !== undefined) {
      const helper = (value: unknown) => isTrue(value) === (name === "if");
      const args = [{ kind: "call" as const, call }];
      return this.#push(name, { type: "call", call: { helper, args } }, options);
    }
    const type = name as BlockNode["type"];
    this.#push(name, { type, path: this.#path(subject, at) }, options);
  }

  #push(
    name: string,
    head: Head,
    { at, isChained = false }: { readonly at: number; readonly isChained?: boolean },
  ): void {
    if (this.#open.length >= MAX_DEPTH) {
      throw this.#fault(at, `Blocks are nested deeper than ${MAX_DEPTH} levels`);
    }
    this.#open.push({ name, at, head, isChained, body: [], otherwise: [], inElse: false });
  }

  /** Parses a call of a helper; `undefined` if the first word is not one. */
  #callOf(text: string, at: number): Call | undefined {
    const name = /^[^\s()]+/.exec(text)?.[0] ?? "";
    if (!Object.hasOwn(this.#helpers, name)) return undefined;
    const count = (words: number) => this.#tags.count(at, words);
    return parseCall(text, { helpers: this.#helpers, count }) ??
      this.#refuse(at, `"${shown(text)}" is not a call of "${name}"`);
  }

  /** Parses a call in parentheses; `undefined` for anything else. */
  #inner(text: string, at: number): Call | undefined {
    const inner = /^\((.*)\)$/s.exec(text)?.[1]?.trim();
    return inner === undefined ? undefined : this.#callOf(inner, at);
  }

  #else(at: number): void {
    const open = this.#open.at(-1);
    if (open === undefined || open.inElse) throw this.#fault(at, "The else is outside any block");
    open.inElse = true;
  }

  #end(name: string, at: number): void {
    let open = this.#open.pop();
    for (; open?.isChained; open = this.#open.pop()) this.#close(open);
    if (open === undefined) throw this.#fault(at, `The block "${shown(name)}" was not opened`);
    if (open.name !== name) {
      throw this.#fault(
        at,
        `The block "${shown(open.name)}" is closed by "${shown(name)}"`,
      );
    }
    this.#close(open);
  }

  #close({ head, body, otherwise }: Open): void {
    if (head.type === "call") {
      this.#add({ kind: "call", call: head.call, raw: true, branches: { body, otherwise } });
    } else if (head.type === "inverted") {
      const { path } = head;
      this.#add({ kind: "block", type: "if", path, body: otherwise, otherwise: body });
    } else {
      this.#add({ kind: "block", type: head.type, path: head.path, body, otherwise });
    }
  }

  #path(text: string, at: number): Path {
    const path = parsePath(text);
    if (path === undefined) throw this.#fault(at, `"${shown(text)}" is not a path of the model`);
    return path;
  }

  #refuse(at: number, message: string): never {
    throw this.#fault(at, message);
  }

  #fault(at: number, message: string): TemplateError {
    return faultAt(this.#source, at, message);
  }
}
