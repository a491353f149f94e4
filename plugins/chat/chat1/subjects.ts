/** Future captures of a call, for fault rules. */
import type { FaultSubject, IngressCall } from "../../../core/plugin.ts";
import { toFaultSubject } from "../capture.ts";
import type { Env } from "./options.ts";
import { draftOf } from "./send.ts";

export async function subjectsOf(
  call: IngressCall,
  env: Env,
): Promise<readonly Omit<FaultSubject, "raw">[]> {
  const draft = await draftOf(call, env);
  return draft === undefined ? [] : [toFaultSubject(draft)];
}
