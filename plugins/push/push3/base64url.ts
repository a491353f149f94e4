/** Base64url without padding (RFC 7515 section 2), the form of keys and tokens. */

/** Bytes of an uncompressed P-256 point. */
export const POINT_BYTES = 65;

/** Encodes bytes. */
export function encodeBase64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

/**
 * Decodes a text; padding is accepted, as services do for older libraries. `undefined` for anything but base64url, or
 * base64, which some libraries send.
 */
export function decodeBase64Url(text: string): Uint8Array | undefined {
  const plain = text.replaceAll("+", "-").replaceAll("/", "_").replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9_-]*$/.test(plain)) return undefined;
  try {
    return Uint8Array.fromBase64(plain, { alphabet: "base64url" });
  } catch {
    return undefined;
  }
}
