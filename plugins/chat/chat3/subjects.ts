/** Future captures of a call, for fault rules. */
import type { FaultSubject, IngressCall } from "../../../core/plugin.ts";
import { Refused } from "../../../core/result.ts";
import { toFaultSubject } from "../capture.ts";
import { draftOf } from "./send.ts";

export async function subjectsOf(call: IngressCall): Promise<readonly Omit<FaultSubject, "raw">[]> {
  try {
    const draft = await draftOf(call);
    return draft === undefined ? [] : [toFaultSubject(draft)];
  } catch (error) {
    // Unreadable: the usual refusal is more helpful than a fault.
    if (error instanceof Refused) return [];
    throw error;
  }
}
