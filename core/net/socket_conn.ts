import type { Socket } from "node:net";

/** The used part of a connection. */
export type ByteConn =
  & Pick<
    Deno.Conn,
    "read" | "write" | "close" | "closeWrite" | "localAddr" | "remoteAddr"
  >
  & {
    /** Closes it with a reset (RFC 9293 section 3.5.2); absent if the platform cannot. */
    reset?(): void;
    setNoDelay?(on: boolean): void;
  };

/** Errors of `node:net` by the platform's error class. */
const GONE: Readonly<Record<string, new (message: string) => Error>> = {
  ECONNRESET: Deno.errors.ConnectionReset,
  ECONNABORTED: Deno.errors.ConnectionAborted,
  EPIPE: Deno.errors.BrokenPipe,
  ETIMEDOUT: Deno.errors.TimedOut,
};

/** A socket of `node:net` or `node:tls`, read and written as the platform's connections are. */
export class SocketConn implements ByteConn {
  readonly localAddr: Deno.NetAddr;
  readonly remoteAddr: Deno.NetAddr;
  readonly #socket: Socket;
  /** The rest that did not fit into the last reader's buffer. */
  #left: Uint8Array | undefined;
  /** Bytes read from it. */
  #taken = 0;
  #moving: PromiseWithResolvers<void> | undefined;
  #error: Error | undefined;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.localAddr = toAddr(socket.localAddress, socket.localPort);
    this.remoteAddr = toAddr(socket.remoteAddress, socket.remotePort);
    const wake = (): void => {
      this.#wake?.();
      this.#tellMoved();
    };
    const end = (): void => {
      this.#ended = true;
      wake();
      this.#tellMoved();
    };
    socket.on("readable", wake);
    socket.on("end", end);
    socket.on("close", end);
    socket.on("error", (error: Error & { readonly code?: string }) => {
      const Kind = GONE[error.code ?? ""];
      this.#error = Kind === undefined ? error : new Kind(error.message);
      wake();
      this.#tellMoved();
    });
  }

  /** Bytes that have arrived and were not read: `bytesRead` of `node:tls` counts them decrypted, wherever they are. */
  get backlog(): number {
    return this.#isOver ? 0 : this.#socket.bytesRead - this.#taken;
  }

  /** Resolves when bytes arrive or are read, or at the end. */
  moved(): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    this.#moving ??= Promise.withResolvers();
    return this.#moving.promise;
  }

  /** As `Deno.Conn.read`. */
  async read(into: Uint8Array): Promise<number | null> {
    for (;;) {
      const chunk: Uint8Array | null = this.#left ?? this.#socket.read();
      if (chunk !== null) {
        const count = Math.min(chunk.length, into.length);
        into.set(chunk.subarray(0, count));
        this.#left = count < chunk.length ? chunk.subarray(count) : undefined;
        this.#taken += count;
        this.#tellMoved();
        return count;
      }
      if (this.#error !== undefined) throw this.#error;
      if (this.#ended) return null;
      await new Promise<void>((resolve) => this.#wake = resolve);
      this.#wake = undefined;
    }
  }

  /** Resolves when the bytes are written and may be reused. */
  write(bytes: Uint8Array): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#socket.write(bytes, (error) => {
        if (error) reject(this.#error ?? new Deno.errors.BrokenPipe(error.message));
        else resolve(bytes.length);
      });
    });
  }

  /** Ends the sending half. */
  closeWrite(): Promise<void> {
    return new Promise((resolve) => this.#socket.end(() => resolve()));
  }

  /** Ends both halves now, with a reset. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** Ends both halves now. */
  close(): void {
    this.#socket.destroy();
  }

  get #isOver(): boolean {
    return this.#ended || this.#error !== undefined;
  }

  #tellMoved(): void {
    this.#moving?.resolve();
    this.#moving = undefined;
  }
}

function toAddr(hostname = "", port = 0): Deno.NetAddr {
  return { transport: "tcp", hostname, port };
}
