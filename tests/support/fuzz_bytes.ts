/** Helpers for fuzz targets: bytes and text seeds. */
import { WireError } from "../../core/bytes/decoder.ts";
import { latin1 } from "./hostile.ts";

/** A text with one character for each byte. */
export function asLatin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return text;
}

const utf8 = new TextDecoder();
/** Decodes arbitrary bytes as text. */
export const asUtf8 = (bytes: Uint8Array): string => utf8.decode(bytes);

/** Splits bytes and texts in two: chunked input must give the same result. */
export function halves(bytes: Uint8Array): readonly Uint8Array[] {
  const middle = bytes.length >> 1;
  return [bytes.subarray(0, middle), bytes.subarray(middle)];
}

/** Seeds of texts. */
export function texts(...list: readonly string[]): readonly Uint8Array[] {
  return list.map((text) => new TextEncoder().encode(text));
}

/** Seeds of Latin-1. */
export function octets(...list: readonly string[]): readonly Uint8Array[] {
  return list.map(latin1);
}

/** Seeds of hex digits. */
export function hex(...list: readonly string[]): readonly Uint8Array[] {
  return list.map((text) => Uint8Array.fromHex(text));
}

/** Runs all of them, even if one throws. */
export function each(...runs: readonly (() => unknown)[]): void {
  for (const run of runs) {
    try {
      run();
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
    }
  }
}
