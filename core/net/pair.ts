import { DisconnectedError, type Transport } from "./transport.ts";
import { within } from "./within.ts";

/** Unread bytes at which a writer has to wait. */
const WINDOW_BYTES = 1024 * 1024;

/** Two ends of a connection in memory, which preserves chunks. Needs no permission. */
export function transportPair(
  names: { client?: string; server?: string } = {},
): readonly [client: Transport, server: Transport] {
  const client = names.client ?? "127.0.0.1:50000";
  const server = names.server ?? "127.0.0.1:1";
  const up = new Pipe();
  const down = new Pipe();
  return [
    new PairEnd({ peer: server, local: client }, { reads: down, writes: up }),
    new PairEnd({ peer: client, local: server }, { reads: up, writes: down }),
  ];
}

class Pipe {
  readonly #chunks: Uint8Array[] = [];
  #waiting = 0;
  #writerGone = false;
  #readerGone = false;
  #changed = Promise.withResolvers<void>();

  async take(idleMs: number, peer: string): Promise<Uint8Array | undefined> {
    for (;;) {
      if (this.#readerGone) {
        throw new DisconnectedError(`Cannot read from ${peer}: the connection is closed`);
      }
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) {
        this.#waiting -= chunk.length;
        this.#tell();
        return chunk;
      }
      if (this.#writerGone) return undefined;
      await within(
        this.#changed.promise,
        idleMs,
        `Nothing was received from ${peer} for ${idleMs} ms`,
      );
    }
  }

  async put(bytes: Uint8Array, idleMs: number, peer: string): Promise<void> {
    while (this.#waiting >= WINDOW_BYTES && !this.#writerGone && !this.#readerGone) {
      await within(this.#changed.promise, idleMs, `${peer} read nothing for ${idleMs} ms`);
    }
    if (this.#writerGone || this.#readerGone) {
      throw new DisconnectedError(`Cannot write to ${peer}: the connection is closed`);
    }
    if (bytes.length === 0) return;
    this.#chunks.push(bytes.slice());
    this.#waiting += bytes.length;
    this.#tell();
  }

  end(side: "reader" | "writer"): void {
    if (side === "writer") this.#writerGone = true;
    else this.#readerGone = true;
    this.#tell();
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

class PairEnd implements Transport {
  readonly peer: string;
  readonly local: string;
  readonly #pipes: { readonly reads: Pipe; readonly writes: Pipe };

  constructor(names: { peer: string; local: string }, pipes: { reads: Pipe; writes: Pipe }) {
    this.peer = names.peer;
    this.local = names.local;
    this.#pipes = pipes;
  }

  read({ idleMs }: { idleMs: number }): Promise<Uint8Array | undefined> {
    return this.#pipes.reads.take(idleMs, this.peer);
  }

  write(bytes: Uint8Array, { idleMs = 60_000 } = {}): Promise<void> {
    return this.#pipes.writes.put(bytes, idleMs, this.peer);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#pipes.reads.end("reader");
    this.#pipes.writes.end("writer");
    return Promise.resolve();
  }
}
