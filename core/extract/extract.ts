/** What a person would copy out of a message: one-time codes, links, tokens. */
import type { CapturedEvent, EventText } from "../events/event.ts";
import { findCodes } from "./codes.ts";
import { readHtml } from "./html_text.ts";
import { findLinks, joinLinks, withoutLinks } from "./links.ts";
import { findTokens } from "./tokens.ts";

/** Characters looked at of each text. */
const MAX_TEXT = 262_144;

/** What a text-bearing event carries. */
export interface Extract {
  /** Everything a reader sees, a paragraph a line. */
  readonly text: string;
  /** One-time codes, the most likely first. */
  readonly codes: readonly string[];
  /** Addresses, in order. */
  readonly links: readonly string[];
  /** What links carry to say who follows them, and other words that could only be tokens. */
  readonly tokens: readonly string[];
}

const NOTHING: Extract = { text: "", codes: [], links: [], tokens: [] };
const kept = new WeakMap<CapturedEvent, Extract>();

/** Looks through an event's texts, once. */
export function extractFrom(event: CapturedEvent, texts: readonly EventText[]): Extract {
  if (texts.length === 0) return NOTHING;
  let extract = kept.get(event);
  if (extract === undefined) {
    extract = extractTexts(texts);
    kept.set(event, extract);
  }
  return extract;
}

/** Looks through texts. */
export function extractTexts(texts: readonly EventText[]): Extract {
  const read = texts.map(({ kind, text }) => {
    const cut = text.slice(0, MAX_TEXT);
    return kind === "html" ? readHtml(cut) : { text: cut.replaceAll(/\r\n?/g, "\n"), hrefs: [] };
  });
  const whole = read.map(({ text }) => text).join("\n");
  const links = joinLinks(...read.map(({ text, hrefs }) => [...findLinks(text), ...hrefs]));
  const plain = withoutLinks(whole);
  return { text: whole, codes: findCodes(plain), links, tokens: findTokens(plain, links) };
}
