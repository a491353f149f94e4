import { type ByteSource, bytesSource, sourceStream } from "../byte_source.ts";
import type { HeaderPairs } from "../events/event.ts";

/** What a handler answers with. */
export type Answer = Response | ShortAnswer;

/**
 * An answer without a body, whose fields are sent as they are. A `Response` checks and copies each of them several times,
 * which takes a capture longer than reading its request.
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

  /** Whether there is a field of the name. */
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

/** A line break would begin a field of its own (RFC 9110 section 5.5). */
function checkValue(value: string): void {
  if (/[\r\n\0]/.test(value)) throw new TypeError("Cannot send a header field with a line break");
}

/** As the platform has it. */
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
  return response;
}

/** Where the bytes of an answer are; for one reader, who leaves its `body` alone. */
export function sourceOf(response: Response): ByteSource | undefined {
  return sources.get(response);
}
