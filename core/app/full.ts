import type { Readiness } from "../api/ready.ts";
import { compact } from "../compact.ts";
import type { RejectedJournal } from "../events/journal.ts";
import type { Logger } from "../log.ts";
import type { Load, TurnedAway } from "../net/server.ts";

/** How often a full listener is noted: a flood of connections must not push all else out of the journal. */
const NOTE_MS = 60_000;

/** Where a full listener is noted, and which it is. */
export interface FullNotes {
  readonly rejected: RejectedJournal;
  readonly log: Logger;
  /** As `GET /api/v1/ready` names it. */
  readonly listener: string;
  /** Id of its provider, where it has one of its own. */
  readonly provider?: string;
  /** Milliseconds since any moment; a test passes its own. */
  readonly elapsedMs?: () => number;
}

/** Notes the first connection that is turned away, and then one a minute with the number of those in between. */
export function noteFull(
  { rejected, log, listener, provider, elapsedMs = () => performance.now() }: FullNotes,
): (turned: TurnedAway) => void {
  let notedMs = -Infinity;
  let unnoted = 0;
  return ({ peer, connections, maxConnections, refused }) => {
    if (elapsedMs() - notedMs < NOTE_MS) {
      unnoted++;
      return;
    }
    notedMs = elapsedMs();
    const before = unnoted === 0 ? "" : ` after ${unnoted} others`;
    unnoted = 0;
    rejected.add({
      ...compact({ provider }),
      peer,
      reason: `Cannot take more than ${maxConnections} connections on ${listener}: ` +
        `this one was turned away${before}`,
      raw: new Uint8Array(),
    });
    log.warn("Cannot take more connections", { listener, connections, refused });
  };
}

/** As the report on readiness has it; nothing for a listener without connections. */
export function toLoad(load: Load | undefined): Partial<Readiness["listeners"][number]> {
  if (load === undefined) return {};
  const { connections, maxConnections, refused } = load;
  const isFull = connections >= maxConnections;
  return { connections, max_connections: maxConnections, at_cap: isFull, refused };
}
