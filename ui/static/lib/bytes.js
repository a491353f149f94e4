/** Conversions of bytes to text, to a hexadecimal dump, and to a file. */

/** @param {string} base64 */
export function fromBase64(base64) {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 8192) {
    binary += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(i, i + 8192));
  }
  return btoa(binary);
}

/** Bytes per line of a dump. */
export const ROW_BYTES = 16;

/**
 * Returns the lines of a dump: offset, digits, and printable characters.
 * @param {Uint8Array} bytes
 * @param {number} count how many bytes at most
 */
export function hexRows(bytes, count) {
  const rows = [];
  for (let at = 0; at < Math.min(bytes.length, count); at += ROW_BYTES) {
    const row = bytes.subarray(at, Math.min(at + ROW_BYTES, bytes.length));
    const digits = Array.from(row, (byte) => byte.toString(16).padStart(2, "0"));
    rows.push({
      offset: at.toString(16).padStart(8, "0"),
      hex: `${digits.slice(0, 8).join(" ")}  ${digits.slice(8).join(" ")}`.padEnd(48),
      text: Array.from(row, (byte) => byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")
        .join(""),
    });
  }
  return rows;
}

/**
 * Downloads bytes as a file.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {string} filename
 */
export function saveFile(bytes, filename) {
  const url = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = filename;
  link.click();
  // The download keeps the bytes once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
