/**
 * The template language of Mailjet: https://dev.mailjet.com/email/template-language/reference/
 *
 * ```
 * {{var:name}} {{var:name:"friend"}} {{data:city:""}} {{Upper(var:name)}}   values; [[…]] is the same
 * {% if var:a == "x" and not var:b:false %} {% elseif … %} {% else %} {% endif %}
 * {% for item in var:items %} {{item.title}} {% endfor %}
 * ```
 *
 * @module
 */
import { identity, parseExpression, toCall, toPath } from "./expression.ts";
import {
  type Argument,
  type Call,
  type Node,
  type Path,
  shown,
  Tags,
  TemplateError,
} from "../template.ts";

/** Deepest nesting of blocks. */
const MAX_DEPTH = 100;
/** Tags do not nest, so that text full of open tags is not searched to its end for each. */
const TAG = /\{\{([^{}]*)\}\}|\[\[([^[\]]*)\]\]|\{%([^{]*?)%\}/g;

/** Parses a template. Throws `TemplateError`. */
export function parseTemplate(source: string): readonly Node[] {
  const root: Node[] = [];
  const stack: Open[] = [];
  const add = (node: Node): void => {
    const open = stack.at(-1);
    (open === undefined ? root : open.inElse ? open.otherwise : open.body).push(node);
  };
  const tags = new Tags(source);
  let at = 0;
  for (const match of source.matchAll(TAG)) {
    const [tag, value, plain, statement] = match;
    tags.count(match.index);
    if (match.index > at) add({ kind: "text", text: source.slice(at, match.index) });
    at = match.index + tag.length;
    const isText = plain !== undefined && !/^\s*(?:var|data):/.test(plain);
    if (!isText) tags.textOf(match.index, match.index, at);
    const read = (text: string) => parseExpression(text, (words) => tags.count(match.index, words));
    if (statement !== undefined) runStatement(statement.trim(), { stack, add, read });
    else if (isText) {
      add({ kind: "text", text: tag });
    } else {add({
        kind: "call",
        call: toCall(identity, read(value ?? plain!)),
        raw: true,
      });}
  }
  add({ kind: "text", text: source.slice(at) });
  if (stack.length > 0) throw new TemplateError(`{% ${stack.at(-1)!.word} %} is not closed`);
  return root;
}

type Open = {
  readonly word: "if" | "for";
  readonly condition?: Call;
  readonly loop?: { readonly item: string; readonly path: Path };
  /** Whether it began with `elseif`: it ends with the enclosing block. */
  readonly isChained: boolean;
  readonly body: Node[];
  readonly otherwise: Node[];
  inElse: boolean;
};

function runStatement(
  statement: string,
  { stack, add, read }: { stack: Open[]; add(node: Node): void; read(text: string): Argument },
): void {
  const [, word = "", rest = ""] = /^(\w*)\s*([\s\S]*)$/.exec(statement)!;
  const lists = () => ({ body: [], otherwise: [], inElse: false });
  switch (word) {
    case "if":
      stack.push({ word, condition: toCall(identity, read(rest)), isChained: false, ...lists() });
      break;
    case "elseif":
      enterElse(stack, word);
      stack.push({
        word: "if",
        condition: toCall(identity, read(rest)),
        isChained: true,
        ...lists(),
      });
      break;
    case "else":
      enterElse(stack, word);
      break;
    case "for": {
      const [, item, list = ""] = /^(\w+)\s+in\s+(\S+)$/.exec(rest) ?? [];
      const path = toPath(list);
      if (item === undefined || path === undefined) {
        throw new TemplateError(`{% ${shown(statement)} %} is not a loop`);
      }
      stack.push({ word, loop: { item, path }, isChained: false, ...lists() });
      break;
    }
    case "endif":
    case "endfor": {
      let open = stack.pop();
      for (; open?.isChained && word === "endif"; open = stack.pop()) {
        const node = toBlock(open);
        stack.at(-1)!.otherwise.push(node);
      }
      if (open === undefined || `end${open.word}` !== word) {
        throw new TemplateError(`{% ${word} %} does not close a block`);
      }
      add(toBlock(open));
      break;
    }
    default:
      throw new TemplateError(`The statement "${shown(word)}" is unknown`);
  }
  if (stack.length > MAX_DEPTH) {
    throw new TemplateError(`Blocks are nested deeper than ${MAX_DEPTH} levels`);
  }
}

function enterElse(stack: readonly Open[], word: string): void {
  const open = stack.at(-1);
  if (open === undefined || open.word !== "if" || open.inElse) {
    throw new TemplateError(`{% ${word} %} is outside any block`);
  }
  open.inElse = true;
}

function toBlock({ condition, loop, body, otherwise }: Open): Node {
  if (loop !== undefined) {
    return { kind: "block", type: "for", path: loop.path, item: loop.item, body, otherwise };
  }
  return { kind: "call", call: condition!, raw: true, branches: { body, otherwise } };
}
