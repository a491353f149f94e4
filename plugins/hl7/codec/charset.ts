/**
 * Character sets of MSH-18 (HL7 v2 table 0211).
 *
 * @module
 */
import { toLatin1 } from "../../../core/bytes/latin1.ts";

/** Labels of the platform's decoders, by the name in the table. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ["UNICODE UTF-8", "utf-8"],
  ["UNICODE", "utf-8"],
  ["UTF-8", "utf-8"],
  ["UTF8", "utf-8"],
  ["GB 18030-2000", "gb18030"],
  ["KS X 1001", "euc-kr"],
  ["BIG-5", "big5"],
  ["ISO IR87", "iso-2022-jp"],
  ["ISO IR159", "iso-2022-jp"],
]);

const ASCII: ReadonlySet<string> = new Set(["", "ASCII", "ISO IR6"]);

/** Text of a message, and the character set it was decoded with. */
export interface DecodedText {
  readonly text: string;
  /** `ascii`, `utf-8`, `latin-1`, or the label of the decoder. */
  readonly encoding: string;
  /** How the declaration and the bytes disagree. */
  readonly problem?: string;
}

/**
 * Decodes bytes with the declared set. Without a declaration, or if the set is unknown or the bytes do not fit it, they
 * are UTF-8 if valid, else Latin-1, which accepts every byte. A byte order mark is dropped.
 */
export function decodeText(bytes: Uint8Array, declared: string): DecodedText {
  const name = declared.trim().toUpperCase();
  if (ASCII.has(name)) return decodeUndeclared(bytes, name);
  const label = LABELS.get(name) ?? eightBitLabel(name);
  const text = label === undefined ? undefined : tryDecode(bytes, label);
  if (text !== undefined) return { text, encoding: label! };
  const problem = label === undefined
    ? `MSH-18 names the character set "${declared}", which is unknown`
    : `MSH-18 names the character set "${declared}", but the bytes are not valid in it`;
  return { text: toLatin1(bytes), encoding: "latin-1", problem };
}

function decodeUndeclared(bytes: Uint8Array, name: string): DecodedText {
  const utf8 = tryDecode(bytes, "utf-8");
  // In ASCII every byte is one character.
  if (utf8?.length === bytes.length) return { text: utf8, encoding: "ascii" };
  return {
    text: utf8 ?? toLatin1(bytes),
    encoding: utf8 === undefined ? "latin-1" : "utf-8",
    ...(name === "" ? {} : { problem: "MSH-18 names ASCII, but there are other characters" }),
  };
}

/** `8859/1` to `8859/15`; there is no decoder for 8859/12, which was never published. */
function eightBitLabel(name: string): string | undefined {
  const part = /^(?:ISO[ -]?)?8859[/-](\d{1,2})$/.exec(name)?.[1];
  const number = Number(part);
  return part !== undefined && number >= 1 && number <= 16 && number !== 12
    ? `iso-8859-${number}`
    : undefined;
}

function tryDecode(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
