import { CORE_OUTCOMES, type Fault, toDisturbance } from "../faults/outcome.ts";
import type { Transport } from "./transport.ts";

/** A fault ended the conversation without a reply. */
export class FaultEnd extends Error {
  override name = "FaultEnd";
}

/** Maximum silence of a hanging connection; it counts towards the cap of its listener. */
const HANG_MS = 24 * 60 * 60 * 1000;

/**
 * Applies a network fault to a connection. Resolves if the conversation continues, slowly or until it is cut off.
 * Rejects with `FaultEnd` if it is over: for `hang`, once the client leaves or `signal` aborts.
 */
export async function applyNetworkFault(
  fault: Fault,
  { wire, signal }: { wire: Transport; signal: AbortSignal },
): Promise<void> {
  if (fault.outcome === CORE_OUTCOMES.hang.id) await hang(wire, signal);
  else wire.disturb?.(toDisturbance(fault));
  const goesOn: readonly string[] = [CORE_OUTCOMES.slow.id, CORE_OUTCOMES.truncate.id];
  if (!goesOn.includes(fault.outcome)) throw new FaultEnd();
}

/** Applies it at once, without waiting: the owner of the conversation notices when its connection closes. */
export function disturb(wire: Transport, fault: Fault): void {
  const what = toDisturbance(fault);
  if (what.kind === "close") wire.abort?.();
  else wire.disturb?.(what);
}

/** Returns whether a fault is one of the network. */
export function isOfNetworks({ outcome }: Fault): boolean {
  return Object.hasOwn(CORE_OUTCOMES, outcome);
}

async function hang(wire: Transport, signal: AbortSignal): Promise<void> {
  const end = () => wire.abort?.();
  if (signal.aborted) return;
  signal.addEventListener("abort", end, { once: true });
  try {
    while (await wire.read({ idleMs: HANG_MS, reuse: true }) !== undefined);
  } catch {
    // The client has left, or the service stops.
  } finally {
    signal.removeEventListener("abort", end);
  }
}
