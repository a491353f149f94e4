/** Faults of the file protocols whose requests are numbered messages rather than lines. */
import { compact } from "../../core/compact.ts";
import type { Fault, FaultOutcome, FaultSubject, ProviderFaults } from "../../core/plugin.ts";
import type { Actor } from "./record.ts";

/** Phase of a request. */
export type FilePhase = "capture" | "read";

/** The known parts of a request. */
export interface FileAsk {
  /** Operation, in the words of the protocol. */
  readonly operation: string;
  readonly path?: string | undefined;
  readonly user?: string | undefined;
}

/** An outcome that is a status of the protocol. */
export interface StatusOutcome<S> extends FaultOutcome {
  readonly status: S;
  readonly text: string;
}

/**
 * Creates the phases of a protocol, and outcomes that are statuses: `[id, text, status, phases]`.
 */
export function statusFaults<S extends number | string>(
  about: { changes: string; asks: string; source: string },
  outcomes: readonly (readonly [id: string, text: string, status: S, phases?: FilePhase[]])[],
): ProviderFaults<StatusOutcome<S>> {
  return {
    phases: {
      capture: `${about.changes}, before anything changes: payload has operation, path and user`,
      read: `${about.asks}: the same payload`,
    },
    outcomes: outcomes.map(([id, text, status, phases]) => ({
      ...{ id, text, status, source: about.source },
      about: `${status}: ${text}`,
      ...compact({ phases }),
    })),
  };
}

/** Returns the subject of a request, which conditions of rules match. */
export function toSubject(
  payload: FileAsk,
  { transport, peer }: { transport: FaultSubject["raw"]["transport"]; peer: string },
): FaultSubject {
  const { operation, path, user } = payload;
  return {
    payload,
    raw: {
      transport,
      text: true,
      body: new TextEncoder().encode(path === undefined ? operation : `${operation} ${path}`),
      peer_addr: peer,
    },
    summary_parts: { ...compact({ from: user }), to: path === undefined ? [] : [path] },
  };
}

/** Returns the same environment, but its events name the fault. */
export function marked<A extends Actor>(actor: A, { name }: Fault): A {
  return { ...actor, meta: { ...actor.meta, fault: name } };
}
