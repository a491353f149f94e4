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
  /** Whether what their getters read counts already. */
  lazy?: boolean;
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
export function costOf({ payload, meta, raw }: CapturedEvent, shared: SharedTexts): number {
  const plain = isLazy(payload) ? countLazy(payload, raw.body, shared) : payload;
  return OVERHEAD + costOfValue(plain, shared, 0) + costOfValue(meta, shared, 0);
}

/** Whether a payload has parts that are made each time they are looked at. */
function isLazy(payload: unknown): payload is object {
  if (typeof payload !== "object" || payload === null) return false;
  for (const key in payload) if (isGetter(payload, key)) return true;
  return false;
}

function isGetter(value: object, key: string): boolean {
  return Object.getOwnPropertyDescriptor(value, key)?.get !== undefined;
}

/**
 * To look at those parts takes tens of times the memory of what they are made from: the text of the raw body, which the
 * events of one request share. Returns the others.
 */
function countLazy(payload: object, body: Uint8Array, shared: SharedTexts): object {
  if (shared.lazy !== true) {
    shared.lazy = true;
    shared.bytes += 2 * body.byteLength;
  }
  const keys = Object.keys(payload).filter((key) => !isGetter(payload, key));
  return Object.fromEntries(keys.map((key) => [key, Reflect.get(payload, key)]));
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
