/**
 * Huffman code of header strings: RFC 7541 section 5.2 and appendix B. Codes are canonical: those of one length count up
 * with the symbol, and a longer code begins above every shorter one. So the lengths determine the code.
 *
 * @module
 */
import { WireError } from "../../bytes/decoder.ts";

/** Length in bits of the code of each octet, in base 36, and of the end of the string last. */
const LENGTHS = "dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6ca" +
  "d67777777777777777777777878djde6f56565666577666567655677777fbeds" +
  "kmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmn" +
  "qqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrq" +
  "u";
const END = 256;
const LONGEST = 30;

interface Row {
  /** The first code of this length. */
  readonly first: number;
  readonly symbols: readonly number[];
}

const ROWS = rows();

function rows(): readonly Row[] {
  const symbols = Array.from({ length: LONGEST + 1 }, (): number[] => []);
  for (const [symbol, digit] of [...LENGTHS].entries()) symbols[parseInt(digit, 36)]!.push(symbol);
  let next = 0;
  return symbols.map((ofLength) => {
    const first = next * 2;
    next = first + ofLength.length;
    return { first, symbols: ofLength };
  });
}

/** Decodes octets, one character each. Throws `WireError` for invalid padding, and for the end symbol. */
export function decodeHuffman(bytes: Uint8Array): string {
  let text = "";
  let code = 0;
  let length = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      code = code * 2 + ((byte >> bit) & 1);
      length++;
      const row = ROWS[length];
      if (row === undefined) throw bad("an unknown code");
      const symbol = row.symbols[code - row.first];
      if (symbol === undefined) continue;
      if (symbol === END) throw bad("the end symbol");
      text += String.fromCharCode(symbol);
      code = 0;
      length = 0;
    }
  }
  // RFC 7541 section 5.2: the padding is the first bits of the end symbol, which are ones, and fewer than eight.
  if (length > 7 || code !== 2 ** length - 1) throw bad("padding with bits other than ones");
  return text;
}

function bad(what: string): WireError {
  return new WireError("syntax", `Cannot read a Huffman-coded header string: found ${what}`);
}
