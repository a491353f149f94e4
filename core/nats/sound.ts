/**
 * Checks that the content of a message has the form that instances write. Any publisher of the
 * stream may send anything, and an event without one of its members would break every list that
 * contains it.
 *
 * @module
 */
import type { BlobRef } from "../blobs/blob.ts";
import { isJsonObject } from "../codec/json_lenient.ts";
import type { LogRecord } from "../events/log.ts";
import type { EncodedEvent } from "../persist/event_record.ts";

/** A record that removes events. */
export type Removal = Exclude<LogRecord, { kind: "captured" } | { kind: "restored" }>;

/** Description of the events in a parcel. */
export interface ParcelHeader {
  readonly kind: "captured" | "restored";
  readonly ids: readonly string[];
  readonly ms: readonly number[];
  /** Returns which of the bodies each event has. */
  readonly bodyOf: readonly number[];
  readonly sizes: readonly number[];
  readonly refs: readonly BlobRef[];
  readonly events: readonly EncodedEvent[];
}

type Given = Readonly<Record<string, unknown>>;

/** Ids of events and blobs; others could not be found by their URL. */
const ID = /^[\w-]{1,100}$/;
/** Latest time that a `Date` can hold, in milliseconds. */
const MAX_MS = 8.64e15;
const PARTS = ["from", "title", "snippet"];
const OF_RAW = ["transport", "peer_addr", "method", "path", "http_version"];

/** Returns whether a header is that of a parcel: lists of equal length that match each other. */
export function isParcel(header: Given): header is Given & ParcelHeader {
  const { kind, ids, ms, bodyOf, sizes, refs, events } = header;
  return (kind === "captured" || kind === "restored") &&
    isListOf(ids, isId) &&
    isListOf(ms, isTime) &&
    isListOf(sizes, isSize) &&
    isListOf(bodyOf, (index) => isSize(index) && index < sizes.length) &&
    isListOf(refs, isRef) &&
    isListOf(events, isEvent) &&
    [ms, bodyOf, events].every(({ length }) => length === ids.length);
}

/** Returns whether a header is a removal. */
export function isRemoval(header: Given): header is Given & Removal {
  const { kind, ids, plugin, upTo, namespace } = header;
  if (kind === "deleted") return isListOf(ids, isText);
  if (kind === "evicted") return isText(plugin) && isText(upTo);
  if (kind === "cleared") return isTextOrAbsent(plugin) && isTextOrAbsent(namespace);
  return kind === "reset";
}

function isEvent(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { received_at, summary_parts: parts, meta, payload, raw, blobs, namespace } = value;
  return [value.plugin, value.provider, value.type, value.summary].every(isText) &&
    isTextOrAbsent(namespace) &&
    isTime(received_at) &&
    isJsonObject(parts) && PARTS.every((name) => isTextOrAbsent(parts[name])) &&
    (parts.to === undefined || isListOf(parts.to, isText)) &&
    isJsonObject(meta) && payload !== undefined &&
    isJsonObject(raw) && isText(raw.transport) && typeof raw.text === "boolean" &&
    OF_RAW.every((name) => isTextOrAbsent(raw[name])) &&
    (raw.headers === undefined || isListOf(raw.headers, isPair)) &&
    isListOf(blobs, isText);
}

function isRef(value: unknown): boolean {
  return isJsonObject(value) && isId(value.id) && isSize(value.size) &&
    isTextOrAbsent(value.filename) && isTextOrAbsent(value.content_type);
}

function isPair(value: unknown): boolean {
  return isListOf(value, isText) && value.length === 2;
}

function isListOf<T>(value: unknown, is: (item: unknown) => item is T): value is readonly T[];
function isListOf(value: unknown, is: (item: unknown) => boolean): value is readonly unknown[];
function isListOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => is(item));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || isText(value);
}

function isId(value: unknown): value is string {
  return isText(value) && ID.test(value);
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= MAX_MS;
}
