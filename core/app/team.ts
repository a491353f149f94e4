import { compact } from "../compact.ts";
import type { Logger } from "../log.ts";
import type { Server } from "../net/server.ts";
import type { Settings } from "../options/settings.ts";
import { PeerPort } from "../peers/port.ts";
import { Team } from "../peers/team.ts";
import type { Endpoint } from "../plugin.ts";
import type { OpenedPlugin } from "./open.ts";

/** Time for a session to report its end before its connection is closed, in milliseconds. */
const CUT_MS = 500;

/** Parts of the service that instances of a team need. */
export interface TeamParts {
  /** Address of this instance as NATS sees it. */
  readonly seen: string | undefined;
  /** Servers that are stopped at the end. */
  readonly servers: Server[];
  /** Addresses of listeners, by plugin and provider. */
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** Servers by their addresses. */
  readonly of: Pick<WeakMap<Endpoint, Server>, "get">;
}

/** Opens the port for other instances when a plugin needs it, and takes part in the choice of its writer. */
export class TeamOpener {
  readonly #settings: Settings;
  readonly #log: Logger;
  readonly #parts: TeamParts;
  #team: Team | undefined;

  constructor(settings: Settings, log: Logger, parts: TeamParts) {
    this.#settings = settings;
    this.#log = log;
    this.#parts = parts;
  }

  /** Throws `ConfigError`. */
  open(): Team {
    return this.#team ??= this.#open();
  }

  /** Once everything listens: finds the instance that writes the state of each plugin. Rejects with `ConfigError`. */
  async elect(opened: readonly OpenedPlugin[]): Promise<void> {
    const { endpoints, of } = this.#parts;
    const name = this.#settings.core.root.instance;
    for (const { plugin, passing } of opened) {
      if (passing === undefined) continue;
      const { team, lease } = passing;
      const own = [...endpoints].filter(([on]) => on.startsWith(`${plugin.id}/`));
      const ports = Object.fromEntries(own.map(([on, { port }]) => [on, port]));
      await lease.start({
        about: () => ({ ...team.address, ports, ...compact({ name }) }),
        onChange: () => {
          // Sessions belong to the state of one writer.
          for (const [, endpoint] of own) of.get(endpoint)?.cut?.({ graceMs: CUT_MS });
        },
      });
    }
  }

  #open(): Team {
    const { storage: { nats }, root } = this.#settings.core;
    const { seen = root.bind, servers } = this.#parts;
    const port = PeerPort.open({
      host: nats.peer_host ?? seen,
      binds: [...new Set([seen, root.bind])],
      port: nats.peer_port,
      log: this.#log,
    });
    servers.push(port);
    return new Team(port, this.#log);
  }
}
