/**
 * A request body as JSON (RFC 8259), read the way vendors read it: a byte order mark and any `charset` parameter are
 * accepted, a missing media type too. What remains is refused with the place of the fault.
 *
 * @module
 */
import { WireError } from "../bytes/decoder.ts";
import { reasonOf } from "../errors.ts";
import { failure, type Result, success } from "../result.ts";

/** Limits of a text, whatever its size. */
export interface JsonLimits {
  /** Deepest nesting of arrays and objects. Deeper values could not be written out again without overflowing the stack. */
  readonly depth: number;
  /** Arrays and objects. In memory each is many times its two characters, so a large body of them could fill it. */
  readonly containers: number;
  /** Members of all objects together: a name costs far more than a value. */
  readonly members: number;
  /** Values that follow another: parsing tens of millions of them takes seconds. */
  readonly further: number;
}

/** Limits of a body. */
export const JSON_LIMITS: JsonLimits = {
  depth: 256,
  containers: 1_000_000,
  members: 300_000,
  further: 2_000_000,
};

/**
 * Decodes and parses a body. Only the `charset` of `contentType` counts.
 * Throws `WireError` "syntax" for bytes that are not text or text that is not JSON, "limit" for nesting beyond 256 levels,
 * more than a million arrays and objects, more than 300 000 members of objects, or more than two million values.
 */
export function decodeJson(body: Uint8Array, contentType: string | null = null): unknown {
  return parseJson(decodeText(body, contentType));
}

/** As `decodeJson`, but returns the error as a refusal. */
export function readJson(
  body: Uint8Array,
  contentType: string | null = null,
): Result<unknown, WireError> {
  try {
    return success(decodeJson(body, contentType));
  } catch (error) {
    if (error instanceof WireError) return failure(error);
    throw error;
  }
}

/** Parses a text. Throws as `decodeJson` does. */
export function parseJson(text: string): unknown {
  checkShape(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    const detail = reasonOf(error);
    throw new WireError("syntax", `Cannot read the body as JSON: ${detail}`);
  }
}

/** Whether the value is a JSON object, neither array nor null. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Name of a JSON value's type in the words of JSON Schema. */
export function jsonType(
  value: unknown,
): "array" | "boolean" | "integer" | "null" | "number" | "object" | "string" {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "string" ? "string" : "object";
}

/**
 * Decodes a body, for readers that quote parts of it; drops a byte order mark.
 * Throws `WireError` "syntax" for bytes that are not text.
 */
export function decodeText(body: Uint8Array, contentType: string | null = null): string {
  const label = charset(body, contentType);
  try {
    // The decoder drops a byte order mark.
    if (label !== "utf-8") return new TextDecoder(label, { fatal: true }).decode(body);
    const text = lenient.decode(body);
    // A replacement character was either sent or stands for invalid bytes: the strict decoder knows which.
    return text.includes("\ufffd") ? strict.decode(body) : text;
  } catch {
    throw new WireError(
      "syntax",
      `Cannot read the body as JSON: its bytes are not ${label.toUpperCase()} text`,
    );
  }
}

/** Reused: creating a decoder costs more than decoding a typical body. The lenient one is far quicker. */
const lenient = new TextDecoder();
const strict = new TextDecoder("utf-8", { fatal: true });

/** A byte order mark decides, then the parameter, then UTF-8; an unknown name counts as UTF-8. */
function charset(body: Uint8Array, contentType: string | null): string {
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  if (body[0] === 0xfe && body[1] === 0xff) return "utf-16be";
  const label = contentType?.includes(";")
    ? /;\s*charset\s*=\s*"?([\w.:-]+)"?/i.exec(contentType)?.[1] ?? "utf-8"
    : "utf-8";
  if (label.toLowerCase() === "utf-8") return "utf-8";
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return "utf-8";
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return "utf-8";
  }
}

/** What a text holds, as `JsonLimits` counts it. */
export type JsonCounts = Omit<JsonLimits, "depth">;

/**
 * Counts brackets, members and values outside strings, for texts parsed elsewhere; does not check that the text is JSON.
 * Throws `WireError` "limit" as `decodeJson` does.
 */
export function checkShape(text: string, limits = JSON_LIMITS): JsonCounts {
  let depth = 0;
  let containers = 0;
  let members = 0;
  let further = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 0x22) i = endOfString(text, i);
    else if (char === 0x5b || char === 0x7b) {
      if (++depth > limits.depth) throw tooMuch(i, `nested deeper than ${limits.depth} levels`);
      if (++containers > limits.containers) {
        throw tooMuch(i, `beyond ${limits.containers} arrays and objects`);
      }
    } else if (char === 0x5d || char === 0x7d) depth--;
    else if (char === 0x3a && ++members > limits.members) {
      throw tooMuch(i, `beyond ${limits.members} members of objects`);
    } else if (char === 0x2c && ++further > limits.further) {
      throw tooMuch(i, `beyond ${limits.further} values`);
    }
  }
  return { containers, members, further };
}

/** Returns the index of the quote that ends the string begun at `start`. Most of a body is strings: the search is native. */
function endOfString(text: string, start: number): number {
  for (let at = start;;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let before = at;
    while (text.charCodeAt(before - 1) === 0x5c) before--;
    if ((at - before) % 2 === 0) return at;
  }
}

function tooMuch(at: number, detail: string): WireError {
  return new WireError("limit", `Cannot read the body as JSON: at character ${at} it is ${detail}`);
}
