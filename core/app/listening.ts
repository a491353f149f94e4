import type { Readiness } from "../api/ready.ts";
import { toWriters } from "../api/writers.ts";
import { compact } from "../compact.ts";
import type { EngineState } from "../events/log.ts";
import type { RejectedJournal } from "../events/journal.ts";
import type { Logger } from "../log.ts";
import type { Load, RefusedConnection } from "../net/server.ts";
import type { Endpoint } from "../plugin.ts";
import { type NamedPlugin, placesNamed, providerPlaces } from "../provider_names.ts";

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
): (turned: RefusedConnection) => void {
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
      reason: `Cannot accept more than ${maxConnections} connections on ${listener}: ` +
        `this one was refused${before}`,
      raw: new Uint8Array(),
    });
    log.warn("Cannot accept more connections", { listener, connections, refused });
  };
}

/** Returns the connections for the readiness report; nothing for a listener without connections. */
function toLoad(load: Load | undefined): Partial<Readiness["listeners"][number]> {
  if (load === undefined) return {};
  const { connections, maxConnections, refused } = load;
  const isFull = connections >= maxConnections;
  return { connections, max_connections: maxConnections, at_cap: isFull, refused };
}

/** Returns the address of a provider, which may be named by its vendor. Throws `RangeError` if it does not run. */
export function endpointNamed(
  name: string,
  endpoints: ReadonlyMap<string, Endpoint>,
  plugins: readonly NamedPlugin[],
): Endpoint {
  const [meant] = placesNamed(name, providerPlaces(plugins));
  const whole = meant === undefined ? name : `${meant.plugin}/${meant.id}`;
  const endpoint = endpoints.get(name) ?? endpoints.get(whole);
  if (endpoint !== undefined) return endpoint;
  const running = [...endpoints.keys()].filter((one) => one.includes("/"));
  throw new RangeError(`Cannot find provider "${name}": running are ${running.join(", ")}`);
}

/** Returns the readiness report. */
export function readinessOf(
  status: Readiness["status"],
  { instance, engine, own, endpoints, loadOf }: {
    instance: string | undefined;
    engine: EngineState | undefined;
    /** Listeners of the service itself. */
    own: Readonly<Record<"ui" | "api" | "ingress", Endpoint | undefined>>;
    /** Those of the providers, by provider, and by plugin and provider. */
    endpoints: ReadonlyMap<string, Endpoint>;
    loadOf(endpoint: Endpoint): Load | undefined;
  },
): Readiness {
  // The bare names are the same listeners, and so is the ingress for the providers that share it.
  const providers = [...endpoints].filter(([name, { port }]) =>
    name.includes("/") && port !== own.ingress?.port
  );
  const listeners = [...Object.entries(own), ...providers].flatMap(([name, at]) =>
    at === undefined ? [] : [{ name, url: at.url, ...toLoad(loadOf(at)) }]
  );
  return {
    status,
    ...compact({ instance, silent_seconds: engine?.silentSeconds }),
    ...toWriters(engine),
    listeners,
  };
}
