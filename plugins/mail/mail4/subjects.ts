/** What a call would capture, for fault rules. */
import type { FaultSubject, FaultyCall, IngressCall } from "../../../core/plugin.ts";
import { type MailState, recipientsOf } from "../capture.ts";
import { toFaultSubjects } from "../fault_subject.ts";
import type { Env, OPTIONS } from "./options.ts";
import { inactive } from "./refusals.ts";
import { answer, refuse, toRefused } from "./reply.ts";
import { draftsOf, readEmails } from "./send.ts";
import type { Store } from "./store.ts";

export async function subjectsOf(
  call: IngressCall,
  env: Env,
): Promise<readonly Omit<FaultSubject, "raw">[]> {
  return await toFaultSubjects(draftsOf(call, env));
}

/** Refuses every recipient of the call. */
export function refuseInactive(
  { call, env }: FaultyCall<typeof OPTIONS, MailState, Store>,
): Response {
  const requests = readEmails(call, env);
  const lists = requests.ok
    ? requests.value.map((one) => one.ok ? recipientsOf(one.value.draft) : [])
    : [[]];
  const refusals = lists.map(inactive);
  return call.path.includes("/batch") ? answer(refusals.map(toRefused)) : refuse(refusals[0]!);
}
