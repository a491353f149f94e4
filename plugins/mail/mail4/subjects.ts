/** What a call would capture, for fault rules. */
import type { FaultSubject, FaultyCall, IngressCall } from "../../../core/plugin.ts";
import { type MailState, recipientsOf } from "../capture.ts";
import { toFaultSubjects } from "../fault_subject.ts";
import { bulkDraftsOf } from "./bulk.ts";
import type { Env, OPTIONS } from "./options.ts";
import { inactive } from "./refusals.ts";
import { answer, refuse, toRefused } from "./reply.ts";
import { draftsOf, readEmails } from "./send.ts";
import type { Store } from "./store.ts";

export async function subjectsOf(
  call: IngressCall,
  env: Env,
): Promise<readonly Omit<FaultSubject, "raw">[]> {
  const drafts = isBulk(call) ? bulkDraftsOf(call, env) : draftsOf(call, env);
  return await toFaultSubjects(drafts);
}

/** Refuses every recipient of the call. */
export function refuseInactive(
  { call, env }: FaultyCall<typeof OPTIONS, MailState, Store>,
): Response {
  if (isBulk(call)) {
    return refuse(inactive([...bulkDraftsOf(call, env)].flatMap(recipientsOf)));
  }
  const requests = readEmails(call, env);
  const lists = requests.ok
    ? requests.value.map((one) => one.ok ? recipientsOf(one.value.draft) : [])
    : [[]];
  const refusals = lists.map(inactive);
  return call.path.includes("/batch") ? answer(refusals.map(toRefused)) : refuse(refusals[0]!);
}

function isBulk({ path }: Pick<IngressCall, "path">): boolean {
  return /^\/+email\/bulk\b/i.test(path);
}
