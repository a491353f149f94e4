import type { NatsConnection } from "@nats-io/transport-node";
import { reasonOf } from "../errors.ts";
import type { Logger } from "../log.ts";

/** Time without a connection, in milliseconds, after which readers are refused at once. */
const LOST_MS = 1000;
/** Time without an answer after which this instance looks for another server, in milliseconds. */
const SILENT_MS = 2500;
/** Time after which it leaves the server even if the cluster answers, in milliseconds. */
const HOPELESS_MS = 15_000;

/** What a link needs to know of the servers. */
export interface LinkOptions {
  readonly log: Logger;
  /** Whether it is one of several servers. */
  readonly isClustered: boolean;
  /** Resolves if the cluster answers over the connected server. */
  probe(): Promise<unknown>;
}

/**
 * Whether the connection to NATS is there. A server that is cut off from the others of its cluster keeps its connections
 * and answers nothing, so an instance that gets no answers goes to another one.
 */
export class Link {
  readonly #connection: NatsConnection;
  readonly #options: LinkOptions;
  readonly #onBack: ((lostMs: number) => void)[] = [];
  #lostMs: number | undefined;
  /** When the first of the requests began that have no answer, on the monotonic clock. */
  #silentMs: number | undefined;
  #isLooking = false;

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

  /** Calls `handle` with the length of each interruption, in milliseconds, when it is over. */
  onBack(handle: (lostMs: number) => void): void {
    this.#onBack.push(handle);
  }

  /** A request was answered. */
  answered(): void {
    this.#silentMs = undefined;
  }

  /** A request was not answered, or with the news that there is no majority. */
  unanswered(): void {
    const nowMs = performance.now();
    this.#silentMs ??= nowMs;
    if (!this.isConnected || this.isClosed) return this.answered();
    if (!this.#options.isClustered) return;
    if (this.#isLooking || nowMs - this.#silentMs < SILENT_MS) return;
    this.#isLooking = true;
    this.#look(nowMs - this.#silentMs).finally(() => this.#isLooking = false);
  }

  /** The leader of one stream may be in election while the cluster answers; other servers would not help. */
  async #look(silentMs: number): Promise<void> {
    try {
      if (silentMs < HOPELESS_MS) return void await this.#options.probe();
    } catch (error) {
      // It may have answered meanwhile, or be gone.
      if (this.#silentMs === undefined || !this.isConnected || this.isClosed) return;
      this.#options.log.debug("The cluster does not answer", { reason: reasonOf(error) });
    }
    this.answered();
    this.#options.log.warn("NATS does not answer: this instance tries another server", {
      server: this.#connection.getServer(),
    });
    await this.#connection.reconnect().catch(() => {});
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
      this.answered();
      this.#lostMs = undefined;
      for (const handle of this.#onBack) handle(lostMs);
    }
  }
}
