/** The business document inside a message. */
import type { Steps } from "../../core/bytes/steps.ts";
import { decodeTransfer } from "../../core/codec/mime/transfer.ts";
import { Warnings } from "../../core/codec/mime/warnings.ts";
import { isText } from "../../core/bytes/text.ts";
import { compact } from "../../core/compact.ts";
import type { Payload } from "./model.ts";
import type { Unwrapped } from "./unwrap.ts";

/** Longest preview in lists, in characters; also the bytes read to detect the format. */
const MAX_PREVIEW = 1024;
const MAX_LOOK = 64 * 1024;
const IDENTITY = new Set(["", "7bit", "8bit", "binary"]);

/** Bytes and description of a document. */
export interface Document {
  readonly bytes: Uint8Array;
  readonly about: Omit<Payload, "blob">;
}

/** Returns the innermost content with its transfer encoding decoded, or the bytes of a layer that did not open. */
export function* toDocument({ inner, recovered }: Unwrapped): Steps<Document> {
  const { contentType, disposition, encoding } = inner;
  // The encoding of a multipart applies to its parts.
  const decodes = !recovered && !IDENTITY.has(encoding) &&
    !contentType.value.startsWith("multipart/");
  const bytes = decodes ? yield* decodeTransfer(inner.body, encoding, new Warnings()) : inner.body;
  const filename = disposition.parameters.get("filename") ?? contentType.parameters.get("name");
  const text = isText(bytes) ? new TextDecoder().decode(bytes.subarray(0, MAX_LOOK)) : undefined;
  const format = formatOf(text, bytes);
  return {
    bytes,
    about: {
      size: bytes.length,
      ...compact({
        content_type: inner.statedType || undefined,
        filename: filename || undefined,
        format,
        preview: text ? text.slice(0, MAX_PREVIEW).toWellFormed() : undefined,
        transfer_encoding: encoding || undefined,
      }),
      recovered,
    },
  };
}

/** Detects the format by the first characters; EDI may hold characters that are not text elsewhere. */
function formatOf(text: string | undefined, bytes: Uint8Array): string | undefined {
  const begin = text ?? new TextDecoder("latin1").decode(bytes.subarray(0, 256));
  const start = begin.replace(/^\ufeff?\s+|^\ufeff/, "");
  // Syntax level B separates by control characters (ISO 9735 section 5).
  if (/^(UNA[^A-Za-z0-9]|UNB\+)/.test(start) || start.startsWith("UNB\u001d")) return "edifact";
  if (/^ISA[^A-Za-z0-9\s]/.test(start)) return "x12";
  if (/^MSH[^A-Za-z0-9]/.test(start)) return "hl7";
  if (text === undefined) return undefined;
  if (/^<[?!A-Za-z]/.test(start)) return "xml";
  if (/^[{[]/.test(start) && isJson(start, bytes.length > MAX_LOOK)) return "json";
  return text === "" ? undefined : "text";
}

function isJson(text: string, cut: boolean): boolean {
  if (cut) return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
