/** What says that two events belong together. */
import type { CapturedEvent, HeaderPairs } from "../events/event.ts";
import { traceOf } from "../trace_context.ts";

/**
 * Kind of a key, which says how far it reaches:
 *
 * - `trace`: a W3C trace id; however far apart in time.
 * - `id`: an id that its sender makes anew for each flow, such as a Message-ID; however far apart in time.
 * - `recipient`: a person or device, such as an e-mail address; while they are near in time. Two events that name
 *   different ones of the same name never meet by the time alone.
 * - `object`: anything else that recurs, such as a file; while they are near in time.
 */
export type StoryKeyKind = "trace" | "id" | "recipient" | "object";

/** One key of an event. Events of a namespace with an equal key are of one story. */
export interface StoryKey {
  /** How far it reaches. */
  readonly kind: StoryKeyKind;
  /** What the value is, for people, such as `Message-ID`: values of different names differ. */
  readonly name: string;
  /** The value; compared exactly. */
  readonly value: string;
}

/** Most keys of an event, and most characters of a value: what is beyond links nothing. */
const MOST_KEYS = 64;
const MOST_CHARACTERS = 512;

/**
 * Header fields with an id of a flow, in lower case, and how each is called. `request-id` and `correlation-id` are the
 * same without the prefix that RFC 6648 advises against.
 */
const ID_HEADERS: ReadonlyMap<string, string> = new Map([
  ["x-correlation-id", "X-Correlation-ID"],
  ["correlation-id", "X-Correlation-ID"],
  ["x-request-id", "X-Request-ID"],
  ["request-id", "X-Request-ID"],
  ["idempotency-key", "Idempotency-Key"],
]);

const ID_LENGTHS: ReadonlySet<number> = new Set([...ID_HEADERS.keys()].map(({ length }) => length));

/** Returns the keys in header fields of a request or message: its trace, and the ids of its flow. */
export function headerKeys(headers: HeaderPairs | undefined): StoryKey[] {
  if (headers === undefined) return [];
  const keys: StoryKey[] = [];
  const trace = traceOf(headers);
  if (trace !== undefined) keys.push({ kind: "trace", name: "traceparent", value: trace.traceId });
  for (const [field, text] of headers) {
    // Most fields are none of these, and to compare lengths costs nothing.
    const name = ID_LENGTHS.has(field.length) ? ID_HEADERS.get(field.toLowerCase()) : undefined;
    const value = name === undefined ? "" : text.trim();
    if (name !== undefined && value !== "") keys.push({ kind: "id", name, value });
  }
  return keys;
}

/** Returns the keys of an event: those of its request, and `own`, which its plugin finds in its payload. */
export function keysOf(event: CapturedEvent, own: readonly StoryKey[]): readonly StoryKey[] {
  const { raw } = event;
  const keys = headerKeys(raw.headers);
  for (const key of own) keys.push(key);
  const { method, path, peer_addr: peer, body } = raw;
  // The events of one request, such as the personalizations of a mail.
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

/** FNV-1a of 32 bits, for telling bodies of one connection apart: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(body: Uint8Array): string {
  let hash = 0x811c9dc5;
  const head = Math.min(body.length, HASHED_BYTES);
  for (let at = 0; at < head; at++) hash = Math.imul(hash ^ body[at]!, 0x01000193);
  for (let at = Math.max(head, body.length - HASHED_BYTES); at < body.length; at++) {
    hash = Math.imul(hash ^ body[at]!, 0x01000193);
  }
  return (hash >>> 0).toString(16);
}
