import type { CapturedEvent } from "./event.ts";

/**
 * What an event costs besides its raw body and payload, in bytes: a rough figure for header fields and bookkeeping. Of a
 * raw body that is no larger, the payload is taken for twice as much instead of being looked at.
 */
export const OVERHEAD = 2048;

/** Up to this length, every character of a text is taken for two bytes. */
const SHORT = 4096;
/** What a value costs besides its text, in bytes. */
const NODE_BYTES = 32;
/** Levels of a payload that are looked at: every decoder allows fewer. */
const MAX_DEPTH = 64;

/** Long texts of the events of one request, which share them. */
export interface SharedTexts {
  seen?: Set<string>;
  /** What they take together. */
  bytes: number;
}

/** Bytes that an event with a small raw body takes, the body included; a rough count. */
export function costOfSmall({ raw }: CapturedEvent): number {
  return OVERHEAD + 3 * raw.body.byteLength;
}

/**
 * Bytes that an event takes besides its raw body, by what of it is text and how many values it has; a rough count. Its
 * long texts are added to `shared` instead.
 */
export function costOf({ payload, meta }: CapturedEvent, shared: SharedTexts): number {
  return OVERHEAD + costOfValue(payload, shared, 0) + costOfValue(meta, shared, 0);
}

function costOfValue(value: unknown, shared: SharedTexts, depth: number): number {
  if (typeof value === "string") return costOfText(value, shared);
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return 0;
  if (ArrayBuffer.isView(value)) return NODE_BYTES + value.byteLength;
  let bytes = NODE_BYTES;
  for (const key in value) {
    bytes += NODE_BYTES + costOfValue((value as Record<string, unknown>)[key], shared, depth + 1);
  }
  return bytes;
}

function costOfText(text: string, shared: SharedTexts): number {
  if (text.length <= SHORT) return 2 * text.length;
  const seen = shared.seen ??= new Set();
  if (seen.has(text)) return 0;
  seen.add(text);
  // V8 keeps a text in one byte a character where nothing of it is beyond Latin-1.
  shared.bytes += /[^\0-\xff]/.test(text) ? 2 * text.length : text.length;
  return 0;
}
