/** HTML in which every text is escaped, except for markup created by this module. */

/** Finished HTML. */
export class Markup {
  /** Private to this folder: texts become markup only through {@link markup}. */
  constructor(readonly text: string) {}
}

/** A value between the parts of a template. */
export type Value = string | number | Markup | readonly Markup[] | undefined | false;

/** Template for HTML. Texts are escaped for content and for quoted attributes. */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  let text = parts[0]!;
  for (const [index, value] of values.entries()) text += render(value) + parts[index + 1]!;
  return new Markup(text);
}

function render(value: Value): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "object") return value.map(({ text }) => text).join("");
  return escapeHtml(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Control characters are shown as U+FFFD, so that they cannot affect the following text. */
function escapeHtml(text: string): string {
  return text.toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n\r]/gu, "\ufffd")
    .replaceAll(/[&<>"']/g, (char) => ENTITIES[char]!);
}

/** Captured text: isolated, so that its direction does not affect the surrounding text. */
export function captured(text: string): Markup {
  return markup`<bdi>${text}</bdi>`;
}
