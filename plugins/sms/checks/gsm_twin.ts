import { septetsOf } from "../codec/gsm7.ts";

/**
 * Characters that word processors, translators and keyboards insert, by their GSM-7 equivalent. Most are in the list of
 * characters that Twilio replaces: https://www.twilio.com/docs/messaging/services/smart-encoding-char-list
 */
const TWINS: Readonly<Record<string, string>> = {
  "'": "‘’‚‛′`´ʻˈʼʽʹˊˋ❛❜︑",
  '"': "“”„‟″«»ʺˮ❝❞〝〞",
  "<": "‹",
  ">": "›",
  "-": "‐‑‒–—―−•⎼⎽⁃",
  "...": "…",
  ".": "·。｡",
  ",": "̦﹑､、",
  ":": "ː˸⦂꞉",
  ";": "⁏",
  "!": "ǃ",
  "(": "❨❪⟮⦅",
  ")": "❩❫⟯⦆",
  "{": "❴",
  "}": "❵",
  "*": "⁎∗⊛✢✣✤✥✱✲✳✺✻✼✽❃❉❊❋⧆",
  "+": "˖",
  "=": "꞊",
  "/": "÷⁄⧸∕",
  "\\": "⧹⧵",
  "|": "∣⎸⎹⏐⎜⎟",
  "_": "‗",
  "^": "ˆ",
  "~": "˜˷∼",
  x: "×",
  TM: "™",
  "(c)": "©",
  "(R)": "®",
  "No.": "№",
  "1/4": "¼",
  "1/2": "½",
  "3/4": "¾",
  L: "Ł",
  l: "ł",
  D: "Đ",
  d: "đ",
  i: "ı",
  oe: "œ",
  OE: "Œ",
  // Spaces: tab, and those of typesetting.
  " ": "\t\u00a0\u2002\u2003\u2007\u2009\u202f\u3000",
  "\n": "\u2028\u2029",
  // Without a shape: hyphenation, joining, direction and control characters.
  "":
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\0\u0003\u0004\u0010\u0011\u0012\u0013\u0014\u0017\u0019",
};
/** Small capitals, in the order of the alphabet without Q and X. */
const SMALL = [..."ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ"].map((small, at) =>
  [small, "ABCDEFGHIJKLMNOPRSTUVWYZ"[at]!] as const
);
const BY_CHARACTER: ReadonlyMap<string, string> = new Map([
  ...Object.entries(TWINS).flatMap(([twin, all]) => [...all].map((one) => [one, twin] as const)),
  ["‚", ","],
  ...SMALL,
]);

/**
 * Returns the GSM-7 equivalent of a character; for an accented letter that it lacks, the bare one. An accent that follows
 * its letter has none of its own: it may be left out. `undefined` without an equivalent.
 */
export function gsmTwinOf(character: string): string | undefined {
  const twin = BY_CHARACTER.get(character);
  if (twin !== undefined) return twin;
  if (/^\p{Mn}$/u.test(character)) return "";
  const bare = character.normalize("NFKD").replace(/\p{M}/gu, "");
  if (bare === "" || bare === character) return undefined;
  // A spacing accent, such as the diaeresis, is one on a space.
  if (bare.startsWith(" ") && !/^\s$/u.test(character)) return undefined;
  return [...bare].every((one) => septetsOf(one) !== undefined) ? bare : undefined;
}
