/** Features of caniemail.com used by declarations, selectors and at-rules. */
import { type CSSToken, TokenType } from "@csstools/css-tokenizer";
import { ownValue } from "../../../../core/own.ts";
import type { StyleVisitor } from "./css.ts";
import type { Span } from "./document.ts";

/** Records the use of a feature. */
export type Use = (feature: string, place: Span) => void;

/**
 * Properties that share a feature; any other property uses the feature of its name, if there is
 * one.
 */
const GROUPS: Readonly<Record<string, string>> = {
  "css-animation":
    "animation-name animation-duration animation-delay animation-timing-function animation-direction " +
    "animation-iteration-count animation-fill-mode animation-play-state",
  "css-background-position": "background-position-x background-position-y",
  "css-block-inline-size": "block-size inline-size",
  "css-inline-size": "inline-size",
  "css-border": [
    ...["top", "right", "bottom", "left"].flatMap((side) => [`border-${side}`, ...parts(side)]),
    ...parts(""),
  ].join(" "),
  "css-border-image":
    "border-image-source border-image-slice border-image-width border-image-outset border-image-repeat",
  "css-border-inline-block": "border-inline border-block",
  "css-border-inline-block-individual": [
    "border-inline-start border-inline-end border-block-start border-block-end",
    ...parts("inline"),
    ...parts("block"),
  ].join(" "),
  "css-border-inline-block-longhand": ["inline-start", "inline-end", "block-start", "block-end"]
    .flatMap(parts).join(" "),
  "css-border-radius":
    "border-top-left-radius border-top-right-radius border-bottom-left-radius border-bottom-right-radius",
  "css-border-radius-logical":
    "border-start-start-radius border-start-end-radius border-end-start-radius border-end-end-radius",
  "css-column-layout-properties":
    "columns column-width column-span column-fill column-rule column-rule-color column-rule-style column-rule-width",
  "css-gap": "gap column-gap row-gap grid-gap grid-column-gap grid-row-gap",
  "css-grid-template": "grid-template grid-template-columns grid-template-rows grid-template-areas",
  "css-inset":
    "inset-block inset-inline inset-block-start inset-block-end inset-inline-start inset-inline-end",
  "css-left-right-top-bottom": "left right top bottom",
  "css-margin": "margin-top margin-right margin-bottom margin-left",
  "css-margin-block-start-end": "margin-block-start margin-block-end",
  "css-margin-inline-block": "margin-inline margin-block",
  "css-margin-inline-start-end": "margin-inline-start margin-inline-end",
  "css-outline": "outline-color outline-style outline-width",
  "css-overflow": "overflow-x overflow-y overflow-block overflow-inline",
  "css-padding": "padding-top padding-right padding-bottom padding-left",
  "css-padding-block-start-end": "padding-block-start padding-block-end",
  "css-padding-inline-block": "padding-inline padding-block",
  "css-padding-inline-start-end": "padding-inline-start padding-inline-end",
  "css-scroll-snap": "scroll-snap-type scroll-snap-align scroll-snap-stop",
  "css-text-emphasis": "text-emphasis-color text-emphasis-style",
  "css-transition":
    "transition-property transition-duration transition-delay transition-timing-function",
};

/** Width, style and colour of the borders of a side. */
function parts(side: string): string[] {
  const name = side === "" ? "border" : `border-${side}`;
  return ["width", "style", "color"].map((part) => `${name}-${part}`);
}

const PROPERTIES: ReadonlyMap<string, readonly string[]> = readGroups();

function readGroups(): ReadonlyMap<string, readonly string[]> {
  const properties = new Map<string, string[]>();
  for (const [feature, names] of Object.entries(GROUPS)) {
    for (const name of names.split(" ")) {
      properties.set(name, [...properties.get(name) ?? [], feature]);
    }
  }
  return properties;
}

/** Functions of values. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  calc: "css-unit-calc",
  clamp: "css-function-clamp",
  max: "css-function-max",
  min: "css-function-min",
  "light-dark": "css-function-light-dark",
  rgb: "css-rgb",
  rgba: "css-rgba",
  lch: "css-modern-color",
  oklch: "css-modern-color",
  lab: "css-modern-color",
  oklab: "css-modern-color",
  "linear-gradient": "css-linear-gradient",
  "radial-gradient": "css-radial-gradient",
  "conic-gradient": "css-conic-gradient",
  var: "css-variables",
};

/** Properties with keywords that have their own feature. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  display: {
    flex: "css-display-flex",
    "inline-flex": "css-display-flex",
    grid: "css-display-grid",
    "inline-grid": "css-display-grid",
    none: "css-display-none",
  },
  "flex-direction": { column: "css-flex-direction", "column-reverse": "css-flex-direction" },
  "flex-wrap": { wrap: "css-flex-wrap", "wrap-reverse": "css-flex-wrap" },
};

/** Keywords in any value. */
const WORDS: Readonly<Record<string, string>> = {
  initial: "css-unit-initial",
  important: "css-important",
  "fit-content": "css-intrinsic-size",
  "min-content": "css-intrinsic-size",
  "max-content": "css-intrinsic-size",
  "system-ui": "css-sytem-ui",
  "ui-serif": "css-sytem-ui",
  "ui-sans-serif": "css-sytem-ui",
  "ui-rounded": "css-sytem-ui",
  "ui-monospace": "css-sytem-ui",
};

/** Conditions of `@media` that have a feature. */
const MEDIA: readonly (readonly [pattern: RegExp, feature: string])[] = [
  [/prefers-color-scheme/, "css-at-media-prefers-color-scheme"],
  [/prefers-reduced-motion/, "css-at-media-prefers-reduced-motion"],
  [/orientation/, "css-at-media-orientation"],
  [/\b(any-)?hover\b/, "css-at-media-hover"],
  [/device-pixel-ratio/, "css-at-media-device-pixel-ratio"],
];

/**
 * Returns a visitor that records features. `use` must ignore names that caniemail.com does not
 * have.
 */
export function featuresOf(use: Use): StyleVisitor {
  return {
    declaration(property, value, place) {
      useProperty(property, place, use);
      const words = ownValue(VALUES, property);
      for (const token of value) {
        useValue(token, place, use);
        const word = token[0] === TokenType.Ident
          ? words && ownValue(words, token[4].value.toLowerCase())
          : undefined;
        if (word !== undefined) use(word, place);
      }
    },
    selectors(prelude, place, nested) {
      if (nested) use("css-nesting", place);
      useSelectors(prelude, place, use);
    },
    atRule(name, prelude, place) {
      use(`css-at-${name.replace(/^-(webkit|moz|ms|o)-/, "")}`, place);
      if (name !== "media") return;
      for (const [pattern, feature] of MEDIA) if (pattern.test(prelude)) use(feature, place);
    },
  };
}

function useProperty(property: string, place: Span, use: Use): void {
  if (property.startsWith("--")) return use("css-variables", place);
  const name = property.replace(/^-(webkit|moz|ms|o)-/, "");
  // The pages about these two are about one of their values.
  if (name === "flex-direction" || name === "flex-wrap") return;
  for (const feature of PROPERTIES.get(name) ?? [`css-${name}`]) use(feature, place);
}

function useValue(token: CSSToken, place: Span, use: Use): void {
  switch (token[0]) {
    case TokenType.Dimension:
      return use(`css-unit-${token[4].unit.toLowerCase()}`, place);
    case TokenType.Percentage:
      return use("css-unit-percent", place);
    case TokenType.Function: {
      const name = token[4].value.toLowerCase();
      const feature = ownValue(FUNCTIONS, name.replace(/^repeating-/, ""));
      if (feature !== undefined) use(feature, place);
      return;
    }
    case TokenType.Ident: {
      const feature = ownValue(WORDS, token[4].value.toLowerCase());
      if (feature !== undefined) use(feature, place);
    }
  }
}

function useSelectors(tokens: readonly CSSToken[], place: Span, use: Use): void {
  let previous: "none" | "simple" | "space" | "combinator" = "none";
  let depth = 0;
  for (let at = 0; at < tokens.length; at++) {
    const [type, raw] = tokens[at]!;
    if (type === TokenType.CloseParen || type === TokenType.CloseSquare) depth--;
    if (type === TokenType.OpenSquare) use("css-selector-attribute", place);
    if (type === TokenType.OpenSquare || type === TokenType.OpenParen) depth++;
    if (depth > 0) continue;
    if (type === TokenType.Comma) {
      use("css-selector-grouping", place);
      previous = "none";
    } else if (type === TokenType.Whitespace) {
      if (previous === "simple") previous = "space";
    } else if (type === TokenType.Delim && COMBINATORS[raw] !== undefined) {
      use(COMBINATORS[raw], place);
      previous = "combinator";
    } else {
      if (previous === "space") use("css-selector-descendant", place);
      const isChained = previous === "simple" && (raw === "." || type === TokenType.Hash);
      if (isChained) use("css-selector-chaining", place);
      at += useSimple(tokens, at, { place, use });
      if (tokens[at]?.[0] === TokenType.Function) depth++;
      previous = "simple";
    }
  }
}

const COMBINATORS: Readonly<Record<string, string>> = {
  ">": "css-selector-child",
  "+": "css-selector-adjacent-sibling",
  "~": "css-selector-general-sibling",
};

/** Records one simple selector; returns the number of further tokens in it. */
function useSimple(
  tokens: readonly CSSToken[],
  at: number,
  { place, use }: { readonly place: Span; readonly use: Use },
): number {
  const [type, raw] = tokens[at]!;
  if (type === TokenType.Hash) use("css-selector-id", place);
  else if (type === TokenType.Ident) use("css-selector-type", place);
  else if (raw === "*") use("css-selector-universal", place);
  else if (raw === ".") {
    use("css-selector-class", place);
    return 1;
  } else if (type === TokenType.Colon) {
    const isElement = tokens[at + 1]?.[0] === TokenType.Colon;
    const name = tokens[at + (isElement ? 2 : 1)]?.[1].toLowerCase().replace(/\($/, "") ?? "";
    const old = ["before", "after", "first-line", "first-letter"].includes(name);
    use(`css-pseudo-${isElement || old ? "element" : "class"}-${name}`, place);
    return isElement ? 2 : 1;
  }
  return 0;
}
