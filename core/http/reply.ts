import { Type } from "@sinclair/typebox";
import { TimeSlice } from "../time_slice.ts";
import type { ReplyDoc } from "./route.ts";

/** Shape of every refusal under `/api/v1`. */
export const ApiErrorShape = Type.Object({ error: Type.String() }, { $id: "api.Error" });

/** For route tables: an answer with an `api.Error` body. */
export function errorDoc(about: string): ReplyDoc {
  return { about, content: { "application/json": ApiErrorShape } };
}

/** For route tables: an answer without a body. */
export function emptyDoc(about: string): ReplyDoc {
  return { about };
}

/** For route tables: an answer of bytes. */
export function bytesDoc(about: string, mediaType = "application/octet-stream"): ReplyDoc {
  return { about, content: { [mediaType]: Type.String({ format: "binary" }) } };
}

/** For route tables: the answers to a `Range` that was asked for. */
export function rangeDocs(mediaType?: string): Readonly<Record<206 | 416, ReplyDoc>> {
  return {
    206: bytesDoc("The range asked for", mediaType),
    416: errorDoc("The range lies outside the bytes"),
  };
}

/** A JSON answer, never cached. */
export function json(value: unknown, status = 200, headers: HeadersInit = {}): Response {
  return asJson(new Response(JSON.stringify(value), { status, headers }));
}

function asJson(response: Response): Response {
  response.headers.set("content-type", "application/json; charset=utf-8");
  response.headers.set("cache-control", "no-store");
  response.headers.set("x-content-type-options", "nosniff");
  return response;
}

/** Characters of a list up to which it is sent in one piece, with its length, where making it is quick. */
const WHOLE_LIST = 1024 * 1024;
/**
 * Characters of each piece of a longer one. However long so many take, they are written in one go: the framing of a short
 * list must not depend on how busy the machine is.
 */
const PIECE = 64 * 1024;

/**
 * A JSON array, never cached. A long one is written while it is read, so that it neither has to fit into one string nor
 * keeps others waiting until all of it is written.
 */
export function jsonList<T>(
  items: readonly T[],
  toView: (item: T) => unknown,
  { status = 200, before = "", after = "" }: {
    status?: number;
    /** What stands around the array: the rest of the object it is in. */
    before?: string;
    after?: string;
  } = {},
): Response {
  let at = 0;
  const slice = new TimeSlice();
  const next = (most: number): string => {
    let text = at === 0 ? `${before}[` : "";
    for (; at < items.length && text.length < most && (text.length < PIECE || !slice.over); at++) {
      text += `${at === 0 ? "" : ","}${JSON.stringify(toView(items[at]!))}`;
    }
    return at < items.length ? text : `${text}]${after}`;
  };
  const first = next(WHOLE_LIST);
  if (at >= items.length) return asJson(new Response(first, { status }));
  const encoder = new TextEncoder();
  const rest = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(encoder.encode(first)),
    async pull(controller) {
      if (slice.over) await slice.giveWay();
      controller.enqueue(encoder.encode(next(PIECE)));
      if (at >= items.length) controller.close();
    },
  });
  return asJson(new Response(rest, { status }));
}

/** `{ "error": message }`. */
export function apiError(status: number, message: string, headers: HeadersInit = {}): Response {
  return json({ error: message }, status, headers);
}

/** 204. */
export function noContent(): Response {
  return new Response(null, { status: 204 });
}
