/** Finds what people copy out of a message: one-time codes, links, tokens. */
import type { CapturedEvent, EventText } from "../events/event.ts";
import { findCodes } from "./codes.ts";
import { readHtml } from "./html_text.ts";
import { findLinks, joinLinks, withoutLinks } from "./links.ts";
import { findTokens } from "./tokens.ts";

/** Characters searched of each text, and of all texts of an event. */
const MAX_TEXT = 262_144;
const MAX_TEXTS = 2 * MAX_TEXT;

/** Findings in the texts of an event. */
export interface Extract {
  /** The readable text, one paragraph per line. */
  readonly text: string;
  /** One-time codes, the most likely first. */
  readonly codes: readonly string[];
  /** Links, in order. */
  readonly links: readonly string[];
  /** Tokens in links that identify the recipient, and words that can only be tokens. */
  readonly tokens: readonly string[];
}

/** Computed on first use: a search for text needs no codes. */
class Finds implements Extract {
  readonly text: string;
  readonly #parts: readonly Part[];
  #codes: readonly string[] | undefined;
  #links: readonly string[] | undefined;
  #tokens: readonly string[] | undefined;

  constructor(text: string, parts: readonly Part[]) {
    this.text = text;
    this.#parts = parts;
  }

  get codes(): readonly string[] {
    return this.#codes ??= findCodes(withoutLinks(this.text));
  }

  get links(): readonly string[] {
    return this.#links ??= joinLinks(this.#parts.map(({ start, end, hrefs }) => [
      ...findLinks(this.text.slice(start, end)),
      ...hrefs,
    ]));
  }

  get tokens(): readonly string[] {
    return this.#tokens ??= findTokens(withoutLinks(this.text), this.links);
  }
}

/** Range of one text among all, and its further links. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly hrefs: readonly string[];
}

const NOTHING: Extract = { text: "", codes: [], links: [], tokens: [] };
const kept = new WeakMap<CapturedEvent, Extract>();

/** Searches an event's texts, once. */
export function extractFrom(
  event: CapturedEvent,
  textsOf: (event: CapturedEvent) => readonly EventText[],
): Extract {
  let extract = kept.get(event);
  if (extract === undefined) {
    const texts = textsOf(event);
    extract = texts.length === 0 ? NOTHING : extractTexts(texts);
    kept.set(event, extract);
  }
  return extract;
}

/** Searches texts. */
export function extractTexts(texts: readonly EventText[]): Extract {
  let whole = "";
  let left = MAX_TEXTS;
  const parts = texts.map(({ kind, text }, index): Part => {
    const cut = text.slice(0, Math.min(MAX_TEXT, left));
    left -= cut.length;
    const read = kind === "html"
      ? readHtml(cut)
      : { text: cut.replaceAll(/\r\n?/g, "\n"), hrefs: [] };
    if (index > 0) whole += "\n";
    const start = whole.length;
    whole += read.text;
    return { start, end: whole.length, hrefs: read.hrefs };
  });
  return new Finds(whole, parts);
}
