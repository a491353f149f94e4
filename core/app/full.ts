import type { Readiness } from "../api/ready.ts";
import { compact } from "../compact.ts";
import type { RejectedJournal } from "../events/journal.ts";
import type { Logger } from "../log.ts";
import type { Load, TurnedAway } from "../net/server.ts";

/** Interval of records about a full listener, so that a flood of connections does not fill the journal. */
const NOTE_MS = 60_000;

/** The listener, and where to record it. */
export interface FullNotes {
  readonly rejected: RejectedJournal;
  readonly log: Logger;
  /** Name in `GET /api/v1/ready`. */
  readonly listener: string;
  /** Id of its provider, if it has one. */
  readonly provider?: string;
  /** Clock in milliseconds, for tests. */
  readonly elapsedMs?: () => number;
}

/** Records the first refused connection, and then once a minute the number of further ones. */
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

/** Returns the connections for the readiness report; nothing for a listener without connections. */
export function toLoad(load: Load | undefined): Partial<Readiness["listeners"][number]> {
  if (load === undefined) return {};
  const { connections, maxConnections, refused } = load;
  const isFull = connections >= maxConnections;
  return { connections, max_connections: maxConnections, at_cap: isFull, refused };
}
