import type { Disturbance } from "../faults/outcome.ts";
import { HttpOpening } from "../codec/http_opening.ts";
import type { ReadOptions, Sockets, Transport } from "./transport.ts";

/** Time for an HTTP client to take the refusal. */
const FAREWELL_IDLE_MS = 1000;

/** Refusal of an HTTP client by another protocol. */
export interface HttpRefusal {
  /** Sent before the connection is closed. */
  readonly reply?: Uint8Array;
  /** Reports the first data of the client, at most 64 KiB. */
  onHttp(begun: Uint8Array): void;
}

/**
 * Ends a connection that begins with an HTTP request before its reader sees anything: a body could contain commands of
 * this protocol.
 */
export function refusingHttp(wire: Transport, refusal: HttpRefusal): Transport {
  return new HttpRefusingTransport(wire, refusal);
}

class HttpRefusingTransport implements Transport {
  readonly #wire: Transport;
  readonly #refusal: HttpRefusal;
  /** Undefined once the client has shown that it does not speak HTTP. */
  #watched: HttpOpening | undefined = new HttpOpening();

  constructor(wire: Transport, refusal: HttpRefusal) {
    this.#wire = wire;
    this.#refusal = refusal;
  }

  get peer(): string {
    return this.#wire.peer;
  }

  get local(): string {
    return this.#wire.local;
  }

  read(options: ReadOptions): Promise<Uint8Array | undefined> {
    if (this.#watched === undefined) return this.#wire.read(options);
    return this.#readWatched(this.#watched, options);
  }

  write(bytes: Uint8Array, options?: { idleMs?: number }): Promise<void> {
    return this.#wire.write(bytes, options);
  }

  get sockets(): Sockets | undefined {
    return this.#wire.sockets;
  }

  get gone(): AbortSignal | undefined {
    return this.#wire.gone;
  }

  abort(): void {
    this.#wire.abort?.();
  }

  disturb(what: Disturbance): void {
    this.#wire.disturb?.(what);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#wire[Symbol.asyncDispose]();
  }

  async #readWatched(
    watched: HttpOpening,
    options: ReadOptions,
  ): Promise<Uint8Array | undefined> {
    if (watched.opening === "http") return undefined;
    const chunk = await this.#wire.read(options);
    if (chunk === undefined) return undefined;
    const opening = watched.push(chunk);
    if (opening === "other") this.#watched = undefined;
    if (opening !== "http") return chunk;
    this.#refusal.onHttp(watched.begun);
    await this.#sayGoodbye();
    return undefined;
  }

  async #sayGoodbye(): Promise<void> {
    const { reply } = this.#refusal;
    if (reply === undefined) return;
    try {
      await this.#wire.write(reply, { idleMs: FAREWELL_IDLE_MS });
    } catch {
      // Gone before the refusal.
    }
  }
}
