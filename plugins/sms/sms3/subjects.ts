/** Future captures of a call, for fault rules. */
import type { FaultSubject, IngressCall } from "../../../core/plugin.ts";
import { toFaultSubject } from "../capture.ts";
import { isSmsApi } from "./reply.ts";
import { readMessage, readSms } from "./request.ts";

export function subjectsOf(call: IngressCall): readonly Omit<FaultSubject, "raw">[] {
  const read = isSmsApi(call) ? readSms : readMessage;
  const request = read(call.body, call.headers.get("content-type"));
  return request.ok ? [toFaultSubject(request.value.draft)] : [];
}
