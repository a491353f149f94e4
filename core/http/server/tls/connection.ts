/**
 * TLS: the bytes of a connection are copied to the TLS server on loopback, and the decrypted side is served as a
 * connection.
 *
 * @module
 */
import type { Logger } from "../../../log.ts";
import { closeQuietly, isGone, writeAll } from "../../../net/socket.ts";
import type { Decrypted, TlsTerminator } from "../../../net/tls_terminator.ts";
import { IdleError } from "../../../net/transport.ts";
import { within } from "../../../net/within.ts";
import type { FrontLimits } from "../wire/limits.ts";
import { Pump } from "../wire/pump.ts";
import type { Stage, Wire } from "../wire/wire.ts";

/** Environment of a connection. */
export interface TlsContext {
  readonly limits: FrontLimits;
  readonly log: Logger;
  /** Absent without TLS. */
  readonly terminator?: () => Promise<TlsTerminator>;
  /** Serves the decrypted connection until it ends. */
  serveInner(decrypted: Decrypted, outer: Wire): Promise<void>;
}

const NOTHING = new Uint8Array();
/** A TLS record with the fatal alert "handshake failure" (RFC 8446 section 6.2). */
const ALERT = Uint8Array.of(0x15, 3, 1, 0, 2, 2, 40);

/** One client connection that speaks TLS. */
export class TlsConnection implements Stage {
  readonly #wire: Wire;
  readonly #context: TlsContext;
  #pump: Pump | undefined;
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
      await this.#refuse();
      return "ended";
    }
    const tls = await terminator();
    const { near, far } = await tls.open();
    const { port } = near.localAddr;
    this.#pump = new Pump(this.#wire, {
      limits: this.#context.limits,
      inner: near,
      inward: (bytes) => bytes,
      onPassed: () => {},
      // The handshake can no longer complete, and the server does not always notice.
      onEnd: () => this.#agreed || this.#pump?.drain(),
      // The server closes on some handshakes without an alert.
      farewell: ALERT,
    });
    if (this.#finishing) this.#pump.finish();
    const inner = this.#serveInner(far, () => tls.forget(port));
    if (this.#wire.facts.gone.aborted) closeQuietly(near);
    else await this.#pump.run();
    await inner;
    return "ended";
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

  async #refuse(): Promise<void> {
    const { input, conn } = this.#wire;
    this.#wire.note({
      reason: "Cannot accept TLS: it is turned off on this port; use an http:// address",
      raw: input.held,
    });
    this.#lingerEndMs = performance.now() + this.#context.limits.lingerMs;
    await writeAll(conn, ALERT);
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
      raw: NOTHING,
    });
  }
}
