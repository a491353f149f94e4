import type { Input } from "../wire/input.ts";
import { AHEAD_BYTES, AHEAD_MS } from "../wire/limits.ts";
import { expectsContinue, type RequestHead } from "./head.ts";

/**
 * The beginning of a body that is too long to be read, for the record: what comes of it at once, unless the client waits
 * to be asked for it. Nothing where the client ends before that.
 */
export async function readBeginning(
  input: Input,
  { head, bodyBytes }: { readonly head: RequestHead; readonly bodyBytes: number },
): Promise<Uint8Array | undefined> {
  const wanted = expectsContinue(head) ? 0 : Math.min(bodyBytes, AHEAD_BYTES);
  const late = Promise.withResolvers<"late">();
  const timer = setTimeout(() => late.resolve("late"), AHEAD_MS);
  try {
    while (input.length < wanted) {
      const next = await Promise.race([input.fill(), late.promise]);
      if (next === "late") break;
      if (!next) return undefined;
    }
    return input.held.slice(0, wanted);
  } finally {
    clearTimeout(timer);
  }
}
