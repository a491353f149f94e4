/**
 * Character sets: the labels of the WHATWG Encoding Standard, which the platform decodes, and the other names that email
 * clients give to the same encodings. Text in an unknown one is read as windows-1252, which maps every byte to a
 * different character, so that no byte is lost.
 */
import { decodeSteps, STEP, type Steps } from "../../bytes/steps.ts";
import type { Warnings } from "./warnings.ts";

/** Names beyond the standard's, without separators and vendor prefix. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["ansix341968", "us-ascii"],
  ["7bit", "us-ascii"],
  ["8bit", "utf-8"],
  ["utf8mb4", "utf-8"],
  ["cp65001", "utf-8"],
  ["shiftjis", "shift_jis"],
  ["cp932", "shift_jis"],
  ["windows932", "shift_jis"],
  ["eucjp", "euc-jp"],
  ["eucjpms", "euc-jp"],
  ["cp51932", "euc-jp"],
  ["iso2022jp1", "iso-2022-jp"],
  ["iso2022jp2", "iso-2022-jp"],
  ["cp50220", "iso-2022-jp"],
  ["cp50221", "iso-2022-jp"],
  ["cp936", "gbk"],
  ["windows936", "gbk"],
  ["euccn", "gbk"],
  ["cp949", "euc-kr"],
  ["uhc", "euc-kr"],
  ["cp950", "big5"],
  ["cp874", "windows-874"],
]);

/** Few labels are in use; invented ones must not fill the memory. */
const MAX_CACHED = 200;

const decoders = new Map<string, TextDecoder | undefined>();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });
const utf8 = new TextDecoder("utf-8");
const windows1252 = new TextDecoder("windows-1252");

/** Returns a decoder for a label in any spelling; `undefined` for an unknown encoding. */
export function findDecoder(label: string): TextDecoder | undefined {
  const key = label.trim().toLowerCase();
  if (decoders.has(key)) return decoders.get(key);
  const bare = key.replace(/^(?:x-ms-|x-|cs)/, "").replace(/[\s._:-]+/g, "");
  const decoder = makeDecoder(key) ?? makeDecoder(ALIASES.get(bare) ?? bare) ??
    makeDecoder(bare.replace(/^(?:cp|ms)(?=125\d$)/, "windows-"));
  if (decoders.size < MAX_CACHED) decoders.set(key, decoder);
  return decoder;
}

/** Decodes a text part; `label` is that of its Content-Type. Never fails: adds faults to `warnings`. */
export function* decodeCharset(
  bytes: Uint8Array,
  label: string | undefined,
  warnings: Warnings,
): Steps<string> {
  const wanted = label?.trim() ?? "";
  const decoder = wanted === "" ? undefined : findDecoder(wanted);
  if (wanted !== "" && decoder === undefined) {
    warnings.add(`Unknown character set "${wanted.slice(0, 60)}": read as windows-1252`);
    return windows1252.decode(bytes);
  }
  if (decoder === undefined || /^(us-)?ascii$/i.test(wanted)) {
    return decodeUndeclared(bytes, warnings);
  }
  if (decoder.encoding === "utf-8") return decodeUtf8(bytes, warnings);
  // Decoding that pauses gets a separate decoder: others are in use meanwhile.
  const own = bytes.length > STEP ? new TextDecoder(decoder.encoding) : decoder;
  const text = yield* decodeSteps(own, bytes);
  if (text.includes("\ufffd")) warnings.add(`Text that is not valid ${wanted.slice(0, 60)}`);
  return text;
}

/** Decodes text without a declaration: UTF-8 if it is valid, else windows-1252. */
export function decodeUndeclared(bytes: Uint8Array, warnings: Warnings): string {
  let text: string;
  try {
    text = strictUtf8.decode(bytes);
  } catch {
    warnings.add(
      "Octets beyond ASCII that are not UTF-8 and have no character set: " +
        "read as windows-1252",
    );
    return windows1252.decode(bytes);
  }
  // A text with as many bytes as characters is ASCII.
  if (text.length !== bytes.length) {
    warnings.add("Octets beyond ASCII without a character set: read as UTF-8");
  }
  return text;
}

function decodeUtf8(bytes: Uint8Array, warnings: Warnings): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    warnings.add("Text that is not valid UTF-8");
    return utf8.decode(bytes);
  }
}

function makeDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
