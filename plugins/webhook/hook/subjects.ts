/** Future captures of a call, for fault rules. */
import type { FaultSubject, IngressCall } from "../../../core/plugin.ts";
import { toSummary } from "../capture.ts";
import { readRequest } from "./request.ts";

export function subjectsOf(call: IngressCall): readonly Omit<FaultSubject, "raw">[] {
  const payload = { ...readRequest(call).request, status: 0 };
  return [{ payload, summary_parts: toSummary(payload) }];
}
