/**
 * Header blocks: RFC 5322 sections 2.2 and 3.6.8, with the UTF-8 of RFC 6532.
 *
 *     block = *( name *WSP ":" value *( CRLF WSP value ) CRLF ) CRLF
 *
 * Parsed as leniently as in mail servers: a bare LF ends a line too, and the first line that is not a field begins the
 * body.
 */
import { decodeWords } from "postal-mime";
import { findDecoder } from "./charset.ts";
import type { Warnings } from "./warnings.ts";

/** One header field. */
export interface HeaderField {
  /** As spelled by the sender. */
  readonly name: string;
  /** Unfolded and trimmed, otherwise as sent. */
  readonly value: string;
}

/** The header of a message or of a body part. */
export interface HeaderBlock {
  /** In the order received; equal names may repeat. */
  readonly fields: readonly HeaderField[];
  /** The fields as sent, without the empty line: a view. */
  readonly bytes: Uint8Array;
  /** Start of the body, in octets from the start of the input. */
  readonly bodyStart: number;
}

/** Limits of octets and fields of a block; the rest stays in the raw message only. */
const MAX_BLOCK_BYTES = 1024 * 1024;
const MAX_FIELDS = 5000;

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const MBOX_FROM = [0x46, 0x72, 0x6f, 0x6d, 0x20];

const ascii = new TextDecoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const windows1252 = new TextDecoder("windows-1252");

/** Parses the block at the start of `bytes`. */
export function readHeaderBlock(bytes: Uint8Array, warnings: Warnings): HeaderBlock {
  const spans: FieldSpan[] = [];
  let at = 0;
  while (at < bytes.length) {
    const lineEnd = endOfLine(bytes, at);
    const next = Math.min(lineEnd.next, bytes.length);
    if (lineEnd.text === at) return toBlock(bytes, spans, { end: at, bodyStart: next, warnings });
    if (next > MAX_BLOCK_BYTES) {
      warnings.add(
        `A header of more than ${MAX_BLOCK_BYTES} octets: the rest was treated as the body`,
      );
      break;
    }
    const first = bytes[at];
    const last = spans[spans.length - 1];
    if ((first === 0x20 || first === 0x09) && last !== undefined) {
      last.end = lineEnd.text;
      last.folded = true;
    } else {
      const colon = endOfName(bytes, at, lineEnd.text);
      if (colon >= 0) spans.push({ start: at, colon, end: lineEnd.text, folded: false });
      else if (at !== 0 || !startsWith(bytes, MBOX_FROM)) {
        warnings.add("No empty line between header and body");
        break;
      }
    }
    at = next;
  }
  return toBlock(bytes, spans, { end: at, bodyStart: at, warnings });
}

/** Returns the values of every field of this name, as sent, in any case. */
export function fieldValues(block: HeaderBlock, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  const values: string[] = [];
  for (const field of block.fields) {
    if (field.name.length === wanted.length && field.name.toLowerCase() === wanted) {
      values.push(field.value);
    }
  }
  return values;
}

/** Returns the first field of this name, as sent. */
export function fieldValue(block: HeaderBlock, name: string): string | undefined {
  return fieldValues(block, name)[0];
}

/** Decodes the encoded words (RFC 2047) of a value. */
export function decodeFieldText(value: string, warnings: Warnings): string {
  if (!value.includes("=?")) return value;
  for (const [, label = ""] of value.matchAll(/=\?([^?*\s]{1,60})(?:\*[^?\s]*)?\?[bq]\?/gi)) {
    if (findDecoder(label) !== undefined) continue;
    warnings.add(`Unknown character set "${label}" in a header field: read as windows-1252`);
  }
  return decodeWords(value);
}

interface FieldSpan {
  readonly start: number;
  readonly colon: number;
  end: number;
  folded: boolean;
}

function toBlock(
  bytes: Uint8Array,
  spans: readonly FieldSpan[],
  about: { end: number; bodyStart: number; warnings: Warnings },
): HeaderBlock {
  if (spans.length > MAX_FIELDS) {
    about.warnings.add(`More than ${MAX_FIELDS} header fields: the rest were left out`);
  }
  const block = bytes.subarray(0, about.end);
  const text = textOfAscii(block);
  const fields = spans.slice(0, MAX_FIELDS).map((span) => {
    const part = (start: number, end: number): string =>
      text?.slice(start, end) ?? decodeField(bytes.subarray(start, end), about.warnings);
    const value = part(span.colon + 1, span.end);
    return {
      name: part(span.start, span.colon).trimEnd(),
      value: trimWsp(span.folded || value.includes("\r") ? unfold(value) : value),
    };
  });
  return { fields, bytes: block, bodyStart: about.bodyStart };
}

/** Returns the text if each octet is one character. */
function textOfAscii(bytes: Uint8Array): string | undefined {
  const text = ascii.decode(bytes);
  return text.length === bytes.length && !text.includes("\ufffd") ? text : undefined;
}

function decodeField(bytes: Uint8Array, warnings: Warnings): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    warnings.add("A header field that is neither ASCII nor UTF-8: read as windows-1252");
    return windows1252.decode(bytes);
  }
}

/** Removes only the line end: RFC 5322 section 2.2.3. A lone CR must not end a line elsewhere. */
function unfold(value: string): string {
  return value.replace(/\r?\n/g, "").replaceAll("\r", " ");
}

/** Trims blanks; other white space is content. */
function trimWsp(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWsp(text.charCodeAt(start))) start++;
  while (end > start && isWsp(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isWsp(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** End of the text of a line, and start of the next. */
function endOfLine(
  bytes: Uint8Array,
  at: number,
): { readonly text: number; readonly next: number } {
  const lf = bytes.indexOf(LF, at);
  if (lf < 0) return { text: bytes.length, next: bytes.length };
  return { text: lf > at && bytes[lf - 1] === CR ? lf - 1 : lf, next: lf + 1 };
}

/** Returns the index of the colon after a field name, or -1 if the line does not begin with one. */
function endOfName(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at]! > 0x20 && bytes[at]! < 0x7f && bytes[at] !== COLON) at++;
  if (at === start) return -1;
  while (at < end && isWsp(bytes[at]!)) at++;
  return bytes[at] === COLON && at < end ? at : -1;
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}
