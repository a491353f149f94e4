import { type ByteSource, bytesSource, sourceStream } from "../byte_source.ts";
import type { HeaderPairs } from "../events/event.ts";

/** Response of a handler. */
export type Answer = Response | ShortAnswer;

/** What a response waits for before it is sent. */
export interface PendingAnswer {
  /** Resolves when the log has what the response acknowledges; rejects if it cannot store that. */
  readonly kept: Promise<void>;
  /** Returns the response to send in that case; rejects with the error if it is not one of the log. */
  instead(error: unknown): Promise<Answer>;
}

/**
 * A response without a body, whose fields are sent as they are. A `Response` checks and copies each of them several
 * times, which takes a capture longer than reading its request.
 */
export class ShortAnswer {
  /** Status code. */
  readonly status: number;
  /** Its fields. */
  readonly headers: ShortHeaders;
  /**
   * Set by the service while the log does not have what the response acknowledges. Only the connection waits for it,
   * because each async function on the way there would slow a capture down.
   */
  pending: PendingAnswer | undefined;

  /** Names in lower case. Nothing checks that names and values are what RFC 9110 section 5 allows. */
  constructor(status: number, fields: HeaderPairs) {
    this.status = status;
    this.headers = new ShortHeaders(fields);
    this.pending = undefined;
  }
}

/** Resolves with the response to send, once the log has what it acknowledges. */
export async function settledAnswer(answer: Answer): Promise<Answer> {
  if (!(answer instanceof ShortAnswer) || answer.pending === undefined) return answer;
  const { pending } = answer;
  try {
    await pending.kept;
    return answer;
  } catch (error) {
    return await pending.instead(error);
  }
}

/** The fields of a short response. */
export class ShortHeaders implements Pick<Headers, "append" | "get" | "has" | "set"> {
  /** In the order in which they are sent. */
  pairs: (readonly [name: string, value: string])[];

  /** Names in lower case, taken as they are. */
  constructor(fields: HeaderPairs) {
    this.pairs = [...fields];
  }

  /** Adds a field. Throws `TypeError` for a value with a line break. */
  append(name: string, value: string): void {
    checkValue(value);
    this.pairs.push([name.toLowerCase(), value]);
  }

  /** Returns the values of a name, joined by `, `, or `null` without any. */
  get(name: string): string | null {
    const wanted = name.toLowerCase();
    let found: string | null = null;
    for (const pair of this.pairs) {
      if (pair[0] === wanted) found = found === null ? pair[1] : `${found}, ${pair[1]}`;
    }
    return found;
  }

  /** Returns whether a field exists. */
  has(name: string): boolean {
    return this.get(name) !== null;
  }

  /** Replaces the fields of a name. Throws `TypeError` for a value with a line break. */
  set(name: string, value: string): void {
    checkValue(value);
    const wanted = name.toLowerCase();
    this.pairs = [...this.pairs.filter(([own]) => own !== wanted), [wanted, value]];
  }
}

/** A line break would begin another field (RFC 9110 section 5.5). */
function checkValue(value: string): void {
  if (/[\r\n\0]/.test(value)) throw new TypeError("Cannot send a header field with a line break");
}

/** Converts it to the platform's class. */
export function toResponse(answer: Answer): Response {
  if (answer instanceof Response) return answer;
  const headers = answer.headers.pairs.map(([name, value]): [string, string] => [name, value]);
  return new Response(null, { status: answer.status, headers });
}

/** Cancels the body of a response that is not sent. */
export function dropAnswer(answer: Answer): void {
  if (answer instanceof ShortAnswer) return;
  const source = sourceOf(answer);
  if (source === undefined) answer.body?.cancel().catch(() => {});
  else source.close();
}

const sources = new WeakMap<Response, ByteSource>();

const held = new WeakMap<Response, number>();

/**
 * Memory of a response that is generated while it is read, in bytes: one chunk as text, as bytes and
 * in transit, and its source.
 */
export const LAZY_BYTES = 524_288;

/**
 * Records how many bytes a response holds until it is sent; at most `LAZY_BYTES` unless it is
 * `heavy`.
 */
export function noteHeld(
  response: Response,
  bytes: number,
  { heavy = false }: { heavy?: boolean } = {},
): Response {
  held.set(response, heavy ? bytes : Math.min(bytes, LAZY_BYTES));
  return response;
}

/** Returns the recorded number of bytes that a response holds until it is sent. */
export function heldBytes(answer: Answer): number {
  return answer instanceof ShortAnswer ? 0 : held.get(answer) ?? 0;
}

/** Chunk size of a response that must be sent as a stream. */
const CHUNK_BYTES = 262_144;

/**
 * A response whose bytes a listener reads directly from their source if it can, and otherwise as a
 * stream.
 */
export function sourcedResponse(
  given: ByteSource | Uint8Array<ArrayBuffer>,
  init: ResponseInit,
): Response {
  const isBytes = given instanceof Uint8Array;
  const response = new Response(isBytes ? given : sourceStream(given, CHUNK_BYTES), init);
  sources.set(response, isBytes ? bytesSource(given) : given);
  return noteHeld(response, isBytes ? given.length : given.size);
}

/** Returns the source of a response's bytes, for one reader, who must not use its `body`. */
export function sourceOf(response: Response): ByteSource | undefined {
  return sources.get(response);
}

/** Header field with the URL of the event that the request created. */
const EVENT_URL_HEADER = "x-service-event-url";

/** Header field with the number of events, if not all of them are listed. */
const EVENT_COUNT_HEADER = "x-service-event-count";

/**
 * Most separate header lines of one response: Python's http.client and Rust's hyper fail at 100
 * fields.
 */
const MAX_LINES = 64;

/** Maximum octets of event addresses in one response: Netty accepts a head of 8 KiB, Node one of 16 KiB. */
const MAX_NAMED_BYTES = 7000;

/**
 * Lists the captured events in the header: one line each or, if clients would reject so many, one
 * line with all of them (equivalent, RFC 9110 section 5.3). One request can create a thousand
 * events; if that line would be too long it is cut, and `X-Service-Event-Count` has the total.
 */
export function nameEvents(
  headers: Pick<Headers, "append" | "set">,
  urls: readonly string[],
): void {
  if (urls.length === 1) return headers.append(EVENT_URL_HEADER, urls[0]!);
  const perLine = EVENT_URL_HEADER.length + ": \r\n".length;
  const named = fitting(urls, perLine);
  if (named.length === urls.length && urls.length <= MAX_LINES) {
    for (const url of urls) headers.append(EVENT_URL_HEADER, url);
    return;
  }
  const joined = fitting(urls, ", ".length);
  headers.set(EVENT_URL_HEADER, joined.join(", "));
  if (joined.length < urls.length) headers.set(EVENT_COUNT_HEADER, String(urls.length));
}

/** Returns the first events that fit, at least one; each takes `extra` more octets. */
function fitting(urls: readonly string[], extra: number): readonly string[] {
  let bytes = 0;
  const end = urls.findIndex((url) => (bytes += url.length + extra) > MAX_NAMED_BYTES);
  return end === -1 ? urls : urls.slice(0, Math.max(1, end));
}
