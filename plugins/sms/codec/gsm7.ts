/**
 * The GSM 7 bit default alphabet and its extension table (3GPP TS 23.038 sections 6.2.1 and 6.2.1.1).
 *
 * ```
 * default alphabet  one septet; 0x1B is the escape into the extension table
 * extension table   two septets: 0x1B, then the code
 * ```
 */

/** Codes 0x00 to 0x7F in order, eight to a group; the escape, 0x1B, is not a character and omitted. */
const DEFAULT = "@£$¥èéùìòÇ\nØø\rÅå" +
  "Δ_ΦΓΛΩΠΨΣΘΞÆæßÉ" +
  " !\"#¤%&'()*+,-./" +
  "0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNO" +
  "PQRSTUVWXYZÄÖÑÜ§" +
  "¿abcdefghijklmno" +
  "pqrstuvwxyzäöñüà";

const EXTENSION = "\f^{}\\[~]|€";

const SEPTETS: ReadonlyMap<string, 1 | 2> = new Map([
  ...[...DEFAULT].map((char) => [char, 1] as const),
  ...[...EXTENSION].map((char) => [char, 2] as const),
]);

/** Septets that one character takes; `undefined` when neither table has it. */
export function septetsOf(character: string): 1 | 2 | undefined {
  return SEPTETS.get(character);
}
