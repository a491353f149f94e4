import { isJsonObject } from "../../core/codec/json_lenient.ts";
import { type Argument, type Call, type Node, type Path, render, shown } from "./template.ts";

/** Maximum number of names in a note. */
const MAX_NAMES = 20;

/** How a template and the values of a message differ, for `meta` of the event. */
export interface TemplateNotes {
  /** Values that the template reads, and the message does not have. */
  readonly template_missing?: readonly string[];
  /** Values of the message that the template does not read. */
  readonly template_unused?: readonly string[];
}

/** Renders the parts of a template, and compares them with the values. */
export class TemplateUse {
  readonly #parts: (readonly Node[])[] = [];
  readonly #missing = new Set<string>();

  /** `own` matches the names of values that the vendor itself has. */
  constructor(readonly own?: RegExp) {}

  /** The first missing value. */
  get missing(): string | undefined {
    return this.#missing.values().next().value;
  }

  /** Renders a part, like `render()`. */
  render(nodes: readonly Node[], model: unknown, escape?: (text: string) => string): string {
    this.#parts.push(nodes);
    const onMissing = (name: string): void => {
      if (this.#missing.size < MAX_NAMES && !this.own?.test(name)) this.#missing.add(shown(name));
    };
    return render(nodes, model, { onMissing, ...(escape !== undefined && { escape }) });
  }

  /** Returns the notes; `inside` is the member of the model that holds the values of the message. */
  notes(values: unknown, inside?: string): TemplateNotes {
    const reads = new Reads(inside);
    for (const nodes of this.#parts) reads.add(nodes, 0);
    const names = isJsonObject(values) && !reads.all ? Object.keys(values) : [];
    const unused = names.filter((name) => !reads.names.has(name)).slice(0, MAX_NAMES);
    return {
      ...(this.#missing.size > 0 && { template_missing: [...this.#missing] }),
      ...(unused.length > 0 && { template_unused: unused.map(shown) }),
    };
  }
}

/** Names that a template mentions, also in branches that are not taken. */
class Reads {
  readonly names = new Set<string>();
  /** Whether it reads the values as a whole. */
  all = false;

  constructor(readonly inside: string | undefined) {}

  /** `depth` is the number of values that the blocks around the nodes have entered. */
  add(nodes: readonly Node[], depth: number): void {
    for (const node of nodes) {
      if (node.kind === "value") this.#path(node.path, depth);
      else if (node.kind === "call") {
        this.#call(node.call, depth);
        this.add(node.branches?.body ?? [], depth);
        this.add(node.branches?.otherwise ?? [], depth);
      } else if (node.kind === "block") {
        const stays = node.type === "if" || node.type === "unless" || node.type === "for";
        this.#path(node.path, depth);
        this.add(node.body, stays ? depth : depth + 1);
        this.add(node.otherwise, depth);
      }
    }
  }

  #call({ args }: Call, depth: number): void {
    for (const arg of args) this.#argument(arg, depth);
  }

  #argument(arg: Argument, depth: number): void {
    if (arg.kind === "path") this.#path(arg.path, depth);
    else if (arg.kind === "call") this.#call(arg.call, depth);
  }

  #path({ up, names: [first, second] }: Path, depth: number): void {
    const name = this.inside === undefined ? first : first === this.inside ? second : "";
    if (name === undefined) this.all ||= first !== undefined || up >= depth;
    else this.names.add(name);
  }
}
