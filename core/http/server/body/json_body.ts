import { WireError } from "../../../bytes/decoder.ts";
import { decodeJson } from "../../../codec/json_lenient.ts";
import { ApiError } from "../../../errors.ts";
import type { HttpCall } from "../../call.ts";
import { BodyEncodingError, BodyTooLargeError, readBody } from "./body.ts";

/**
 * Reads the JSON body of a read-back route; `what` is named by errors. Rejects with `ApiError` 413 for more than
 * `maxBytes`, and 400 for anything but JSON.
 */
export async function readJsonBody(
  http: HttpCall,
  { what, maxBytes }: { readonly what: string; readonly maxBytes: number },
): Promise<unknown> {
  try {
    return decodeJson(await readBody(http, { maxBytes }));
  } catch (error) {
    if (error instanceof BodyTooLargeError) throw new ApiError(413, error.message);
    if (error instanceof WireError || error instanceof BodyEncodingError) {
      throw new ApiError(400, `Cannot read ${what}: ${error.message}; expected JSON`);
    }
    throw error;
  }
}
