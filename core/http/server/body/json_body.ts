import { WireError } from "../../../bytes/decoder.ts";
import { decodeJson } from "../../../codec/json_lenient.ts";
import { jsonWork } from "../../../codec/json_work.ts";
import { ApiError } from "../../../errors.ts";
import type { MemoryLease } from "../../../memory/lease.ts";
import { WORK_FACTOR } from "../../../memory/size.ts";
import type { HttpCall } from "../../call.ts";
import { BodyEncodingError, BodyTooLargeError, readBody } from "./body.ts";

/** Beginning of an error of the decoder, which does not know what it reads. */
const GENERAL = /^Cannot read the body as JSON: /;

/** Memory for reading a JSON body, in bytes: the body, its text and its values. */
export function jsonMemory(body: Uint8Array): number {
  return WORK_FACTOR * body.length + jsonWork(body);
}

/**
 * Reads the JSON body of a read-back route; `what` is named by errors. Rejects with `ApiError` 413 for more than
 * `maxBytes`, and 400 for anything but JSON; with `MemoryFullError` if there is no room for it in time. The lease covers
 * it afterwards.
 */
export async function readJsonBody(
  http: HttpCall,
  { what, maxBytes, lease }: {
    readonly what: string;
    readonly maxBytes: number;
    readonly lease: MemoryLease;
  },
): Promise<unknown> {
  try {
    const body = await readBody(http, { maxBytes, lease });
    await lease.cover(jsonMemory(body));
    return decodeJson(body);
  } catch (error) {
    if (error instanceof BodyTooLargeError) throw new ApiError(413, error.message);
    if (error instanceof WireError || error instanceof BodyEncodingError) {
      const detail = error.message.replace(GENERAL, "");
      throw new ApiError(400, `Cannot read ${what}: ${detail}; expected JSON`);
    }
    throw error;
  }
}
