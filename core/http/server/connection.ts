import type { ClientCertificate } from "../../events/event.ts";
import type { NewRejected } from "../../events/journal.ts";
import type { Disturbance } from "../../faults/outcome.ts";
import type { Logger } from "../../log.ts";
import { addressOf } from "../../net/address.ts";
import { disturbWrites } from "../../net/disturbed.ts";
import { closeQuietly, isGone, writeAll } from "../../net/socket.ts";
import type { ByteConn } from "../../net/socket_conn.ts";
import { within } from "../../net/within.ts";
import { classify, type FirstBytes } from "./classify.ts";
import { Http1Connection, type Http1Context } from "./http1/connection.ts";
import { Http2Connection, type Http2Context } from "./http2/connection.ts";
import { TlsConnection, type TlsContext } from "./tls/connection.ts";
import type { ConnectionFacts, Served, Stage, Wire } from "./wire/wire.ts";
import type { HeadRoom } from "./wire/head_room.ts";
import { Input } from "./wire/input.ts";
import type { FrontLimits } from "./wire/limits.ts";

/** Environment of a connection. */
export interface ConnectionContext {
  readonly limits: FrontLimits;
  readonly log: Logger;
  readonly headRoom?: HeadRoom | undefined;
  onRefused(record: NewRejected): void;
  readonly http1: Http1Context;
  readonly http2: Http2Context;
  readonly tls: TlsContext;
}

/** The connection that carries another inside TLS. */
export interface TlsOuter {
  readonly facts: ConnectionFacts;
  readonly certificate: ClientCertificate | undefined;
}

/** How long the end of a connection that a fault closes may take. */
const GOODBYE_MS = 1000;
/** Bytes recorded of a refused request. */
const RAW_BYTES = 65_536;

/** One client connection, served by the protocol that its first bytes show. */
export class Connection implements Served {
  readonly #conn: ByteConn;
  readonly #context: ConnectionContext;
  readonly #wire: Wire & { conn: ByteConn };
  readonly #cut = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #stage: Stage | undefined;
  #finishing = false;
  /** Start of the wait for its first bytes, by `performance.now()`. */
  #sinceMs = performance.now();

  constructor(conn: ByteConn, context: ConnectionContext, outer?: TlsOuter) {
    this.#conn = conn;
    this.#context = context;
    this.#wire = {
      conn,
      input: new Input(conn, context.headRoom),
      facts: {
        peer: outer?.facts.peer ?? addressOf(conn.remoteAddr),
        local: outer?.facts.local ?? addressOf(conn.localAddr),
        tls: outer !== undefined,
        clientCertificate: outer?.certificate,
        gone: this.#cut.signal,
        disturb: (what) => this.#disturb(what, outer?.facts),
      },
      cut: () => this.abort(),
      fail: (error) => this.#fail(error),
      note: (record) => this.#note(record),
    };
  }

  /** Once it is cut, it does not wait for a handler that never answers. */
  async run(): Promise<void> {
    this.#serve().catch((error) => this.#fail(error)).finally(() => this.abort());
    await this.#ended.promise;
  }

  abort(): void {
    if (this.#cut.signal.aborted) return;
    this.#cut.abort();
    closeQuietly(this.#conn);
    this.#wire.input.release();
    this.#ended.resolve();
  }

  #disturb(what: Disturbance, outer: ConnectionFacts | undefined): void {
    if (what.kind === "slow" || what.kind === "truncate") {
      const conn = this.#conn;
      const { write } = disturbWrites((bytes) => conn.write(bytes), what, {
        gone: this.#cut.signal,
        cut: () => this.abort(),
      });
      this.#wire.conn = {
        localAddr: conn.localAddr,
        remoteAddr: conn.remoteAddr,
        read: (into) => conn.read(into),
        write,
        closeWrite: () => conn.closeWrite(),
        close: () => conn.close(),
      };
      return;
    }
    const farewell = this.#stage?.farewell?.(what.kind);
    if (what.kind === "close" || farewell !== undefined) {
      within(this.#close(farewell), GOODBYE_MS, "Nothing was taken").catch(() => {})
        .finally(() => this.abort());
      return;
    }
    // Inside TLS, only the connection around it can be reset.
    if (outer !== undefined) outer.disturb(what);
    else this.#conn.reset?.();
    this.abort();
  }

  /** TLS sends close_notify first, if the client still reads. */
  async #close(farewell: Uint8Array | undefined): Promise<void> {
    if (farewell !== undefined) await writeAll(this.#conn, farewell);
    await this.#conn.closeWrite();
  }

  finish(): void {
    this.#finishing = true;
    if (this.#stage === undefined || this.#stage.finish()) this.abort();
  }

  sweep(now: number): void {
    const isOver = this.#stage?.sweep(now) ?? now - this.#sinceMs > this.#context.limits.headMs;
    if (isOver) this.abort();
  }

  async #serve(): Promise<void> {
    for (;;) {
      const protocol = await this.#classify();
      if (protocol === undefined) return;
      this.#stage = this.#stageOf(protocol);
      if (this.#finishing && this.#stage.finish()) return;
      if (await this.#stage.serve() === "ended") return;
      this.#stage = undefined;
      this.#sinceMs = performance.now();
    }
  }

  /** Returns the protocol of the client; `undefined` if the connection ends before it is known. */
  async #classify(): Promise<FirstBytes | undefined> {
    const { input } = this.#wire;
    for (;;) {
      const protocol = input.length === 0 ? "undecided" : classify(input.held);
      if (protocol !== "undecided") return protocol;
      if (await input.fill()) continue;
      if (input.length > 0) {
        const reason = "Cannot read a request: the client ended it inside its head";
        this.#note({ reason, raw: input.held });
      }
      return undefined;
    }
  }

  #stageOf(protocol: FirstBytes): Stage {
    const { http1, http2, tls } = this.#context;
    switch (protocol) {
      case "tls":
        return new TlsConnection(this.#wire, tls);
      case "http2":
        return new Http2Connection(this.#wire, http2);
      default:
        return new Http1Connection(this.#wire, http1, this.#sinceMs);
    }
  }

  #note({ raw, ...record }: Omit<NewRejected, "peer">): void {
    const { peer } = this.#wire.facts;
    this.#context.onRefused({ peer, ...record, raw: raw.subarray(0, RAW_BYTES) });
  }

  #fail(error: unknown): void {
    if (this.#cut.signal.aborted) return;
    const level = isGone(error) ? "debug" : "error";
    this.#context.log[level]("Cannot continue a connection", {
      peer: this.#wire.facts.peer,
      error,
    });
    this.abort();
  }
}
