/** What a call would capture, for fault rules. */
import type { FaultSubject, FaultyCall, IngressCall } from "../../../core/plugin.ts";
import { type SmsState, toFaultSubject } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { optedOut } from "./refusals.ts";
import { refuse } from "./reply.ts";
import { type Publication, readAction, readBatch, readPublish } from "./request.ts";

export function subjectsOf(call: IngressCall): readonly Omit<FaultSubject, "raw">[] {
  return publicationsOf(call).map(({ draft }) => toFaultSubject(draft));
}

/** Refuses the first recipient of the call. */
export function refuseOptedOut({ call, env }: FaultyCall<typeof OPTIONS, SmsState>): Response {
  return refuse(optedOut(publicationsOf(call)[0]?.draft.to ?? ""), env.ctx.uuid());
}

function publicationsOf({ body }: IngressCall): readonly Publication[] {
  const asked = readAction(body);
  if (!asked.ok) return [];
  const { action, form } = asked.value;
  if (action === "Publish") {
    const read = readPublish(form);
    return read.ok ? [read.value] : [];
  }
  const entries = action === "PublishBatch" ? readBatch(form) : undefined;
  if (!entries?.ok) return [];
  return entries.value.flatMap(({ publication }) => publication.ok ? [publication.value] : []);
}
