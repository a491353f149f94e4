import { compact } from "../compact.ts";
import {
  CORE_OUTCOMES,
  type Fault,
  type FaultSubject,
  reasonFor,
  toDisturbance,
} from "../faults/outcome.ts";
import { untilAborted } from "../faults/pause.ts";
import type { FaultGate } from "../faults/engine.ts";
import { type Answer, dropAnswer } from "../http/answer.ts";
import { presentedCredentials } from "../http/auth.ts";
import type { HttpCall } from "../http/call.ts";
import type { OptionSet } from "../options/spec.ts";
import type {
  IngressCall,
  IngressProvider,
  IngressRoute,
  PluginState,
  RejectedNote,
} from "../plugin.ts";
import type { ReadCall } from "./read_call.ts";
import type { AnyEnv, Recording } from "./recording.ts";

type AnyIngress = IngressProvider<OptionSet, PluginState>;

/** How providers ask for faults. Notes in the journal what is not captured. */
export function asking(
  gate: FaultGate,
  { main, reject }: {
    /** The phase that captures. */
    main: string | undefined;
    reject: (note: RejectedNote) => unknown;
  },
): AnyEnv["fault"] {
  return (phase, subjects, client) => {
    if (!gate.armed) return undefined;
    const given = subjects();
    return gate.ask(phase, given, client).then((fault) => {
      const isCaptured = fault?.after === true || (fault?.captures === true && phase === main);
      if (fault === undefined || isCaptured) return fault;
      const { raw } = given[0] ?? {};
      reject({
        reason: reasonFor(fault),
        ...(raw === undefined ? {} : { raw: raw.body, peer: raw.peer_addr ?? "" }),
      });
      return fault;
    });
  };
}

/** Status of a response that is never sent. */
const NOBODY_STATUS = 503;

/** Answers with a fault if a rule applies, else as the route does. */
export async function handleWithFaults(
  call: ReadCall,
  { http, member: { provider, gate }, route, recording }: {
    http: HttpCall;
    member: { readonly provider: AnyIngress; readonly gate: FaultGate };
    route: IngressRoute<OptionSet, PluginState>;
    recording: Recording;
  },
): Promise<Answer> {
  const { env } = recording;
  const phase = route.method === "GET" ? "read" : "capture";
  const fault = await gate.ask(phase, await subjectsOf(call, provider, env), http);
  if (fault === undefined) return await route.handle(call, env);
  const handle = async (meta: Readonly<Record<string, unknown>> = {}): Promise<Answer> => {
    recording.meta = { fault: fault.name, ...meta };
    call.fault = fault;
    return await route.handle(call, env);
  };
  if (fault.outcome === CORE_OUTCOMES.slow.id || fault.outcome === CORE_OUTCOMES.truncate.id) {
    return await usualAnswer(fault, { http, recording, handle });
  }
  // An outcome that captures must not do so twice.
  if (fault.after && fault.captures !== true) dropAnswer(await handle());
  const note = (status?: number): void => {
    if (recording.captured !== undefined) return;
    env.reject({ reason: reasonFor(fault), ...compact({ status }) });
  };
  const own = provider.faults?.outcomes.find(({ id }) => id === fault.outcome);
  if (own === undefined) {
    note();
    return await noAnswer(fault, { http, stopping: env.ctx.signal });
  }
  // Only the fault is noted, not the vendor's refusal.
  const quiet = { ...env, reject: () => {} };
  const response = await own.answer({ call, with: fault.with, env: quiet, handle });
  note(response.status);
  return response;
}

/** Only the raw request, if the call cannot be parsed or the provider has no `subjects`. */
async function subjectsOf(
  call: IngressCall,
  { faults }: AnyIngress,
  env: AnyEnv,
): Promise<readonly FaultSubject[]> {
  const { raw } = call;
  const read = await faults?.subjects?.(call, env) ?? [];
  const presented = presentedCredentials(call.headers);
  if (read.length === 0) return [{ payload: undefined, raw, meta: { ...presented } }];
  return read.map((one) => ({ ...one, raw, meta: { ...presented, ...one.meta } }));
}

/** The usual response, over a bad network. */
async function usualAnswer(
  fault: Fault,
  { http, recording, handle }: {
    http: HttpCall;
    recording: Recording;
    handle: () => Promise<Answer>;
  },
): Promise<Answer> {
  const response = await handle();
  if (recording.captured === undefined) recording.env.reject({ reason: reasonFor(fault) });
  response.headers.set("connection", "close");
  http.disturb(toDisturbance(fault));
  return response;
}

/** Ends the connection without a response. */
async function noAnswer(
  fault: Fault,
  { http, stopping }: { http: HttpCall; stopping: AbortSignal },
): Promise<Answer> {
  const isHanging = fault.outcome === CORE_OUTCOMES.hang.id;
  if (isHanging) await untilAborted(AbortSignal.any([http.gone, stopping]));
  http.disturb(toDisturbance(fault));
  await untilAborted(http.gone);
  return new Response(null, { status: NOBODY_STATUS });
}
