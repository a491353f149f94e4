/**
 * TLS: the bytes of a connection are copied to the TLS server on loopback, and the decrypted side is served as a
 * connection.
 *
 * @module
 */
import { type ClientHello, readClientHello } from "../../../codec/client_hello.ts";
import { MemoryFullError } from "../../../errors.ts";
import type { Logger } from "../../../log.ts";
import type { Memory } from "../../../memory/budget.ts";
import { closeQuietly, isGone, writeAll } from "../../../net/socket.ts";
import type { Decrypted, TlsPassage, TlsTerminator } from "../../../net/tls_terminator.ts";
import { IdleError } from "../../../net/transport.ts";
import { within } from "../../../net/within.ts";
import type { FrontLimits } from "../wire/limits.ts";
import { Pump } from "../wire/pump.ts";
import type { Stage, Wire } from "../wire/wire.ts";

/** Environment of a connection. */
export interface TlsContext {
  readonly limits: FrontLimits;
  readonly log: Logger;
  /** Budget of connections; by default they are not counted. */
  readonly memory: Memory | undefined;
  /** Absent without TLS. */
  readonly terminator?: () => Promise<TlsTerminator>;
  /** Serves the decrypted connection until it ends. */
  serveInner(decrypted: Decrypted, outer: Wire): Promise<void>;
}

/** Bytes that the client's data is passed on in: the TLS server keeps buffers of several times this size. */
const BUFFER_BYTES = 16_384;
const NOTHING = new Uint8Array();
/** Length from which a ClientHello is not searched for its host: most have less than 2 KB. */
const MAX_HELLO_BYTES = 16_384;
const NO_HELLO: ClientHello = { serverName: undefined };
const CUT_OFF = "Cannot agree on TLS: the client ended its side within its ClientHello";
const NO_ROOM =
  "Cannot accept a long ClientHello for now: unfinished heads of requests fill the memory set " +
  "aside for them, a sixteenth of [storage] memory_limit; try again later";
/** Bytes of a connection on both sides of the TLS server whose client sends much that is not read yet: measured. */
const CONNECTION_BYTES = 196_608;
/** TLS records with the fatal alerts "handshake failure" and "internal error" (RFC 8446 section 6.2). */
const ALERT = Uint8Array.of(0x15, 3, 1, 0, 2, 2, 40);
const NO_MEMORY = Uint8Array.of(0x15, 3, 1, 0, 2, 2, 80);

/** One client connection that speaks TLS. */
export class TlsConnection implements Stage {
  readonly #wire: Wire;
  readonly #context: TlsContext;
  #pump: Pump | undefined;
  #gone: Promise<void> | undefined;
  /** Both sides agree on TLS. */
  #agreed = false;
  #finishing = false;
  /** Deadline for a client that is not served. */
  #lingerEndMs = Infinity;

  constructor(wire: Wire, context: TlsContext) {
    this.#wire = wire;
    this.#context = context;
  }

  async serve(): Promise<"ended"> {
    const { terminator } = this.#context;
    // TLS inside TLS is a mistake, which the platform would report as invalid bytes.
    if (terminator === undefined || this.#wire.facts.tls) {
      const reason = "Cannot accept TLS: it is turned off on this port; use an http:// address";
      await this.#refuse(reason, ALERT);
      return "ended";
    }
    const hello = await this.#receiveHello();
    if (hello === undefined) return "ended";
    using lease = this.#context.memory?.lease({ gone: this.#wire.facts.gone });
    try {
      await lease?.cover(CONNECTION_BYTES);
    } catch (error) {
      if (!(error instanceof MemoryFullError)) throw error;
      await this.#refuse(error.message, NO_MEMORY);
      return "ended";
    }
    await this.#carry(await (await terminator()).open(hello.serverName));
    return "ended";
  }

  /**
   * Waits for the whole ClientHello: a client that never completes it holds no more than its bytes. Resolves with nothing
   * if it never comes.
   */
  async #receiveHello(): Promise<ClientHello | undefined> {
    const { input } = this.#wire;
    const { headMs } = this.#context.limits;
    const endMs = performance.now() + headMs;
    for (;;) {
      const hello = readClientHello(input.held);
      if (hello !== undefined) return hello;
      if (input.length >= MAX_HELLO_BYTES) return NO_HELLO;
      if (!input.reserve()) {
        await this.#refuse(NO_ROOM, NO_MEMORY);
        return undefined;
      }
      const leftMs = Math.max(0, endMs - performance.now());
      try {
        const late = `Nothing was received for ${headMs} ms`;
        if (await within(input.fill(), leftMs, late)) continue;
      } catch (error) {
        this.#noteFailure(error);
        this.#wire.cut();
        return undefined;
      }
      await this.#refuse(CUT_OFF, ALERT);
      return undefined;
    }
  }

  async #carry({ near, far, room, forget }: TlsPassage): Promise<void> {
    this.#pump = new Pump(this.#wire, {
      limits: this.#context.limits,
      inner: near,
      inward: (bytes) => bytes,
      inwardBytes: BUFFER_BYTES,
      room: (bytes) => this.#orGone(room?.(bytes)),
      onPassed: () => {},
      // The handshake can no longer complete, and the server does not always notice.
      onEnd: () => this.#agreed || this.#pump?.drain(),
      // The server closes on some handshakes without an alert.
      farewell: ALERT,
    });
    if (this.#finishing) this.#pump.finish();
    const inner = this.#serveInner(far, forget);
    if (this.#wire.facts.gone.aborted) closeQuietly(near);
    else await this.#pump.run();
    await inner;
  }

  /** A client that left is not waited for. */
  #orGone(wait: Promise<void> | undefined): Promise<void> | undefined {
    const { gone } = this.#wire.facts;
    if (wait === undefined || gone.aborted) return undefined;
    this.#gone ??= new Promise((resolve) => gone.addEventListener("abort", () => resolve()));
    return Promise.race([wait, this.#gone]);
  }

  finish(): boolean {
    this.#finishing = true;
    this.#pump?.finish();
    return this.#pump === undefined;
  }

  sweep(now: number): boolean {
    if (now > this.#lingerEndMs) return true;
    const verdict = this.#pump?.sweep(now);
    if (verdict === "unread") {
      const reason = "Cannot continue a request: the client read nothing of its response";
      this.#wire.note({ reason, raw: NOTHING });
      return true;
    }
    if (verdict !== undefined) return verdict === "close";
    return this.#pump !== undefined && this.#pump.quietMs(now) > this.#context.limits.http2IdleMs;
  }

  async #refuse(reason: string, alert: Uint8Array): Promise<void> {
    const { input, conn } = this.#wire;
    if (!this.#wire.facts.gone.aborted) this.#wire.note({ reason, raw: input.held });
    this.#lingerEndMs = performance.now() + this.#context.limits.lingerMs;
    await writeAll(conn, alert);
    await conn.closeWrite();
    do input.skip(input.length); while (await input.fill());
  }

  /**
   * Serves the decrypted connection after the handshake; limits cut a client that does not complete
   * it.
   */
  async #serveInner(far: Promise<Decrypted>, forget: () => void): Promise<void> {
    const { headMs } = this.#context.limits;
    let decrypted: Decrypted;
    try {
      decrypted = await within(far, headMs, `Nothing was received for ${headMs} ms`);
    } catch (error) {
      this.#noteFailure(error);
      forget();
      if (error instanceof IdleError) this.#wire.cut();
      else this.#pump?.drain();
      return;
    }
    this.#agreed = true;
    this.#pump?.goOn();
    await this.#context.serveInner(decrypted, this.#wire);
    this.#pump?.drain();
  }

  #noteFailure(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (isGone(error)) {
      this.#context.log.debug(
        "A client disconnected during its TLS handshake: it may not trust the CA of this service",
        { peer: this.#wire.facts.peer, reason },
      );
      return;
    }
    this.#wire.note({
      reason: `Cannot agree on TLS: ${reason}; the client must trust the CA of this service`,
      raw: this.#wire.input.held,
    });
  }
}
