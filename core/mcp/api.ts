/** How tools reach the read-back API: within the program, or over HTTP. */
import { shownName } from "../options/suggest.ts";
import { isObject } from "./message.ts";

/** A request to the read-back API. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Under `/api/v1`, with its query. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Its response. */
export interface ApiAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** Whether the body was longer than `MAX_ANSWER_BYTES`. */
  readonly cut: boolean;
}

/** Maximum bytes that are read of a response. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Sends a request. Rejects with an `Error` whose message a model can act on. */
export type Ask = (request: ApiRequest, signal: AbortSignal) => Promise<ApiAnswer>;

/** A tool that cannot do what its caller wants; the message says why. */
export class ToolError extends Error {
  override name = "ToolError";
}

/** The read-back API for one call of a tool. */
export class Api {
  readonly #ask: Ask;
  readonly #signal: AbortSignal;

  constructor(ask: Ask, signal: AbortSignal) {
    this.#ask = ask;
    this.#signal = signal;
  }

  /** Returns the response. Throws `ToolError` for a refusal other than `expected`, and for a response that is too long. */
  async read(request: ApiRequest, expected: readonly number[] = []): Promise<ApiAnswer> {
    const answer = await this.#ask(request, this.#signal);
    if (answer.cut) {
      throw new ToolError(
        `Cannot show this: it is longer than ${MAX_ANSWER_BYTES} bytes; ${request.method} ` +
          `/api/v1${request.path} has all of it`,
      );
    }
    if (answer.status < 400 || expected.includes(answer.status)) return answer;
    const refusal = toJson(answer.body);
    const reason = isObject(refusal) && typeof refusal.error === "string"
      ? refusal.error
      : `the service answered ${answer.status}`;
    throw new ToolError(reason);
  }

  /** As `read`, as JSON; `undefined` for an empty response. */
  async json(request: ApiRequest, expected?: readonly number[]): Promise<unknown> {
    return toJson((await this.read(request, expected)).body);
  }
}

/** Maximum characters of a query, so that once encoded it nearly always fits in the head of a request. */
const MAX_QUERY_CHARACTERS = 16_384;

/** Writes a query; leaves out what has no value. Throws `ToolError` if it is too long for a request. */
export function toQuery(values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  let left = MAX_QUERY_CHARACTERS;
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const text = String(value);
    left -= name.length + text.length;
    if (left < 0) {
      throw new ToolError(
        `Cannot use ${shownName(name)}: it has ${text.length} characters, and all arguments ` +
          `together may have at most ${MAX_QUERY_CHARACTERS}`,
      );
    }
    query.set(name, text);
  }
  return query.size === 0 ? "" : `?${query}`;
}

function toJson(body: Uint8Array): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new ToolError("Cannot read the response of the service: it is not JSON");
  }
}
