/** Faults of a receiver of HL7 v2 messages: acknowledgment codes of table 0008. */
import { fromLatin1, toLatin1 } from "../../../core/bytes/latin1.ts";
import { applyNetworkFault, isOfNetworks } from "../../../core/net/network_fault.ts";
import type { Transport } from "../../../core/net/transport.ts";
import type { Fault, FaultSubject, ProviderFaults } from "../../../core/plugin.ts";
import {
  answerFor,
  captureFrame,
  type Hl7Env,
  type ReceivedFrame,
  toSubjects,
} from "../capture.ts";

const TABLE = "https://terminology.hl7.org/CodeSystem-v2-0008.html";

/** Outcomes of a message. */
export const FAULTS: ProviderFaults = {
  phases: { capture: "A frame: payload is a message, one subject for each message of a batch" },
  outcomes: [
    { id: "error", about: "Acknowledged with AE: an application error", source: TABLE },
    { id: "reject", about: "Acknowledged with AR: the application rejects it", source: TABLE },
    { id: "silent", about: "No acknowledgement; the connection stays open", source: TABLE },
    {
      id: "wrong_control_id",
      about: "Captured, but acknowledged with AA for another control id in MSA-2",
      captures: true,
      source: TABLE,
    },
  ],
};

/** Returns the messages of a frame. */
export function subjectsOf(received: ReceivedFrame): readonly FaultSubject[] {
  return toSubjects(received);
}

/** The issues that produce the acknowledgement of the outcome. */
const ISSUES = {
  error: { code: "fault", detail: "Application internal error", severity: "error" },
  reject: { code: "rejected", detail: "Message rejected", severity: "error" },
} as const;

/** Returns the response of a fault, without its frame; rejects with `FaultEnd` if the fault ends the connection. */
export async function answerFault(
  fault: Fault,
  { env, received, wire }: { env: Hl7Env; received: ReceivedFrame; wire: Transport },
): Promise<Uint8Array | undefined> {
  const marked: Hl7Env = {
    ...env,
    capture: (event) => env.capture({ ...event, meta: { ...event.meta, fault: fault.name } }),
  };
  if (fault.after) await captureFrame(marked, received);
  if (isOfNetworks(fault)) {
    await applyNetworkFault(fault, { wire, signal: env.ctx.signal });
    return fault.after ? undefined : await captureFrame(marked, received);
  }
  switch (fault.outcome) {
    case "error":
    case "reject":
      return answerFor(env, received.bytes, {
        issue: ISSUES[fault.outcome],
        silent: received.silent,
      });
    case "wrong_control_id": {
      const usual = fault.after
        ? answerFor(env, received.bytes, { issue: WARNING, silent: received.silent })
        : await captureFrame(marked, received);
      return usual && fromLatin1(toLatin1(usual).replace(/(\rMSA.[A-Z]+.)[^\r|]*/, "$1WRONG"));
    }
    default:
      return undefined;
  }
}

const WARNING = { code: "fault", detail: "Acknowledged twice", severity: "warning" } as const;
