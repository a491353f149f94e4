/** What a call would capture, for fault rules. */
import type { FaultSubject, FaultyCall, IngressCall } from "../../../core/plugin.ts";
import type { MailDraft, MailState } from "../capture.ts";
import { toFaultSubjects } from "../fault_subject.ts";
import { signerOf } from "./account.ts";
import { readMessages } from "./actions.ts";
import type { Env, OPTIONS } from "./options.ts";
import { notVerified } from "./refusals.ts";
import { isV2, refuse } from "./reply.ts";
import { readBody, readBulk, readEmail } from "./request.ts";
import { toOutgoing } from "./send.ts";
import type { Store } from "./store.ts";

export async function subjectsOf(
  call: IngressCall,
  env: Env,
): Promise<readonly Omit<FaultSubject, "raw">[]> {
  return await toFaultSubjects(draftsOf(call, env));
}

/** Refuses the sender of the first message. */
export async function refuseSender(
  { call, env }: FaultyCall<typeof OPTIONS, MailState, Store>,
): Promise<Response> {
  const [message] = messagesOf(call);
  const outgoing = message && await toOutgoing(message, { call, env });
  const sender = outgoing?.ok ? outgoing.value.draft.from.email : "";
  const refusal = notVerified([sender], signerOf(call).region);
  return refuse(refusal, { call, requestId: env.ctx.uuid() });
}

function messagesOf(call: IngressCall): ReturnType<typeof readMessages> {
  if (!isV2(call)) return readMessages(call);
  if (call.path.endsWith("/outbound-bulk-emails")) {
    const messages = readBody(call, readBulk);
    return messages.ok ? messages.value : [];
  }
  const message = call.path.endsWith("/outbound-emails") ? readBody(call, readEmail) : undefined;
  return message?.ok ? [message.value] : [];
}

async function* draftsOf(call: IngressCall, env: Env): AsyncIterable<MailDraft> {
  for (const message of messagesOf(call)) {
    const outgoing = await toOutgoing(message, { call, env });
    if (outgoing.ok) yield outgoing.value.draft;
  }
}
