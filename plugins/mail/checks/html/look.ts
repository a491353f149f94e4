/** Computed style of an element's text, from its attributes and the style sheets. */
import type { Steps } from "../../../../core/bytes/steps.ts";
import { parseColor, type Rgb } from "./color.ts";
import type { HtmlDocument, HtmlElement } from "./document.ts";
import { type Declarations, type Declared, readDeclarations, readRules } from "./rules.ts";

/** Computed style of a text. */
export interface Look {
  /** `undefined` if it cannot be determined. */
  readonly color: Rgb | undefined;
  /** `undefined` for a picture, or a colour that cannot be determined. */
  readonly background: Rgb | undefined;
  /** In pixels. */
  readonly size: number;
  readonly bold: boolean;
  readonly hidden: boolean;
}

/** By default, text is black on white. */
const ROOT: Look = {
  color: [0, 0, 0],
  background: [255, 255, 255],
  size: 16,
  bold: false,
  hidden: false,
};

/** Elements between two pauses. */
const STEP = 500;

/** Returns the computed styles of all elements. Elements with equal styles share an object. */
export function* readLooks(document: HtmlDocument): Steps<ReadonlyMap<HtmlElement, Look>> {
  const rules = yield* readRules(document);
  const inline = new Map<string, Declarations>();
  const looks = new Map<HtmlElement, Look>();
  let count = 0;
  for (const element of document.elements) {
    if (++count % STEP === 0) yield;
    const above = (element.parent && looks.get(element.parent)) ?? ROOT;
    const style = element.attributes.get("style")?.value;
    let own: Declarations | undefined;
    if (style !== undefined) {
      own = inline.get(style) ?? (yield* readDeclarations(style));
      inline.set(style, own);
    }
    const all = [...rules.matching(element), ...(own === undefined ? [] : [own])];
    looks.set(element, lookOf(element, above, cascade(all)));
  }
  return looks;
}

/** Treated as one property, because the last declaration of a background wins. */
const PROPERTIES: Readonly<Record<string, string>> = {
  background: "background",
  "background-color": "background",
  "background-image": "picture",
  color: "color",
  display: "display",
  "font-size": "font-size",
  "font-weight": "font-weight",
  "max-height": "max-height",
  "mso-hide": "mso-hide",
  opacity: "opacity",
  visibility: "visibility",
};

/** Merges declarations in order of increasing specificity; important ones win. */
function cascade(all: readonly Declarations[]): ReadonlyMap<string, string> {
  const chosen = new Map<string, Declared>();
  for (const declarations of all) {
    for (const [property, declared] of declarations) {
      const name = Object.hasOwn(PROPERTIES, property) ? PROPERTIES[property]! : undefined;
      if (name === undefined) continue;
      if (chosen.get(name)?.isImportant && !declared.isImportant) continue;
      chosen.set(name, declared);
    }
  }
  return new Map([...chosen].map(([name, { text }]) => [name, text]));
}

function lookOf(
  { attributes, tag }: HtmlElement,
  above: Look,
  styles: ReadonlyMap<string, string>,
): Look {
  const bgcolor = attributes.get("bgcolor")?.value;
  const font = tag === "font" ? attributes.get("color")?.value : undefined;
  const isBold = tag === "b" || tag === "strong" || /^h[1-6]$/.test(tag);
  const hasPicture = attributes.has("background");
  const isPlain = styles.size === 0 && bgcolor === undefined && font === undefined;
  if (isPlain && !isBold && !hasPicture) return above;
  let look = isBold ? { ...above, bold: true } : { ...above };
  if (bgcolor !== undefined) look = { ...look, background: parseColor(bgcolor) };
  if (font !== undefined) look = { ...look, color: parseColor(font) ?? look.color };
  if (hasPicture) look = { ...look, background: undefined };
  for (const [name, value] of styles) look = styled(look, { name, value, above });
  return look;
}

function styled(
  look: Look,
  { name, value, above }: { readonly name: string; readonly value: string; readonly above: Look },
): Look {
  switch (name) {
    case "color":
      return /^(inherit|currentcolor|unset)$/.test(value)
        ? { ...look, color: above.color }
        : { ...look, color: parseColor(value) };
    case "background":
      if (/^(transparent|none|inherit|initial|unset)?$/.test(value)) return look;
      return { ...look, background: parseColor(firstWord(value)) };
    case "picture":
      return value === "none" ? look : { ...look, background: undefined };
    case "font-size": {
      const size = sizeOf(value, above.size);
      return { ...look, size, hidden: look.hidden || size <= 1 };
    }
    case "font-weight":
      return { ...look, bold: value === "bold" || Number(value) >= 600 };
    default:
      return hides(name, value) ? { ...look, hidden: true } : look;
  }
}

/** Returns the first of space-separated values; spaces inside parentheses do not separate. */
function firstWord(value: string): string {
  let depth = 0;
  for (let at = 0; at < value.length; at++) {
    const char = value[at]!;
    if (char === "(") depth++;
    else if (char === ")") depth--;
    else if (depth <= 0 && /\s/.test(char)) return value.slice(0, at);
  }
  return value;
}

/** Hidden text, such as a preheader, often has the colour of the background. */
function hides(name: string, value: string): boolean {
  switch (name) {
    case "display":
      return value === "none";
    case "visibility":
      return value === "hidden";
    case "max-height":
    case "opacity":
      return /^0(?:\.0*)?(?:px|em|%)?$/.test(value);
    default:
      return name === "mso-hide";
  }
}

/** In pixels; unchanged for a size that cannot be determined. */
function sizeOf(value: string, above: number): number {
  const [, number = "", unit = ""] = /^(\d{1,4}(?:\.\d{1,4})?)(px|pt|em|%)?$/.exec(value) ?? [];
  if (number === "" || (unit === "" && Number(number) !== 0)) return above;
  const factor = { px: 1, pt: 4 / 3, em: above, "%": above / 100 }[unit] ?? 1;
  return Math.round(10 * Number(number) * factor) / 10;
}
