import { type ByteSource, bytesSource, sourceStream } from "../byte_source.ts";
import type { HeaderPairs } from "../events/event.ts";

/** Answer of a handler. */
export type Answer = Response | ShortAnswer;

/**
 * An answer without a body, whose fields are sent as they are. A `Response` checks and copies each of them several
 * times, which takes a capture longer than reading its request.
 */
export class ShortAnswer {
  /** Status code. */
  readonly status: number;
  /** Its fields. */
  readonly headers: ShortHeaders;

  /** Names in lower case. Nothing checks that names and values are what RFC 9110 section 5 allows. */
  constructor(status: number, fields: HeaderPairs) {
    this.status = status;
    this.headers = new ShortHeaders(fields);
  }
}

/** The fields of a short answer. */
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
    const values = this.pairs.filter(([own]) => own === wanted);
    return values.length === 0 ? null : values.map(([, value]) => value).join(", ");
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

/** Gives up the body of an answer that is not sent. */
export function dropAnswer(answer: Answer): void {
  if (answer instanceof ShortAnswer) return;
  const source = sourceOf(answer);
  if (source === undefined) answer.body?.cancel().catch(() => {});
  else source.close();
}

const sources = new WeakMap<Response, ByteSource>();

const held = new WeakMap<Response, number>();

/**
 * What an answer that is made while it is read holds at a time, in bytes: a piece as text, as bytes, and on its way,
 * and what it is made of.
 */
export const LAZY_BYTES = 524_288;

/** Notes how many bytes an answer holds until it has been sent; at most `LAZY_BYTES` are noted unless it is `heavy`. */
export function noteHeld(
  response: Response,
  bytes: number,
  { heavy = false }: { heavy?: boolean } = {},
): Response {
  held.set(response, heavy ? bytes : Math.min(bytes, LAZY_BYTES));
  return response;
}

/** The bytes that an answer holds until it has been sent, as far as they were noted. */
export function heldBytes(answer: Answer): number {
  return answer instanceof ShortAnswer ? 0 : held.get(answer) ?? 0;
}

/** Bytes of a chunk where an answer has to go out as a stream. */
const CHUNK_BYTES = 262_144;

/** An answer of bytes that a listener takes from where they are, if it can, and else as a stream. */
export function sourcedResponse(
  given: ByteSource | Uint8Array<ArrayBuffer>,
  init: ResponseInit,
): Response {
  const isBytes = given instanceof Uint8Array;
  const response = new Response(isBytes ? given : sourceStream(given, CHUNK_BYTES), init);
  sources.set(response, isBytes ? bytesSource(given) : given);
  return noteHeld(response, isBytes ? given.length : given.size);
}

/** Returns the source of an answer's bytes, for one reader, who must not use its `body`. */
export function sourceOf(response: Response): ByteSource | undefined {
  return sources.get(response);
}

/** Names a captured event's page on the answer to the request that made it. */
const EVENT_URL_HEADER = "X-Service-Event-Url";

/** Number of events of the request, if it exceeds the number named in the answer. */
const EVENT_COUNT_HEADER = "X-Service-Event-Count";

/** Most header lines of their own on one answer: Python's http.client and Rust's hyper give up at 100 fields. */
const MAX_LINES = 64;

/** Most octets of event addresses in one answer: Netty accepts a head of 8 KiB, Node one of 16 KiB. */
const MAX_NAMED_BYTES = 7000;

/**
 * Names the captured events on the answer: a header line for each or, when those would be too many for clients, one
 * line with all of them (the same, RFC 9110 section 5.3). One request can make a thousand events; when even that line
 * would be too long it ends early, and `X-Service-Event-Count` tells how many there are.
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

/** Returns the first ones that may be named, at least one; each costs `extra` octets more. */
function fitting(urls: readonly string[], extra: number): readonly string[] {
  let bytes = 0;
  const end = urls.findIndex((url) => (bytes += url.length + extra) > MAX_NAMED_BYTES);
  return end === -1 ? urls : urls.slice(0, Math.max(1, end));
}
