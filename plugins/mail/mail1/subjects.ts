/** Future captures of a call, for fault rules. */
import { readJson } from "../../../core/codec/json_lenient.ts";
import type { FaultSubject, IngressCall } from "../../../core/plugin.ts";
import { toFaultSubject } from "../fault_subject.ts";
import { isV3 } from "./reply.ts";
import { type Entry, readSend } from "./request.ts";
import { readSendV3 } from "./request_v3.ts";

export function subjectsOf(call: IngressCall): readonly Omit<FaultSubject, "raw">[] {
  return entriesOf(call).flatMap((entry) => entry.ok ? [toFaultSubject(entry.value.draft)] : []);
}

function entriesOf({ body, headers, path }: IngressCall): readonly Entry[] {
  const json = readJson(body, headers.get("content-type"));
  if (isV3(path)) {
    const request = json.ok ? readSendV3(json.value) : undefined;
    return request?.ok ? request.value : [];
  }
  const request = json.ok ? readSend(json.value) : undefined;
  return request?.ok ? request.value.entries : [];
}
