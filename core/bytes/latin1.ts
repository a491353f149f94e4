/** Maps bytes to characters U+0000 to U+00FF and back: the platform's `iso-8859-1` is Windows-1252. */

/** Bytes converted at once: arguments are on the stack. */
const STEP = 8192;

/** Returns one character for each byte. */
export function toLatin1(bytes: Uint8Array): string {
  if (bytes.length <= STEP) return Reflect.apply(String.fromCharCode, undefined, bytes);
  const chunks: string[] = [];
  for (let at = 0; at < bytes.length; at += STEP) {
    chunks.push(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + STEP)));
  }
  return chunks.join("");
}

/** Returns the bytes of text made by `toLatin1`. */
export function fromLatin1(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
