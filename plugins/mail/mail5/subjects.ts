/** Future captures of a call, for fault rules. */
import type { FaultSubject, IngressCall } from "../../../core/plugin.ts";
import { toFaultSubjects } from "../fault_subject.ts";
import type { Env } from "./options.ts";
import { draftsOf } from "./send.ts";

export async function subjectsOf(
  call: IngressCall,
  env: Env,
): Promise<readonly Omit<FaultSubject, "raw">[]> {
  return await toFaultSubjects(await draftsOf(call, env));
}
