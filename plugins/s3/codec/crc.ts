/**
 * CRC32C (RFC 3720 section 12.1, reflected polynomial 0x82F63B78) and CRC-64/NVME (NVM Express NVM Command Set 1.0
 * section 5.2.1.3.4, reflected polynomial 0x9A6C9329AC4BC9B5). Both start and end with all bits inverted. Eight bytes
 * are processed at a time, with a table for each position; the 64-bit form is stored as two halves of 32 bits.
 */

const LANES = 8;

const CRC32C = makeTables(0, 0x82f63b78).low;
const CRC64 = makeTables(0x9a6c9329, 0xac4bc9b5);

/** Continues a CRC32C; begin with 0. */
export function crc32c(bytes: Uint8Array, previous = 0): number {
  const table = CRC32C;
  let crc = ~previous;
  let at = 0;
  for (const end = bytes.length - LANES; at <= end; at += LANES) {
    crc ^= bytes[at]! | bytes[at + 1]! << 8 | bytes[at + 2]! << 16 | bytes[at + 3]! << 24;
    crc = table[0x700 | crc & 0xff]! ^ table[0x600 | crc >>> 8 & 0xff]! ^
      table[0x500 | crc >>> 16 & 0xff]! ^ table[0x400 | crc >>> 24]! ^
      table[0x300 | bytes[at + 4]!]! ^ table[0x200 | bytes[at + 5]!]! ^
      table[0x100 | bytes[at + 6]!]! ^ table[bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at++) crc = crc >>> 8 ^ table[(crc ^ bytes[at]!) & 0xff]!;
  return ~crc >>> 0;
}

/** A 64-bit value in two halves. */
export interface Halves {
  readonly high: number;
  readonly low: number;
}

/** Continues a CRC-64/NVME; begin without one. */
export function crc64nvme(bytes: Uint8Array, previous: Halves = { high: 0, low: 0 }): Halves {
  const { high: highs, low: lows } = CRC64;
  let high = ~previous.high;
  let low = ~previous.low;
  let at = 0;
  for (const end = bytes.length - LANES; at <= end; at += LANES) {
    low ^= bytes[at]! | bytes[at + 1]! << 8 | bytes[at + 2]! << 16 | bytes[at + 3]! << 24;
    high ^= bytes[at + 4]! | bytes[at + 5]! << 8 | bytes[at + 6]! << 16 | bytes[at + 7]! << 24;
    const [a, b, c, d] = [
      0x700 | low & 0xff,
      0x600 | low >>> 8 & 0xff,
      0x500 | low >>> 16 & 0xff,
      0x400 | low >>> 24,
    ];
    const [e, f, g, h] = [
      0x300 | high & 0xff,
      0x200 | high >>> 8 & 0xff,
      0x100 | high >>> 16 & 0xff,
      high >>> 24,
    ];
    low = lows[a]! ^ lows[b]! ^ lows[c]! ^ lows[d]! ^ lows[e]! ^ lows[f]! ^ lows[g]! ^ lows[h]!;
    high = highs[a]! ^ highs[b]! ^ highs[c]! ^ highs[d]! ^ highs[e]! ^ highs[f]! ^ highs[g]! ^
      highs[h]!;
  }
  for (; at < bytes.length; at++) {
    const place = (low ^ bytes[at]!) & 0xff;
    low = (low >>> 8 | high << 24) ^ lows[place]!;
    high = high >>> 8 ^ highs[place]!;
  }
  return { high: ~high >>> 0, low: ~low >>> 0 };
}

/** Table `n` holds, at `n << 8 | byte`, the value of a byte after `n` further zero bytes. */
function makeTables(high: number, low: number): { high: Int32Array; low: Int32Array } {
  const tables = { high: new Int32Array(LANES * 256), low: new Int32Array(LANES * 256) };
  for (let byte = 0; byte < 256; byte++) {
    let [h, l] = [0, byte];
    for (let bit = 0; bit < 8; bit++) {
      const odd = (l & 1) === 1;
      l = l >>> 1 | (h & 1) << 31;
      h >>>= 1;
      if (odd) [h, l] = [h ^ high, l ^ low];
    }
    tables.high[byte] = h;
    tables.low[byte] = l;
  }
  for (let place = 256; place < LANES * 256; place++) {
    const [h, l] = [tables.high[place - 256]!, tables.low[place - 256]!];
    const next = l & 0xff;
    tables.low[place] = (l >>> 8 | h << 24) ^ tables.low[next]!;
    tables.high[place] = h >>> 8 ^ tables.high[next]!;
  }
  return tables;
}
