import type { CapturedEvent, EventText } from "../events/event.ts";
import { textTest } from "../events/search.ts";
import type { Extract } from "./extract.ts";

/** Searches an event's text. */
export type ExtractFrom = (event: CapturedEvent) => Extract;

/** Loads the search on first use: most runs never need it. */
export async function loadExtract(
  texts: (event: CapturedEvent) => readonly EventText[],
): Promise<ExtractFrom> {
  const { extractFrom } = await import("./extract.ts");
  return (event) => extractFrom(event, texts);
}

/** Returns the visible text of an HTML body. */
export type TextOfHtml = (html: string) => string;

/** Loads it on first use: its tokenizer takes longer than all else that captures an email. */
export async function loadTextOfHtml(): Promise<TextOfHtml> {
  const { readHtml } = await import("./html_text.ts");
  return (html) => readHtml(html).text;
}

/** Conditions on an event's text. */
export interface TextFilter {
  /** Case-insensitive part of the readable text. */
  readonly text?: string | undefined;
  /** Required finding. */
  readonly has?: "code" | "link" | "token" | undefined;
}

/** Returns a matcher for an event's text; nothing without conditions. */
export async function matchText(
  { text, has }: TextFilter,
  texts: (event: CapturedEvent) => readonly EventText[],
): Promise<((event: CapturedEvent) => boolean) | undefined> {
  if (text === undefined && has === undefined) return undefined;
  const extract = await loadExtract(texts);
  const test = text === undefined ? undefined : textTest(text);
  return (event) => {
    const found = extract(event);
    return (test === undefined || test(found.text)) &&
      (has === undefined || found[`${has}s`].length > 0);
  };
}
