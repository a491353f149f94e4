/** Future captures of a call, for fault rules. */
import type { FaultSubject, IngressCall } from "../../../core/plugin.ts";
import { toFaultSubject } from "../fault_subject.ts";
import { readBatch, readBody, readEmail } from "./request.ts";

export function subjectsOf(call: IngressCall): readonly Omit<FaultSubject, "raw">[] {
  const batch = call.path.endsWith("/batch") ? readBody(call, readBatch) : undefined;
  const read = batch === undefined
    ? [readBody(call, readEmail)]
    : batch.ok
    ? batch.value.map(readEmail)
    : [];
  return read.flatMap((one) => one.ok ? [toFaultSubject(one.value.draft)] : []);
}
