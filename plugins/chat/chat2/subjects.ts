/** Future captures of a call, for fault rules. */
import type { FaultSubject, IngressCall } from "../../../core/plugin.ts";
import { toFaultSubject } from "../capture.ts";
import { readPost, readWorkflow } from "./request.ts";

export function subjectsOf(
  { body, headers, path }: IngressCall,
): readonly Omit<FaultSubject, "raw">[] {
  const reader = path.startsWith("/webhookb2/") ? readPost : readWorkflow;
  const read = reader(body, headers.get("content-type"));
  if (!read.ok) return [];
  const { author, text, contents } = read.value;
  const channel = { id: path };
  return [toFaultSubject({ channel, author: { ...author, bot: true }, text, contents })];
}
