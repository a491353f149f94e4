import { decodeBase64, encodeBase64 } from "@std/encoding/base64";

/** Encodes one block as PEM (RFC 7468). */
export function encodePem(label: string, der: ArrayBuffer): string {
  const lines = encodeBase64(der).match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

/** Returns the bytes of the first block with that label; `undefined` if there is none, or it is not base64. */
export function decodePem(label: string, text: string): Uint8Array<ArrayBuffer> | undefined {
  const begin = `-----BEGIN ${label}-----`;
  const start = text.indexOf(begin);
  const end = text.indexOf(`-----END ${label}-----`, start);
  if (start < 0 || end < 0) return undefined;
  try {
    return decodeBase64(text.slice(start + begin.length, end).replace(/\s+/g, ""));
  } catch {
    return undefined;
  }
}
