/**
 * The template language of Brevo, a part of Jinja (https://help.brevo.com/hc/en-us/articles/360000268730):
 *
 * ```
 * {{ params.name }}  {{ params.name | default : "friend" }}   a value
 * {% if params.a %} {% else %} {% endif %}                     also `if not`
 * {% for item in params.items %} {{ item.name }} {% endfor %}
 * {# text #}                                                   a comment
 * ```
 *
 * @module
 */
import { parsePath } from "./handlebars.ts";
import { faultAt, type Node, type Path, shown, Tags } from "./template.ts";

/** Deepest nesting of blocks. */
const MAX_DEPTH = 100;
/** Within a line: `{#` also begins a colour in a style sheet. */
const COMMENTS = /\{#[^\n{]{0,1000}#\}/g;

interface Open {
  readonly word: "if" | "for";
  readonly not: boolean;
  readonly path: Path;
  readonly item?: string;
  readonly body: Node[];
  readonly otherwise: Node[];
  inElse: boolean;
}

/** Parses a template. Throws `TemplateError` with the place of the fault. */
export function parseJinja(source: string): readonly Node[] {
  const root: Node[] = [];
  const stack: Open[] = [];
  const add = (node: Node): void => {
    const open = stack.at(-1);
    (open === undefined ? root : open.inElse ? open.otherwise : open.body).push(node);
  };
  const tags = new Tags(source);
  const openings = /\{[{%]/g;
  for (let at = 0; at < source.length;) {
    openings.lastIndex = at;
    const start = openings.exec(source)?.index ?? source.length;
    if (start > at) add({ kind: "text", text: source.slice(at, start).replace(COMMENTS, "") });
    if (start === source.length) break;
    tags.count(start);
    const isValue = source[start + 1] === "{";
    const end = tags.close(isValue ? "}}" : "%}", start + 2);
    if (end < 0) throw faultAt(source, start, "The tag is not closed");
    const text = tags.textOf(start, start + 2, end);
    if (isValue) add(parseValue(text, source, start));
    else runStatement(text.replace(/^-|-$/g, "").trim(), { stack, add, source, start });
    at = end + 2;
  }
  if (stack.length > 0) {
    throw faultAt(source, source.length, `{% ${stack.at(-1)!.word} %} is not closed`);
  }
  return root;
}

function parseValue(text: string, source: string, at: number): Node {
  const [name = "", ...filters] = text.split("|").map((part) => part.trim());
  const path = pathOf(name, source, at);
  let fallback: string | undefined;
  for (const filter of filters) {
    const match = /^default\s*[:(]\s*(["'])(.*)\1\s*\)?$/s.exec(filter);
    if (match !== null) fallback = match[2]!;
  }
  return { kind: "value", path, raw: true, ...(fallback !== undefined && { fallback }) };
}

function runStatement(
  statement: string,
  { stack, add, source, start }: {
    stack: Open[];
    add(node: Node): void;
    source: string;
    start: number;
  },
): void {
  const open = stack.at(-1);
  const [word = "", ...words] = statement.split(/\s+/);
  if (word === "else") {
    if (open === undefined || open.inElse) {
      throw faultAt(source, start, "{% else %} is outside any block");
    }
    open.inElse = true;
  } else if (word === "endif" || word === "endfor") {
    if (open === undefined || `end${open.word}` !== word) {
      throw faultAt(source, start, `{% ${shown(word)} %} does not close a block`);
    }
    stack.pop();
    add(toBlock(open));
  } else {
    if (stack.length >= MAX_DEPTH) {
      throw faultAt(source, start, `Blocks are nested deeper than ${MAX_DEPTH} levels`);
    }
    stack.push(begin(word, words, { source, start }));
  }
}

function begin(
  word: string,
  words: readonly string[],
  { source, start }: { source: string; start: number },
): Open {
  const lists = { body: [], otherwise: [], inElse: false };
  if (word === "if") {
    const not = words[0] === "not";
    const path = pathOf(words.slice(not ? 1 : 0).join(" "), source, start);
    return { word, not, path, ...lists };
  }
  const [item = "", preposition, ...list] = words;
  if (word === "for" && preposition === "in" && /^\w+$/.test(item)) {
    return { word, not: false, path: pathOf(list.join(" "), source, start), item, ...lists };
  }
  throw faultAt(source, start, `The statement "${shown(word)}" is unknown`);
}

function toBlock({ word, not, path, item, body, otherwise }: Open): Node {
  if (word === "for") {
    return { kind: "block", type: "for", path, item: item!, body, otherwise };
  }
  return { kind: "block", type: not ? "unless" : "if", path, body, otherwise };
}

function pathOf(text: string, source: string, at: number): Path {
  const path = parsePath(text);
  if (path === undefined) throw faultAt(source, at, `"${shown(text)}" is not a variable`);
  return path;
}
