import type { Reply } from "./codec/rpc.ts";
import type { Transport } from "../../../core/net/transport.ts";

/** Replies of up to this size are joined, as many as wait. */
const SMALL_BYTES = 16 * 1024;
const JOINED_BYTES = 64 * 1024;
/** What may wait to be sent, or be worked on, before no more calls are taken. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const MAX_CALLS = 64;
const WRITE_IDLE_MS = 60_000;

/** Sends replies in the order in which they are ready, and says when a client has to wait. */
export class Outbox {
  readonly #wire: Transport;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #calls = 0;
  #sending: Promise<void> | undefined;
  #failure: unknown;
  #eased: PromiseWithResolvers<void> | undefined;

  constructor(wire: Transport) {
    this.#wire = wire;
  }

  /** Resolves when another call may be taken. Rejects when nothing can be sent any more. */
  async room(): Promise<void> {
    while (this.#failure === undefined && this.#isFull()) {
      this.#eased ??= Promise.withResolvers();
      await this.#eased.promise;
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Sends a reply once it is ready. */
  expect(reply: Promise<Reply>): void {
    this.#calls++;
    reply.then((pieces) => this.send(pieces), (error) => this.#fail(error)).finally(() => {
      this.#calls--;
      this.#ease();
    });
  }

  send(reply: Reply): void {
    if (this.#failure !== undefined) return;
    for (const piece of reply) {
      this.#waiting.push(piece);
      this.#waitingBytes += piece.length;
    }
    this.#sending ??= this.#sendAll().catch((error) => this.#fail(error));
  }

  /** Resolves when every reply is on its way, also those that are not ready yet. */
  async end(): Promise<void> {
    while (this.#failure === undefined && (this.#calls > 0 || this.#sending !== undefined)) {
      this.#eased ??= Promise.withResolvers();
      await this.#eased.promise;
    }
  }

  #isFull(): boolean {
    return this.#calls >= MAX_CALLS || this.#waitingBytes >= MAX_WAITING_BYTES;
  }

  async #sendAll(): Promise<void> {
    // What else the chunk at hand brings is answered in the same write.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const bytes = this.#next();
      await this.#wire.write(bytes, { idleMs: WRITE_IDLE_MS });
      this.#waitingBytes -= bytes.length;
      this.#ease();
    }
    this.#sending = undefined;
    this.#ease();
  }

  #next(): Uint8Array {
    const first = this.#waiting[0]!;
    let count = 0;
    let length = 0;
    for (const { length: more } of this.#waiting) {
      if (more > SMALL_BYTES || length + more > JOINED_BYTES) break;
      length += more;
      count++;
    }
    if (count <= 1) {
      this.#waiting.shift();
      return first;
    }
    const joined = new Uint8Array(length);
    let at = 0;
    for (const reply of this.#waiting.splice(0, count)) {
      joined.set(reply, at);
      at += reply.length;
    }
    return joined;
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#waiting = [];
    this.#ease();
  }

  #ease(): void {
    this.#eased?.resolve();
    this.#eased = undefined;
  }
}
