import { placeIn } from "../../../core/checks/place.ts";
import type { CheckTopic, Found } from "../../../core/plugin.ts";
import { contrastOf } from "./html/color.ts";
import type { HtmlDocument, HtmlElement } from "./html/document.ts";
import { readLooks } from "./html/look.ts";
import type { MailSubject } from "./subject.ts";

const WCAG = "https://www.w3.org/WAI/WCAG22/Understanding";
/** Minimum contrast of text, and of large text (WCAG 2.2, 1.4.3). */
const LEAST = { normal: 4.5, large: 3 };

/** Checks for readers with a screen reader or low vision. */
export const accessibilityTopic: CheckTopic<MailSubject> = {
  checks: [
    {
      id: "mail.language",
      level: "warning",
      about: "The HTML does not declare its language: a screen reader guesses the pronunciation",
      source: `${WCAG}/language-of-page.html`,
    },
    {
      id: "mail.table_role",
      level: "info",
      about:
        'A layout table has no role="presentation": a screen reader announces rows and columns',
      source: "https://www.w3.org/WAI/tutorials/tables/tips/",
    },
    {
      id: "mail.contrast",
      level: "warning",
      about:
        "Text and background have too little contrast, according to style attributes and style sheets",
      source: `${WCAG}/contrast-minimum.html`,
    },
    {
      id: "mail.font_size",
      level: "info",
      about: "Text smaller than 12 pixels",
      source: `${WCAG}/resize-text.html`,
    },
  ],
  *find({ html, htmlText }) {
    if (html === undefined || htmlText === "") return;
    if (!html.elements.some(({ attributes }) => attributes.get("lang")?.value.trim())) {
      const root = html.elements.find(({ tag }) => tag === "html");
      yield {
        id: "mail.language",
        message: 'No lang, as in <html lang="en">',
        where: () => placeIn("html", html.source, root ?? { start: 0, end: 0 }),
      };
    }
    yield* tables(html);
    yield undefined;
    yield* colors(html);
  },
};

function* tables({ elements, source }: HtmlDocument): Generator<Found> {
  // A table with header cells holds data.
  const ofData = new Set<HtmlElement>();
  for (const element of elements) {
    if (element.tag !== "th" && element.tag !== "caption") continue;
    for (let at = element.parent, up = 0; at !== undefined && up < 5; at = at.parent, up++) {
      if (at.tag === "table") {
        ofData.add(at);
        break;
      }
    }
  }
  for (const element of elements) {
    if (element.tag !== "table" || ofData.has(element)) continue;
    const role = element.attributes.get("role")?.value.trim().toLowerCase();
    if (role === "presentation" || role === "none") continue;
    yield {
      id: "mail.table_role",
      message: 'A layout table without role="presentation"',
      where: () => placeIn("html", source, element),
    };
  }
}

/** Colours are inherited; a background picture may have any colour, so text on one is not checked. */
function* colors(document: HtmlDocument): Generator<Found | undefined> {
  const looks = yield* readLooks(document);
  for (const element of document.elements) {
    const look = looks.get(element)!;
    const above = element.parent && looks.get(element.parent);
    if (!element.hasText || look.hidden || isOutside(element)) continue;
    const where = () => placeIn("html", document.source, element);
    if (look.size < 12 && look.size !== above?.size) {
      yield { id: "mail.font_size", message: `Text of ${look.size} pixels`, where };
    }
    const { color, background } = look;
    if (color === undefined || background === undefined || look === above) continue;
    const contrast = contrastOf(color, background);
    const isLarge = look.size >= 24 || (look.bold && look.size >= 18.66);
    const least = isLarge ? LEAST.large : LEAST.normal;
    if (contrast < least) {
      yield {
        id: "mail.contrast",
        message: `A contrast of ${contrast.toFixed(1)}; expected at least ${least}`,
        where,
      };
    }
  }
}

/** Elements whose text no program shows. */
function isOutside(element: HtmlElement): boolean {
  for (
    let at: HtmlElement | undefined = element, up = 0;
    at !== undefined && up < 20;
    at = at.parent, up++
  ) {
    if (["style", "script", "title", "head"].includes(at.tag)) return true;
  }
  return false;
}
