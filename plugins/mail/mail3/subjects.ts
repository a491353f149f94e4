/** Future captures of a call, for fault rules. */
import type { FaultSubject, IngressCall } from "../../../core/plugin.ts";
import { toFaultSubject } from "../fault_subject.ts";
import { readBatch, readBody, readEmail, readEntry } from "./request.ts";

export function subjectsOf(call: IngressCall): readonly Omit<FaultSubject, "raw">[] {
  const batch = call.path.endsWith("/batch") ? readBody(call, readBatch) : undefined;
  const read = batch === undefined
    ? [readBody(call, readEmail)]
    : batch.ok
    ? batch.value.map(readEntry)
    : [];
  return read.flatMap((one) => one.ok ? [toFaultSubject(one.value.draft)] : []);
}
