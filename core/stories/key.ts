/** Keys that link events to a story. */
import type { CapturedEvent, HeaderPairs } from "../events/event.ts";
import { traceOf } from "../trace_context.ts";

/**
 * Kind of a key, which determines how far apart in time it links events:
 *
 * - `trace`: a W3C trace id; at any distance.
 * - `id`: an id that the sender creates for each flow, such as a Message-ID; at any distance.
 * - `recipient`: a person or device, such as an email address; within a time limit. Two events
 *   with different recipients of the same name are never linked by time alone.
 * - `object`: anything else that recurs, such as a file; within a time limit.
 */
export type StoryKeyKind = "trace" | "id" | "recipient" | "object";

/** A key of an event. Events of a namespace with an equal key belong to one story. */
export interface StoryKey {
  /** Its kind. */
  readonly kind: StoryKeyKind;
  /** Display name of the value, such as `Message-ID`; values with different names never match. */
  readonly name: string;
  /** The value; compared exactly. */
  readonly value: string;
}

/** Maximum number of keys of an event, and of characters of a value; the rest links nothing. */
const MOST_KEYS = 64;
const MOST_CHARACTERS = 512;

/**
 * Header fields with the id of a flow, in lower case, and their display names. `request-id` and
 * `correlation-id` lack the prefix that RFC 6648 deprecates.
 */
const ID_HEADERS: ReadonlyMap<string, string> = new Map([
  ["x-correlation-id", "X-Correlation-ID"],
  ["correlation-id", "X-Correlation-ID"],
  ["x-request-id", "X-Request-ID"],
  ["request-id", "X-Request-ID"],
  ["idempotency-key", "Idempotency-Key"],
]);

const ID_LENGTHS: ReadonlySet<number> = new Set([...ID_HEADERS.keys()].map(({ length }) => length));

/**
 * Returns the keys in the header fields of a request or message: its trace, and ids of its flow.
 */
export function headerKeys(headers: HeaderPairs | undefined): StoryKey[] {
  if (headers === undefined) return [];
  const keys: StoryKey[] = [];
  const trace = traceOf(headers);
  if (trace !== undefined) keys.push({ kind: "trace", name: "traceparent", value: trace.traceId });
  for (const [field, text] of headers) {
    // Most fields do not match, and comparing lengths is cheap.
    const name = ID_LENGTHS.has(field.length) ? ID_HEADERS.get(field.toLowerCase()) : undefined;
    const value = name === undefined ? "" : text.trim();
    if (name !== undefined && value !== "") keys.push({ kind: "id", name, value });
  }
  return keys;
}

/**
 * Returns the keys of an event: those of its request, and `own`, which the plugin finds in the
 * payload.
 */
export function keysOf(event: CapturedEvent, own: readonly StoryKey[]): readonly StoryKey[] {
  const { raw } = event;
  const keys = headerKeys(raw.headers);
  for (const key of own) keys.push(key);
  const { method, path, peer_addr: peer, body } = raw;
  // The events of one request, such as the personalizations of an email.
  if (method !== undefined && path !== undefined && peer !== undefined && body.length > 0) {
    const value = `${peer} ${method} ${path.slice(0, 256)} ${body.length} ${hashOf(body)}`;
    keys.push({ kind: "object", name: "request", value });
  }
  if (keys.length <= MOST_KEYS && keys.every(isUsable)) return keys;
  return keys.filter(isUsable).slice(0, MOST_KEYS);
}

function isUsable({ value }: StoryKey): boolean {
  return value !== "" && value.length <= MOST_CHARACTERS;
}

/** Bytes of a body that are hashed at its beginning, and at its end. */
const HASHED_BYTES = 4096;

/**
 * 32-bit FNV-1a, which distinguishes the bodies of one connection:
 * http://www.isthe.com/chongo/tech/comp/fnv/
 */
function hashOf(body: Uint8Array): string {
  let hash = 0x811c9dc5;
  const head = Math.min(body.length, HASHED_BYTES);
  for (let at = 0; at < head; at++) hash = Math.imul(hash ^ body[at]!, 0x01000193);
  for (let at = Math.max(head, body.length - HASHED_BYTES); at < body.length; at++) {
    hash = Math.imul(hash ^ body[at]!, 0x01000193);
  }
  return (hash >>> 0).toString(16);
}
