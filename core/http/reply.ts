import { isLong, jsonChunks } from "../bytes/json_chunks.ts";
import { LongList } from "../bytes/long_list.ts";
import { Type } from "../shape_type.ts";
import { TimeSlice } from "../time_slice.ts";
import { textSource } from "../byte_source.ts";
import { LAZY_BYTES, noteHeld, sourcedResponse } from "./answer.ts";
import type { ReplyDoc } from "./route.ts";

/** Shape of every refusal under `/api/v1`. */
export const ApiErrorShape = Type.Object({
  error: Type.String({ description: "What was attempted, and why it failed" }),
}, { $id: "api.Error" });

/** For route tables: a response with an `api.Error` body. */
export function errorDoc(about: string): ReplyDoc {
  return { about, content: { "application/json": ApiErrorShape } };
}

/** For route tables: a response without a body. */
export function emptyDoc(about: string): ReplyDoc {
  return { about };
}

/** For route tables: a response of bytes. */
export function bytesDoc(about: string, mediaType = "application/octet-stream"): ReplyDoc {
  return { about, content: { [mediaType]: Type.String({ format: "binary" }) } };
}

/** For route tables: the responses to a request with `Range`. */
export function rangeDocs(mediaType?: string): Readonly<Record<206 | 416, ReplyDoc>> {
  return {
    206: bytesDoc("The requested range", mediaType),
    416: errorDoc("The range lies outside the bytes"),
  };
}

/** Returns a JSON response that is never cached; a long one is written while it is read. */
export function json(value: unknown, status = 200, headers: HeadersInit = {}): Response {
  return asJson(textResponse(jsonBody(value), { status, headers }));
}

/**
 * Returns a JSON response of a provider, like `Response.json`, without the header fields of the API. A
 * long one is written while it is read, and every response counts until it has been sent.
 */
export function vendorJson(value: unknown, init: ResponseInit = {}): Response {
  const body = jsonBody(value);
  const response = textResponse(body, init);
  if (!named(init.headers, "content-type")) {
    response.headers.set("content-type", "application/json");
  }
  return response;
}

function named(headers: HeadersInit | undefined, name: string): boolean {
  return headers !== undefined && new Headers(headers).has(name);
}

/** Returns a response with such a body. A long text is encoded while it is read. */
export function textResponse(body: TextBody, init: ResponseInit): Response {
  if (typeof body !== "string") return noteHeld(new Response(body, init), LAZY_BYTES);
  if (body.length > WHOLE) {
    const source = textSource(body);
    const response = sourcedResponse(source, init);
    response.headers.set("content-length", String(source.size));
    if (!response.headers.has("content-type")) response.headers.set("content-type", TEXT_TYPE);
    return response;
  }
  return noteHeld(new Response(body, init), TEXT_FACTOR * body.length);
}

/** Returns a value as JSON; a long one is written while it is read. */
export function jsonBody(value: unknown): TextBody {
  return isLong(value) ? textBody(jsonChunks(value)) : JSON.stringify(value);
}

function asJson(response: Response): Response {
  response.headers.set("content-type", "application/json; charset=utf-8");
  response.headers.set("cache-control", "no-store");
  response.headers.set("x-content-type-options", "nosniff");
  return response;
}

/** What `Response` assumes for a text: https://fetch.spec.whatwg.org/#concept-bodyinit-extract */
const TEXT_TYPE = "text/plain;charset=UTF-8";
/** Memory per character of a whole text, in bytes: the text and its encoded form. */
const TEXT_FACTOR = 3;
/** Longest response, in characters, that is sent whole, with its length, if it is quick to write. */
const WHOLE = 64 * 1024;
/**
 * Chunk size of a longer response, in characters. A chunk is always written in one go, so that the
 * framing of a short response does not depend on the load of the machine.
 */
const CHUNK_CHARS = 64 * 1024;

/**
 * Returns a JSON array that is never cached. Its items are created while it is read: an unread response holds at most
 * one chunk.
 */
export function jsonList<T>(items: readonly T[], toView: (item: T) => unknown): Response {
  return json(new LongList(items, toView));
}

/** Body of a response: text, or bytes as they are written. */
export type TextBody = string | ReadableStream<Uint8Array<ArrayBuffer>>;

/**
 * Returns a stream that is written while it is read, or the text itself if it is short and quick to
 * write.
 */
export function textBody(chunks: Generator<string>): TextBody {
  const slice = new TimeSlice();
  let ended = false;
  const next = (most: number): string => {
    let text = "";
    while (text.length < most && (text.length < CHUNK_CHARS || !slice.over)) {
      const { value, done } = chunks.next();
      ended = done === true;
      if (ended) break;
      text += value;
    }
    return text;
  };
  let text = next(WHOLE);
  if (ended) return text;
  const encoder = new TextEncoder();
  let writtenMs = performance.now();
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      // The reader may take its time.
      slice.waited(writtenMs);
      if (text === "") {
        if (slice.over) await slice.yieldToEventLoop();
        text = next(CHUNK_CHARS);
      }
      controller.enqueue(encoder.encode(text));
      text = "";
      if (ended) controller.close();
      writtenMs = performance.now();
    },
    cancel: () => void chunks.return(undefined),
  }, { highWaterMark: 0 });
}

/** Seconds until a client may retry after a lack of room: most data in flight is answered by then. */
export const RETRY_AFTER_SECONDS = 5;

/** `{ "error": message }`. */
export function apiError(status: number, message: string, headers: HeadersInit = {}): Response {
  return json({ error: message }, status, headers);
}

/** 204. */
export function noContent(): Response {
  return new Response(null, { status: 204 });
}
