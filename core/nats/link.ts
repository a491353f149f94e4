import type { NatsConnection } from "@nats-io/transport-node";
import { reasonOf } from "../errors.ts";
import type { Logger } from "../log.ts";

/** Time without a connection, in milliseconds, after which readers are refused at once. */
const LOST_MS = 1000;
/** Time without a response, in milliseconds, after which the cluster is probed. */
const SILENT_MS = 2500;
/** Time without a response, in milliseconds, after which a server is left although the cluster answers the probe. */
const HOPELESS_MS = 15_000;
/** Time limit for leaving a server, in milliseconds. */
const LEAVE_MS = 1000;

/** The part of the client that is not in its interface. */
interface Internals {
  readonly protocol?: { readonly transport?: { close?(error: Error): Promise<void> } };
}

/** Options of a link. */
export interface LinkOptions {
  readonly log: Logger;
  /** Whether there are other servers. */
  readonly isClustered: boolean;
  /** Resolves if the cluster answers through the connected server. */
  probe(): Promise<unknown>;
}

/**
 * State of the connection to NATS. A server that is cut off from the rest of its cluster keeps its connections but
 * answers nothing, so an instance that gets no responses moves to another server.
 */
export class Link {
  readonly #connection: NatsConnection;
  readonly #options: LinkOptions;
  readonly #onBack: ((lostMs: number) => void)[] = [];
  #lostMs: number | undefined;
  /** Time of the first request without a response, on the monotonic clock. */
  #silentMs: number | undefined;
  #isLooking = false;
  #leaving: ReturnType<typeof setTimeout> | undefined;

  constructor(connection: NatsConnection, options: LinkOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#watch(options.log);
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

  /** Calls `handle` after each interruption, with its length in milliseconds. */
  onBack(handle: (lostMs: number) => void): void {
    this.#onBack.push(handle);
  }

  /** A request was answered. */
  answered(): void {
    this.#silentMs = undefined;
  }

  /** A request was not answered, or refused for lack of a majority. */
  unanswered(): void {
    const nowMs = performance.now();
    this.#silentMs ??= nowMs;
    if (!this.isConnected || this.isClosed) return this.answered();
    if (!this.#options.isClustered) return;
    if (this.#isLooking || nowMs - this.#silentMs < SILENT_MS) return;
    this.#isLooking = true;
    this.#look(nowMs - this.#silentMs).finally(() => this.#isLooking = false);
  }

  /** If the cluster answers, only the leader of a stream is being elected: another server would not help. */
  async #look(silentMs: number): Promise<void> {
    try {
      if (silentMs < HOPELESS_MS) return void await this.#options.probe();
    } catch (error) {
      // The state may have changed meanwhile.
      if (this.#silentMs === undefined || !this.isConnected || this.isClosed) return;
      this.#options.log.debug("The cluster does not answer", { reason: reasonOf(error) });
    }
    this.answered();
    this.#options.log.warn("NATS does not answer: moving to another server", {
      server: this.#connection.getServer(),
    });
    await this.#connection.reconnect().catch(() => {});
  }

  async #watch(log: Logger): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === "forceReconnect" || type === "staleConnection") this.#leave();
      if (type === "disconnect") {
        this.#lostMs ??= performance.now();
        log.warn("The connection to NATS is lost: nothing is captured until it is back");
      }
      if (type !== "reconnect" || this.#lostMs === undefined) continue;
      log.info("Connected to NATS again", { server: this.#connection.getServer() });
      const lostMs = performance.now() - this.#lostMs;
      this.answered();
      this.#lostMs = undefined;
      for (const handle of this.#onBack) handle(lostMs);
    }
    clearTimeout(this.#leaving);
  }

  /**
   * Closes the socket of a server that is being left. The client first sends what waits, and a server that is cut off
   * takes nothing: without this it would stay there until the system gives the socket up, after a quarter of an hour.
   */
  #leave(): void {
    const { transport } = (this.#connection as Internals).protocol ?? {};
    clearTimeout(this.#leaving);
    this.#leaving = setTimeout(
      () => void transport?.close?.(new Error("The server accepted no data")),
      LEAVE_MS,
    );
    Deno.unrefTimer(this.#leaving);
  }
}
