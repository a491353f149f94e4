/** Markdown helpers. */

/** Renders a table; cells are text or inline Markdown, and may hold `|`. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |\n`;
  return line(head) + line(head.map(() => "---")) + rows.map(line).join("");
}

/** Renders inline code. */
export function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** Renders a code block. */
export function block(language: string, text: string): string {
  const fence = text.includes("```") ? "````" : "```";
  return `${fence}${language}\n${text.trimEnd()}\n${fence}\n`;
}

/** Names the type of a value: `string`, `array of mail.Address`, `integer or string`. */
export function typeOf(schema: unknown): string {
  if (typeof schema !== "object" || schema === null) return "any";
  const { $id, $ref, type, items, anyOf, enum: words, const: word, format } = schema as Record<
    string,
    unknown
  >;
  if (typeof $id === "string") return $id;
  if (typeof $ref === "string") return $ref.slice($ref.lastIndexOf("/") + 1);
  if (Array.isArray(anyOf)) return anyOf.map(typeOf).join(" or ");
  if (Array.isArray(words)) return words.map((value) => JSON.stringify(value)).join(" or ");
  if (word !== undefined) return JSON.stringify(word);
  if (type === "array") return `array of ${typeOf(items)}`;
  if (Array.isArray(type)) return type.join(" or ");
  if (typeof type !== "string") return "any";
  return format === undefined ? type : `${type} (${format})`;
}
