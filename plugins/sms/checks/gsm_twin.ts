import { septetsOf } from "../codec/gsm7.ts";

/** Typographic characters that word processors and translators insert, and their GSM-7 equivalents. */
const TWINS: Readonly<Record<string, string>> = {
  "‘": "'",
  "’": "'",
  "‚": ",",
  "‛": "'",
  "′": "'",
  "`": "'",
  "´": "'",
  "“": '"',
  "”": '"',
  "„": '"',
  "‟": '"',
  "″": '"',
  "«": '"',
  "»": '"',
  "‹": "<",
  "›": ">",
  "‐": "-",
  "‑": "-",
  "‒": "-",
  "–": "-",
  "—": "-",
  "―": "-",
  "−": "-",
  "…": "...",
  "•": "-",
  "·": ".",
  "×": "x",
  "÷": "/",
  "⁄": "/",
  "™": "TM",
  "©": "(c)",
  "®": "(R)",
  "№": "No.",
  "Ł": "L",
  "ł": "l",
  "Đ": "D",
  "đ": "d",
  "ı": "i",
  "œ": "oe",
  "Œ": "OE",
  "\t": " ",
  "\u00a0": " ",
  "\u2002": " ",
  "\u2003": " ",
  "\u2007": " ",
  "\u2009": " ",
  "\u202f": " ",
  "\u3000": " ",
  "\u2028": "\n",
  "\u2029": "\n",
  "\u00ad": "",
  "\u200b": "",
  "\u200c": "",
  "\u200d": "",
  "\u200e": "",
  "\u200f": "",
  "\u2060": "",
  "\ufeff": "",
};

/**
 * Returns the GSM-7 equivalent of a character; for an accented letter that it lacks, the bare one. `undefined` without
 * an equivalent.
 */
export function gsmTwinOf(character: string): string | undefined {
  const twin = TWINS[character];
  if (twin !== undefined) return twin;
  const bare = character.normalize("NFKD").replace(/\p{M}/gu, "");
  if (bare === "" || bare === character) return undefined;
  return [...bare].every((one) => septetsOf(one) !== undefined) ? bare : undefined;
}
