const strict = new TextDecoder("utf-8", { fatal: true });

/** 1 for each control character except tab, line feed, form feed and return. */
const CONTROL = Uint8Array.from(
  { length: 256 },
  (_, byte) => (byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(byte)) || byte === 0x7f ? 1 : 0,
);

/** Returns whether bytes are valid UTF-8 without control characters other than tab, line feed, form feed and return. */
export function isText(bytes: Uint8Array): boolean {
  if (isPrintable(bytes)) return true;
  // Without a branch the loop is four times as fast, and it runs over every captured body.
  let controls = 0;
  let seen = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    controls |= CONTROL[byte]!;
    seen |= byte;
  }
  if (controls !== 0) return false;
  if (seen < 0x80) return true;
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns whether all bytes are printable ASCII, as most JSON bodies are; looks at four at once. Bytes that do not begin
 * at a multiple of four are left to others.
 */
function isPrintable(bytes: Uint8Array): boolean {
  if (bytes.byteOffset % 4 !== 0) return false;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  // The high bit of a byte is set in `w` from 0x80, in `w + 0x01..` from 0x7f, and in `w - 0x20..` below 0x20. A carry
  // into the byte above comes only from a byte that has set its own bit.
  let odd = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    odd |= word | (word + 0x01010101) | (word - 0x20202020);
  }
  if ((odd & 0x80808080) !== 0) return false;
  for (let i = words.length << 2; i < bytes.length; i++) {
    if (bytes[i]! < 0x20 || bytes[i]! > 0x7e) return false;
  }
  return true;
}

/** Quotes a text as one word for a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Returns a key for a `Map` or `Set` of names that a peer chooses. V8 derives the hash of a string of digits from its
 * number, without a seed, so names such as `65536` and `131072` collide, and each look-up walks all of them.
 */
export function mapKey(name: string): string {
  return `:${name}`;
}
