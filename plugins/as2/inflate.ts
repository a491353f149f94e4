/** Decompresses compressed layers: RFC 3274. */
import { createInflate } from "node:zlib";
import { WireError } from "../../core/bytes/decoder.ts";
import { ByteGatherer } from "../../core/bytes/gatherer.ts";
import type { Bytes } from "./cms_crypto.ts";
import { ZLIB_OID } from "./codec/algorithms.ts";
import type { CompressedData } from "./codec/cms.ts";

/** Bytes inflated at a time. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Inflates content. Throws for another algorithm, a broken stream, and content that expands beyond `maxBytes`. Calls
 * `room` before it holds that many bytes, and `waste` for each chunk.
 */
export async function inflate(
  { algorithm, compressed }: CompressedData,
  { maxBytes, room, waste }: {
    maxBytes: number;
    room(bytes: number): Promise<void> | undefined;
    waste(bytes: number): Promise<void> | undefined;
  },
): Promise<Bytes> {
  if (algorithm.oid !== ZLIB_OID) {
    throw new WireError("syntax", `algorithm ${algorithm.oid} is unknown, only zlib is`);
  }
  const gathered = new ByteGatherer(maxBytes);
  const stream = createInflate({ chunkSize: CHUNK_BYTES });
  stream.end(compressed);
  for await (const chunk of stream) {
    if (gathered.length + chunk.length > maxBytes) {
      throw new WireError("limit", `it expands beyond ${maxBytes} bytes`);
    }
    await room(gathered.bytesWith(chunk.length));
    gathered.append(chunk);
    await waste(chunk.length);
  }
  return gathered.take();
}
