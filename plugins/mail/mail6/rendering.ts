/**
 * Renders templates with their data:
 * https://docs.aws.amazon.com/ses/latest/dg/send-personalized-email-advanced.html
 */
import { parseHandlebars } from "../handlebars.ts";
import { escapeHtml, render, TemplateError } from "../template.ts";
import { fail } from "./message.ts";
import { invalidTemplate } from "./refusals.ts";
import type { Template } from "./store.ts";

/** The parts of a template. */
export type Parts = Pick<Template, "subject" | "text" | "html">;

/** A rendered template, and the first attribute that its data lacks. */
export interface Rendered {
  readonly rendered: Parts;
  readonly missing?: string;
}

/** Renders a template; one that exists only at the vendor is empty here. */
export function renderContent(template: Parts | undefined, data: unknown): Rendered {
  if (template === undefined) return { rendered: { subject: "", text: "", html: "" } };
  let missing: string | undefined;
  const onMissing = (source: string): void => void (missing ??= source);
  const { subject, text, html } = template;
  try {
    const rendered = {
      subject: render(parseHandlebars(subject), data, { onMissing }),
      text: render(parseHandlebars(text), data, { onMissing }),
      html: render(parseHandlebars(html), data, { onMissing, escape: escapeHtml }),
    };
    return { rendered, ...(missing !== undefined && { missing }) };
  } catch (error) {
    if (error instanceof TemplateError) fail(invalidTemplate(error.message));
    throw error;
  }
}

/** Throws a refusal if a template cannot be parsed. */
export function checkTemplate({ subject, text, html }: Parts): void {
  try {
    for (const source of [subject, text, html]) parseHandlebars(source);
  } catch (error) {
    if (error instanceof TemplateError) fail(invalidTemplate(error.message));
    throw error;
  }
}
