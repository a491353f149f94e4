import { Type } from "@sinclair/typebox";
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

/** A JSON answer, never cached. */
export function json(value: unknown, status = 200, headers: HeadersInit = {}): Response {
  const response = new Response(JSON.stringify(value), { status, headers });
  response.headers.set("content-type", "application/json; charset=utf-8");
  response.headers.set("cache-control", "no-store");
  response.headers.set("x-content-type-options", "nosniff");
  return response;
}

/** `{ "error": message }`. */
export function apiError(status: number, message: string, headers: HeadersInit = {}): Response {
  return json({ error: message }, status, headers);
}

/** 204. */
export function noContent(): Response {
  return new Response(null, { status: 204 });
}
