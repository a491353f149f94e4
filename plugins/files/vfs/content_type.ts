import { typeByExtension } from "@std/media-types/type-by-extension";
import { isText } from "../../../core/bytes/text.ts";

const TEXT = "text/plain; charset=utf-8";
const BINARY = "application/octet-stream";
/** Longest incomplete UTF-8 character that a cut can leave. */
const MAX_CUT = 3;

/** Returns the media type of a file: by its extension, else text or binary by its first bytes. */
export function contentTypeOf(name: string, beginning: Uint8Array): string {
  const dot = name.lastIndexOf(".");
  const known = dot < 0 ? undefined : typeByExtension(name.slice(dot + 1));
  if (known !== undefined) return known;
  for (let cut = 0; cut <= Math.min(MAX_CUT, beginning.length); cut++) {
    if (isText(beginning.subarray(0, beginning.length - cut))) return TEXT;
  }
  return BINARY;
}
