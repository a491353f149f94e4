/** Renders templates with a model: https://postmarkapp.com/support/article/1077-template-syntax */
import { attempt, failure, type Result, success } from "../../../core/result.ts";
import { parseHandlebars } from "../handlebars.ts";
import { escapeHtml, type Node, render, type RenderOptions, TemplateError } from "../template.ts";
import { type TemplateNotes, TemplateUse } from "../template_use.ts";
import { fail } from "./fields.ts";
import { type VendorRefusal, vendorRefusal } from "./refusals.ts";
import type { Template } from "./store.ts";

/** Placeholder for the template in a layout, which must occur exactly once. */
const CONTENT = /\{\{\{\s*@content\s*\}\}\}/g;

/** Links of the vendor: https://postmarkapp.com/support/article/1077-template-syntax */
const OWN = /^pm:/;

/** The parts of a message from a template. */
export interface Rendered {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** Renders a template inside its layout. */
export function renderTemplate(
  template: Pick<Template, "subject" | "html" | "text">,
  layout: Template | undefined,
  model: unknown,
): Result<{ readonly rendered: Rendered; readonly notes: TemplateNotes }, VendorRefusal> {
  const use = new TemplateUse(OWN);
  const write = (source: string, escape?: (text: string) => string): string => {
    try {
      return use.render(parseHandlebars(source), model, escape);
    } catch (error) {
      if (error instanceof TemplateError) fail(vendorRefusal(1106, error.message));
      throw error;
    }
  };
  return attempt(() => ({
    rendered: {
      subject: write(template.subject),
      html: write(wrap(template.html, layout?.html), escapeHtml),
      text: write(wrap(template.text, layout?.text)),
    },
    notes: use.notes(model),
  }));
}

/** Inserts a template into its layout. */
export function wrap(content: string, layout: string | undefined): string {
  return content === "" || !layout ? content : layout.replace(CONTENT, () => content);
}

/** Returns whether a layout has exactly one placeholder for content. */
export function hasPlace(layout: string): boolean {
  return layout.match(CONTENT)?.length === 1;
}

/** Parses a template. Returns the error of an invalid one. */
export function parse(source: string): Result<readonly Node[], TemplateError> {
  return orFault(() => parseHandlebars(source));
}

/** Renders a template. Returns the error of an invalid one. */
export function renderOnce(
  source: string,
  model: unknown,
  options: RenderOptions,
): Result<string, TemplateError> {
  return orFault(() => render(parseHandlebars(source), model, options));
}

function orFault<T>(work: () => T): Result<T, TemplateError> {
  try {
    return success(work());
  } catch (error) {
    if (error instanceof TemplateError) return failure(error);
    throw error;
  }
}

/** Returns a model with a value for every placeholder of a template: `<name>_Value`. */
export function suggestModel(nodes: readonly Node[]): Record<string, unknown> {
  const model: Record<string, unknown> = Object.create(null);
  for (const node of nodes) {
    if (node.kind === "text" || node.kind === "call" || node.path.up > 0) continue;
    const names = node.path.names.filter((name) => !name.startsWith("@"));
    const last = names.at(-1);
    if (last === undefined) continue;
    if (node.kind === "value") put(model, names, `${last}_Value`);
    else {
      const inner = suggestModel([...node.body, ...node.otherwise]);
      const isList = node.type === "each";
      const stays = node.type === "if" || node.type === "unless";
      put(model, names, stays ? true : isList ? [inner] : inner);
      if (stays) merge(model, inner);
    }
  }
  return model;
}

function put(model: Record<string, unknown>, names: readonly string[], value: unknown): void {
  let at = model;
  for (const name of names.slice(0, -1)) {
    const next = at[name];
    if (typeof next === "object" && next !== null) at = next as Record<string, unknown>;
    else at = at[name] = Object.create(null);
  }
  at[names.at(-1)!] ??= value;
}

function merge(model: Record<string, unknown>, more: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(more)) model[name] ??= value;
}
