import { CORE_OUTCOMES, type Fault, toDisturbance } from "../faults/outcome.ts";
import type { Transport } from "./transport.ts";

/** A fault ends the conversation without another word. */
export class FaultEnd extends Error {
  override name = "FaultEnd";
}

/** How long a connection that hangs is read without a byte; the cap of its listener counts it. */
const HANG_MS = 24 * 60 * 60 * 1000;

/**
 * Does to a connection what a network fault says. Resolves if the conversation goes on, slowly or until it is cut off.
 * Rejects with `FaultEnd` if it is over: for `hang`, once the client leaves or `signal` aborts.
 */
export async function suffer(
  fault: Fault,
  { wire, signal }: { wire: Transport; signal: AbortSignal },
): Promise<void> {
  if (fault.outcome === CORE_OUTCOMES.hang.id) await hang(wire, signal);
  else wire.disturb?.(toDisturbance(fault));
  const goesOn: readonly string[] = [CORE_OUTCOMES.slow.id, CORE_OUTCOMES.truncate.id];
  if (!goesOn.includes(fault.outcome)) throw new FaultEnd();
}

/** The same, at once, for a conversation that others carry on: a connection that closes ends it. */
export function disturb(wire: Transport, fault: Fault): void {
  const what = toDisturbance(fault);
  if (what.kind === "close") wire.abort?.();
  else wire.disturb?.(what);
}

/** Whether an outcome is a network fault. */
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
