const strict = new TextDecoder("utf-8", { fatal: true });

/** Whether bytes are valid UTF-8 without control characters other than tab, line feed, form feed and return. */
export function isText(bytes: Uint8Array): boolean {
  for (const byte of bytes) {
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d) {
      return false;
    }
    if (byte === 0x7f) return false;
  }
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
