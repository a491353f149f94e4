/** Colours of CSS, and their contrast (WCAG 2.2). */
import { ownValue } from "../../../../core/own.ts";

/** Red, green and blue, from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** The sixteen names of HTML 4 and those seen in emails. */
const NAMES: Readonly<Record<string, string>> = {
  aqua: "00ffff",
  black: "000000",
  blue: "0000ff",
  darkgray: "a9a9a9",
  darkgrey: "a9a9a9",
  fuchsia: "ff00ff",
  gold: "ffd700",
  gray: "808080",
  green: "008000",
  grey: "808080",
  lightgray: "d3d3d3",
  lightgrey: "d3d3d3",
  lime: "00ff00",
  maroon: "800000",
  navy: "000080",
  olive: "808000",
  orange: "ffa500",
  pink: "ffc0cb",
  purple: "800080",
  red: "ff0000",
  silver: "c0c0c0",
  teal: "008080",
  white: "ffffff",
  whitesmoke: "f5f5f5",
  yellow: "ffff00",
};

/** Longest text of a colour, in characters. */
const MAX_LENGTH = 100;

/** `undefined` for anything but an opaque colour. */
export function parseColor(text: string): Rgb | undefined {
  const value = text.trim().toLowerCase();
  if (value.length > MAX_LENGTH) return undefined;
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(value)?.[1] ?? ownValue(NAMES, value) ??
    /^[0-9a-f]{6}$/.exec(value)?.[0];
  if (hex !== undefined) {
    const long = hex.length === 3 ? hex.replace(/./g, "$&$&") : hex;
    return [0, 2, 4].map((at) => parseInt(long.slice(at, at + 2), 16)) as unknown as Rgb;
  }
  const [, r, g, b] =
    /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})(?:\s*[,/]\s*(?:1(?:\.0)?|100%))?\s*\)$/
      .exec(value) ?? [];
  return r === undefined ? undefined : [Number(r), Number(g), Number(b)];
}

/** From 1, the same, to 21, black on white. */
export function contrastOf(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

function luminance(color: Rgb): number {
  const [r, g, b] = color.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
