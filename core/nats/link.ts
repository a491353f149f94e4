import type { NatsConnection } from "@nats-io/transport-node";
import type { Logger } from "../log.ts";

/** Time without a connection, in milliseconds, after which readers are refused at once. */
const LOST_MS = 1000;

/** Whether the connection to NATS is there. */
export class Link {
  readonly #connection: NatsConnection;
  readonly #onBack: ((lostMs: number) => void)[] = [];
  #lostMs: number | undefined;

  constructor(connection: NatsConnection, log: Logger) {
    this.#connection = connection;
    this.#watch(log);
  }

  get isConnected(): boolean {
    return this.#lostMs === undefined;
  }

  /** Whether it has been lost for longer than a change of servers takes. */
  get isLost(): boolean {
    return this.#lostMs !== undefined && performance.now() - this.#lostMs > LOST_MS;
  }

  /** Whether this service has closed it. */
  get isClosed(): boolean {
    return this.#connection.isClosed();
  }

  /** Calls `handle` with the length of each interruption, in milliseconds, when it is over. */
  onBack(handle: (lostMs: number) => void): void {
    this.#onBack.push(handle);
  }

  async #watch(log: Logger): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === "disconnect") {
        this.#lostMs ??= performance.now();
        log.warn("The connection to NATS is lost: nothing is captured until it is back");
      }
      if (type !== "reconnect" || this.#lostMs === undefined) continue;
      log.info("Connected to NATS again", { server: this.#connection.getServer() });
      const lostMs = performance.now() - this.#lostMs;
      this.#lostMs = undefined;
      for (const handle of this.#onBack) handle(lostMs);
    }
  }
}
