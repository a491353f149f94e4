import type { CapturedEvent, EventText } from "../events/event.ts";
import { textTest } from "../events/search.ts";
import type { Extract } from "./extract.ts";

/** Looks through an event's text. */
export type ExtractFrom = (event: CapturedEvent) => Extract;

/** Loads what looks through texts when it is first needed: most runs of the program never need it. */
export async function loadExtract(
  texts: (event: CapturedEvent) => readonly EventText[],
): Promise<ExtractFrom> {
  const { extractFrom } = await import("./extract.ts");
  return (event) => extractFrom(event, texts);
}

/** What may be asked of an event's text. */
export interface TextFilter {
  /** Case-insensitive substring of all that a person reads in it. */
  readonly text?: string | undefined;
  /** Something it must have. */
  readonly has?: "code" | "link" | "token" | undefined;
}

/** Whether an event's text is as asked; nothing when nothing is asked. */
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
