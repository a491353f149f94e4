/**
 * Readable text of a card: Adaptive Cards (adaptivecards.io/explorer), hero and thumbnail cards, and MessageCards
 * (learn.microsoft.com/outlook/actionable-messages/message-card-reference).
 */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";

/** Longest text, in UTF-16 code units. */
const MAX_LENGTH = 4000;

/** Members with text, in reading order. */
const TEXTS = [
  ...["title", "subtitle", "activityTitle", "activitySubtitle", "text", "activityText"],
  // Of a compound button and a block of code: adaptivecards.microsoft.com
  ...["description", "codeSnippet"],
];
/** Members with further elements, in reading order. */
const CONTAINERS = [
  "body",
  "pages",
  "items",
  "columns",
  "inlines",
  "facts",
  "rows",
  "cells",
  "sections",
  "images",
  "actions",
];

/** Returns the texts of a card, one to a line. */
export function textOfCard(card: unknown): string {
  const lines: string[] = [];
  let length = 0;
  for (const line of linesOf(card)) {
    lines.push(line);
    length += line.length;
    if (length > MAX_LENGTH) break;
  }
  return lines.join("\n").slice(0, MAX_LENGTH).toWellFormed();
}

/** Depth is bounded by the parser that made the value. */
function* linesOf(element: unknown): Generator<string> {
  if (Array.isArray(element)) {
    for (const item of element) yield* linesOf(item);
    return;
  }
  if (!isJsonObject(element)) {
    if (typeof element === "string" && element.trim() !== "") yield element;
    return;
  }
  const fact = factLine(element);
  if (fact !== undefined) return yield fact;
  if (Array.isArray(element.inlines)) {
    const inline = element.inlines.map((item) => [...linesOf(item)].join(" ")).join("");
    if (inline.trim() !== "") yield inline;
    return;
  }
  let found = false;
  for (const name of TEXTS) {
    const text = element[name];
    if (typeof text !== "string" || text.trim() === "") continue;
    found = true;
    yield text;
  }
  for (const name of CONTAINERS) {
    for (const line of linesOf(element[name])) {
      found = true;
      yield line;
    }
  }
  if (!found && typeof element.altText === "string" && element.altText !== "") {
    yield element.altText;
  }
}

/** `{title, value}` in Adaptive Cards, `{name, value}` in MessageCards. */
function factLine(element: Readonly<Record<string, unknown>>): string | undefined {
  const { value } = element;
  const name = element.title ?? element.name;
  if (typeof name !== "string" || typeof value !== "string") return undefined;
  return `${name.replace(/:$/, "")}: ${value}`;
}
