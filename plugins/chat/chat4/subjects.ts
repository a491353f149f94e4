/** Future captures of a call, for fault rules. */
import type { FaultSubject, IngressCall } from "../../../core/plugin.ts";
import { Refused } from "../../../core/result.ts";
import { toFaultSubject } from "../capture.ts";
import { readParams } from "./params.ts";
import { SENDING } from "./request.ts";
import { draftOf } from "./send.ts";

export async function subjectsOf(call: IngressCall): Promise<readonly Omit<FaultSubject, "raw">[]> {
  const method = (call.params.method ?? "").toLowerCase();
  if (!SENDING.includes(method) && method !== "sendmediagroup") return [];
  try {
    return [toFaultSubject(draftOf({ method, params: await readParams(call) }))];
  } catch (error) {
    // Unreadable: the usual refusal is more helpful than a fault.
    if (error instanceof Refused) return [];
    throw error;
  }
}
