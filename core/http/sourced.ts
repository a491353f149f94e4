import { type ByteSource, bytesSource, sourceStream } from "../byte_source.ts";

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
