import type { CapturedEvent } from "./event.ts";

/**
 * Cost of an event besides its raw body and payload, in bytes: an estimate for header fields and bookkeeping. If the raw
 * body is no larger, the payload counts as twice its size and is not inspected.
 */
export const OVERHEAD = 2048;

/** Up to this length, every character of a text counts as two bytes. */
const SHORT = 4096;
/** Cost of a value besides its text, in bytes. */
const NODE_BYTES = 32;
/** Levels of a payload that are inspected: every decoder allows fewer. */
const MAX_DEPTH = 64;

/** Long texts of the events of one request, which share them. */
export interface SharedTexts {
  /** With the number of times that events have each. */
  texts?: Map<string, number>;
  /** Whether the source of their getters is already counted. */
  lazy?: boolean;
  /** Their total cost. */
  bytes: number;
}

/** Cost of an event besides the texts that it shares, and those texts. */
export interface Cost {
  readonly bytes: number;
  readonly texts: readonly string[];
}

/**
 * Returns whether the payload has a text that the raw body is too small for: from a template, or another event.
 * Inspects only members of the payload, and none that are created on access.
 */
export function hasGrown({ payload, raw }: CapturedEvent): boolean {
  if (typeof payload !== "object" || payload === null) return false;
  for (const key in payload) {
    const value: unknown = Object.getOwnPropertyDescriptor(payload, key)?.value;
    if (typeof value === "string" && value.length > OVERHEAD + raw.body.byteLength) return true;
  }
  return false;
}

/** Returns the bytes of the raw body, and of the texts in the payload that are not created on access. */
export function bytesOfEvent({ payload, raw }: CapturedEvent): number {
  let bytes = raw.body.byteLength;
  if (typeof payload !== "object" || payload === null) return bytes;
  for (const key in payload) {
    const value: unknown = Object.getOwnPropertyDescriptor(payload, key)?.value;
    if (typeof value === "string") bytes += value.length;
  }
  return bytes;
}

/** Returns the cost of an event with a small raw body, body included: an estimate. */
export function costOfSmall({ raw }: CapturedEvent): number {
  return OVERHEAD + 3 * raw.body.byteLength;
}

/**
 * Returns the cost of an event besides its raw body, from its texts and its number of values: an estimate. Adds its long
 * texts to `shared` instead, from which `forgetTexts` takes them.
 */
export function costOf({ payload, meta, raw }: CapturedEvent, shared: SharedTexts): Cost {
  const plain = isLazy(payload) ? countLazy(payload, raw.body, shared) : payload;
  const texts: string[] = [];
  const bytes = OVERHEAD + costOfValue(plain, texts, 0) + costOfValue(meta, texts, 0);
  const known = shared.texts ??= new Map();
  for (const text of texts) {
    const holders = known.get(text) ?? 0;
    if (holders === 0) shared.bytes += costOfText(text);
    known.set(text, holders + 1);
  }
  return { bytes, texts };
}

/** Removes the texts of a dropped event from those of its request. */
export function forgetTexts({ texts }: Cost, shared: SharedTexts): void {
  for (const text of texts) {
    const holders = shared.texts?.get(text) ?? 0;
    if (holders > 1) shared.texts?.set(text, holders - 1);
    else if (shared.texts?.delete(text)) shared.bytes -= costOfText(text);
  }
}

/** Returns whether a payload has parts that are created on each access. */
function isLazy(payload: unknown): payload is object {
  if (typeof payload !== "object" || payload === null) return false;
  for (const key in payload) if (isGetter(payload, key)) return true;
  return false;
}

function isGetter(value: object, key: string): boolean {
  return Object.getOwnPropertyDescriptor(value, key)?.get !== undefined;
}

/**
 * Counts the raw body, from which those parts are created and which the events of one request share: inspecting the parts
 * would take tens of times its memory. Returns the other parts.
 */
function countLazy(payload: object, body: Uint8Array, shared: SharedTexts): object {
  if (shared.lazy !== true) {
    shared.lazy = true;
    shared.bytes += 2 * body.byteLength;
  }
  const keys = Object.keys(payload).filter((key) => !isGetter(payload, key));
  return Object.fromEntries(keys.map((key) => [key, Reflect.get(payload, key)]));
}

/** Puts long texts into `texts` instead. */
function costOfValue(value: unknown, texts: string[], depth: number): number {
  if (typeof value === "string") {
    if (value.length <= SHORT) return 2 * value.length;
    texts.push(value);
    return 0;
  }
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return 0;
  if (ArrayBuffer.isView(value)) return NODE_BYTES + value.byteLength;
  let bytes = NODE_BYTES;
  for (const key in value) {
    bytes += NODE_BYTES + costOfValue((value as Record<string, unknown>)[key], texts, depth + 1);
  }
  return bytes;
}

/** V8 stores a text of Latin-1 characters in one byte each. */
function costOfText(text: string): number {
  return /[^\0-\xff]/.test(text) ? 2 * text.length : text.length;
}
