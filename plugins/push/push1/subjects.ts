/** Future captures of a call, for fault rules. */
import type { FaultSubject, IngressCall } from "../../../core/plugin.ts";
import { toSubject } from "../capture.ts";
import { readSend } from "./request.ts";

export function subjectsOf(
  { body, headers, params }: IngressCall,
): readonly Omit<FaultSubject, "raw">[] {
  const request = readSend(body, headers.get("content-type"));
  return request.ok ? [toSubject({ ...request.value.draft, app: params.project ?? "" })] : [];
}
