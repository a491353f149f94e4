/**
 * Renders templates with their data:
 * https://docs.aws.amazon.com/ses/latest/dg/send-personalized-email-advanced.html
 */
import { parseHandlebars } from "../handlebars.ts";
import { escapeHtml, TemplateError } from "../template.ts";
import { type TemplateNotes, TemplateUse } from "../template_use.ts";
import { fail } from "./message.ts";
import { invalidTemplate } from "./refusals.ts";
import type { Template } from "./store.ts";

/** A link of the vendor: https://docs.aws.amazon.com/ses/latest/dg/sending-email-subscription-management.html */
const OWN = /^amazonSESUnsubscribeUrl$/;

/** The parts of a template. */
export type Parts = Pick<Template, "subject" | "text" | "html">;

/** A rendered template, and the first attribute that its data lacks. */
export interface Rendered {
  readonly rendered: Parts;
  readonly missing?: string;
  readonly notes?: TemplateNotes;
}

/** Renders a template; one that exists only at the vendor is empty here. */
export function renderContent(template: Parts | undefined, data: unknown): Rendered {
  if (template === undefined) return { rendered: { subject: "", text: "", html: "" } };
  const use = new TemplateUse(OWN);
  const { subject, text, html } = template;
  try {
    const rendered = {
      subject: use.render(parseHandlebars(subject), data),
      text: use.render(parseHandlebars(text), data),
      html: use.render(parseHandlebars(html), data, escapeHtml),
    };
    const { missing } = use;
    return { rendered, notes: use.notes(data), ...(missing !== undefined && { missing }) };
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
