/** Calls as text, as they are stored. */
import { decodeBase64, encodeBase64 } from "@std/encoding/base64";
import type { StoredCall } from "./call.ts";

/** Writes a call. */
export function encodeCall(
  { id, owner, call, state, reason, dueMs, attempts, earlier, captured }: StoredCall,
): string {
  const { body, ...rest } = call;
  return JSON.stringify({
    id,
    owner,
    state,
    reason,
    dueMs,
    attempts,
    earlier,
    captured,
    call: { ...rest, body: encodeBase64(body) },
  });
}

/** Reads a call that this program has written. Throws an error for anything else. */
export function decodeCall(text: string): StoredCall {
  const { call, ...stored } = JSON.parse(text);
  const isCall = typeof stored.id === "string" && typeof stored.owner?.on === "string" &&
    typeof stored.state === "string" && Number.isFinite(stored.dueMs) &&
    Array.isArray(stored.attempts) && Array.isArray(stored.captured) &&
    typeof call?.url === "string" && typeof call.name === "string" && Array.isArray(call.headers);
  if (!isCall) throw new RangeError("expected a call as this program stores it");
  return { ...stored, call: { ...call, body: decodeBase64(call.body) } };
}
