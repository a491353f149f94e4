import { reasonOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { WriterAbout } from "../nats/lease.ts";
import type { Server } from "../net/server.ts";
import type { Relay } from "../net/tcp.ts";
import { dial, type PeerAddress } from "./dial.ts";
import type { PeerPort } from "./port.ts";

/** Wait for an instance that serves a new connection, and pause between two attempts, in milliseconds. */
const [PATIENCE_MS, PAUSE_MS] = [3000, 200];

/** The parts of a lease that connections depend on. */
export interface Holding {
  /** Whether this instance writes now. */
  readonly isSelf: boolean;
  /** The other instance that writes. */
  readonly peer: WriterAbout | undefined;
}

/** Passes connections on to the instance that writes their state. */
export class Team {
  readonly #port: PeerPort;
  readonly #log: Logger;

  constructor(port: PeerPort, log: Logger) {
    this.#port = port;
    this.#log = log;
  }

  /** What the others need to reach this instance. */
  get address(): Pick<WriterAbout, "host" | "port" | "key" | "isSealed"> {
    const { hostname: host, ...rest } = this.#port.address;
    return { host, ...rest };
  }

  /** Takes over the connections of a listener that others pass on; `on` is its name on every instance. */
  serve(on: string, { adopting }: Server, holding: Holding): void {
    if (adopting === undefined) return;
    this.#port.serve(on, { server: adopting, isOpen: () => holding.isSelf });
  }

  /** Returns the function that passes on the connections of that listener. */
  relay(on: string, holding: Holding): Relay {
    return {
      open: async ({ peer, local }) => {
        const request = { serve: { on, peer, local, home: this.#port.address } };
        const endMs = performance.now() + PATIENCE_MS;
        let reason = "no instance serves it now";
        for (;;) {
          if (holding.isSelf) return undefined;
          const writer = holding.peer;
          try {
            if (writer !== undefined) return (await dial(toAddress(writer), request)).conn;
          } catch (error) {
            reason = reasonOf(error);
          }
          if (performance.now() >= endMs) break;
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        }
        this.#log.warn("Cannot pass a connection on", { on, reason });
        return undefined;
      },
    };
  }
}

function toAddress({ host: hostname, port, key, isSealed }: WriterAbout): PeerAddress {
  return { hostname, port, key, isSealed };
}
