/** Future captures of a call, for fault rules. */
import { readJson } from "../../../core/codec/json_lenient.ts";
import type { FaultSubject, IngressCall } from "../../../core/plugin.ts";
import { toFaultSubject } from "../fault_subject.ts";
import type { Env } from "./options.ts";
import { readSend } from "./request.ts";

export function subjectsOf(
  { body, headers }: IngressCall,
  { ctx }: Env,
): readonly Omit<FaultSubject, "raw">[] {
  const contentType = headers.get("content-type");
  const json = readJson(body, contentType);
  const request = json.ok && readSend(json.value, { nowMs: ctx.now().getTime(), contentType });
  if (!request || !request.ok) return [];
  return request.value.messages.map(({ draft }) => toFaultSubject(draft));
}
