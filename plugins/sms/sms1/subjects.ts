/** What faults know of a call: its future capture. */
import { WireError } from "../../../core/bytes/decoder.ts";
import { decodeForm } from "../../../core/codec/form.ts";
import type { FaultSubject, FaultyCall, IngressCall } from "../../../core/plugin.ts";
import { type SmsDraft, type SmsState, toFaultSubject } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { identify, notMobile, refuse } from "./reply.ts";
import { readCreate } from "./request.ts";
import type { Store } from "./store.ts";

export function subjectsOf(call: IngressCall): readonly Omit<FaultSubject, "raw">[] {
  const draft = draftOf(call);
  return draft === undefined ? [] : [toFaultSubject(draft)];
}

/** Refuses the recipient of the call. */
export function refuseNotMobile(
  { call, env }: FaultyCall<typeof OPTIONS, SmsState, Store>,
): Response {
  return identify(refuse(notMobile(draftOf(call)?.to ?? "")), env);
}

/** Returns the message to send; `undefined` for other calls, and if it is unreadable. */
function draftOf({ body, path }: IngressCall): SmsDraft | undefined {
  if (!/\/Messages(\.json)?$/.test(path)) return undefined;
  try {
    const request = readCreate(decodeForm(body));
    return request.ok ? request.value.draft : undefined;
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}
