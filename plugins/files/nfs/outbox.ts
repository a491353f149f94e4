import type { Reply } from "./codec/rpc.ts";
import type { Transport } from "../../../core/net/transport.ts";

/** Pieces of up to this size are copied, to be sent together; longer ones must stay as they are until they are. */
export const COPIED_BYTES = 16 * 1024;
/** Room for joined pieces: at first, and to what it grows. */
const [FIRST_BYTES, JOINED_BYTES] = [1024, 64 * 1024] as const;
/** What may wait to be sent, or be worked on, before no more calls are taken. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const MAX_CALLS = 64;
const WRITE_IDLE_MS = 60_000;

/** Sends replies in the order in which they are ready, and says when a client has to wait. */
export class Outbox {
  readonly #wire: Transport;
  /** What waits: pieces as they are, and behind them those that were joined. */
  readonly #pieces: Uint8Array[] = [];
  #joined = new Uint8Array(FIRST_BYTES);
  #joinedBytes = 0;
  /** Of the write under way, if it is of joined pieces: the room for the next ones. */
  #lent: Uint8Array<ArrayBuffer> | undefined;
  #spare: Uint8Array<ArrayBuffer> | undefined;
  #waitingBytes = 0;
  #writingBytes = 0;
  #calls = 0;
  #failure: unknown;
  #eased: PromiseWithResolvers<void> | undefined;

  constructor(wire: Transport) {
    this.#wire = wire;
  }

  /** No more calls are to be taken before `room` resolves. */
  get full(): boolean {
    return this.#failure !== undefined || this.#calls >= MAX_CALLS ||
      this.#waitingBytes >= MAX_WAITING_BYTES;
  }

  /** Resolves when another call may be taken. Rejects when nothing can be sent any more. */
  async room(): Promise<void> {
    while (this.#failure === undefined && this.full) await this.#change();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Sends a reply once it is ready. */
  expect(reply: Promise<Reply>): void {
    this.#calls++;
    reply.then((pieces) => {
      this.add(pieces);
      this.flush();
    }, (error) => this.#fail(error)).finally(() => {
      this.#calls--;
      this.#ease();
    });
  }

  /** Takes a reply, to be sent by the next `flush`. */
  add(reply: Reply): void {
    if (this.#failure !== undefined) return;
    for (const piece of reply) {
      this.#waitingBytes += piece.length;
      if (piece.length <= COPIED_BYTES) this.#join(piece);
      else {
        this.#seal();
        this.#pieces.push(piece);
      }
    }
  }

  /** Sends what waits. */
  flush(): void {
    if (this.#writingBytes > 0 || this.#waitingBytes === 0) return;
    const bytes = this.#pieces.shift() ?? this.#lend();
    this.#writingBytes = bytes.length;
    this.#wire.write(bytes, { idleMs: WRITE_IDLE_MS }).then(this.#wrote, this.#fail);
  }

  /** Resolves when every reply is on its way, also those that are not ready yet. */
  async end(): Promise<void> {
    this.flush();
    while (this.#failure === undefined && (this.#calls > 0 || this.#waitingBytes > 0)) {
      await this.#change();
    }
  }

  /** Puts a piece behind those that are joined already. */
  #join(piece: Uint8Array): void {
    const needed = this.#joinedBytes + piece.length;
    if (needed > JOINED_BYTES) {
      this.#seal();
      return this.#join(piece);
    }
    if (needed > this.#joined.length) {
      const grown = new Uint8Array(
        Math.min(JOINED_BYTES, Math.max(2 * this.#joined.length, needed)),
      );
      grown.set(this.#joined.subarray(0, this.#joinedBytes));
      this.#joined = grown;
    }
    this.#joined.set(piece, this.#joinedBytes);
    this.#joinedBytes = needed;
  }

  /** Ends the joined pieces: something else comes behind them. */
  #seal(): void {
    if (this.#joinedBytes === 0) return;
    this.#pieces.push(this.#joined.subarray(0, this.#joinedBytes));
    this.#joined = new Uint8Array(FIRST_BYTES);
    this.#joinedBytes = 0;
  }

  /** The joined pieces, whose room comes back when they are written. */
  #lend(): Uint8Array {
    const bytes = this.#joined.subarray(0, this.#joinedBytes);
    this.#lent = this.#joined;
    this.#joined = this.#spare ?? new Uint8Array(FIRST_BYTES);
    this.#spare = undefined;
    this.#joinedBytes = 0;
    return bytes;
  }

  readonly #wrote = (): void => {
    this.#waitingBytes -= this.#writingBytes;
    this.#writingBytes = 0;
    if (this.#lent !== undefined) {
      this.#spare = this.#lent;
      this.#lent = undefined;
    }
    this.flush();
    this.#ease();
  };

  readonly #fail = (error: unknown): void => {
    this.#failure ??= error;
    this.#pieces.length = 0;
    this.#joinedBytes = 0;
    this.#ease();
  };

  #change(): Promise<void> {
    this.#eased ??= Promise.withResolvers();
    return this.#eased.promise;
  }

  #ease(): void {
    this.#eased?.resolve();
    this.#eased = undefined;
  }
}
