/**
 * One SSH connection. The library does key exchange, authentication and channels; of its own SFTP nothing is used: it
 * knows no extensions, loses bytes of names, and never ends a channel.
 *
 * @module
 */
// @ts-types="./ssh2.d.ts"
import { type AuthContext, type Connection, Server, type ServerChannel, type Session } from "ssh2";
import type { Transport } from "../../../core/net/transport.ts";
import { type Gate, judge, type Shown } from "./auth.ts";
import type { Channel } from "./session.ts";
import { NoSshError, WireStream } from "./wire_stream.ts";

/** Channels of one connection that may be open at a time. */
const MAX_CHANNELS = 10;
/** Without chacha20-poly1305: for it the library opens ciphers of the platform with each packet and closes none. */
const CIPHERS = [
  ...["aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes128-gcm", "aes256-gcm"],
  ...["aes128-ctr", "aes192-ctr", "aes256-ctr"],
];
const KEEPALIVE_MS = 30_000;
const KEEPALIVE_MISSES = 3;

/** What a connection is held with; times in milliseconds. */
export interface SshOptions {
  readonly hostKey: string;
  /** Behind `SSH-2.0-`. */
  readonly ident: string;
  readonly gate: Gate;
  readonly handshakeMs: number;
  readonly idleMs: number;
  readonly maxAuthTries: number;
  readonly signal: AbortSignal;
  /** Serves one `sftp` channel to its end. */
  sftp(channel: Channel, about: { shown: Shown; clientVersion: string }): Promise<void>;
  /** Notes what was refused. */
  refuse(reason: string): void;
  /** Reports a fault of ours. */
  fault(error: unknown): void;
}

/** Holds one SSH connection to its end. */
export async function serveSsh(wire: Transport, options: SshOptions): Promise<void> {
  const stream = new WireStream(wire, { idleMs: options.idleMs });
  const closed = new Promise<void>((resolve) => stream.once("close", () => resolve()));
  const attendant = new Attendant(options, () => stream.destroy());
  const server = new Server({
    hostKeys: [options.hostKey],
    ident: options.ident,
    algorithms: { cipher: CIPHERS },
    keepaliveInterval: KEEPALIVE_MS,
    keepaliveCountMax: KEEPALIVE_MISSES,
  }, (connection, { header }) => attendant.attend(connection, header.identRaw));
  // What is wrong with a connection comes by the connection; a listener keeps the process alive in any case.
  server.on("error", (error) => options.refuse(error.message));
  stream.on("error", (error) => {
    if (error instanceof NoSshError) options.refuse(error.message);
  });
  const stop = (): void => attendant.end();
  options.signal.addEventListener("abort", stop, { once: true });
  server.injectSocket(stream);
  await closed;
  options.signal.removeEventListener("abort", stop);
  await attendant.finished();
}

/** Answers what one client asks for before and beside its `sftp` channels. */
class Attendant {
  readonly #options: SshOptions;
  readonly #destroy: () => void;
  readonly #channels = new Set<Promise<void>>();
  readonly #late: ReturnType<typeof setTimeout>;
  #connection: Connection | undefined;
  #clientVersion = "";
  #shown: Shown | undefined;
  #tries = 0;

  constructor(options: SshOptions, destroy: () => void) {
    this.#options = options;
    this.#destroy = destroy;
    this.#late = setTimeout(() => {
      options.refuse("Nobody logged in in time");
      this.end();
    }, options.handshakeMs);
  }

  attend(connection: Connection, clientVersion: string): void {
    this.#connection = connection;
    this.#clientVersion = clientVersion;
    connection.on("error", (error) => {
      if (this.#shown === undefined) this.#options.refuse(error.message);
      this.#destroy();
    });
    connection.on("authentication", (context) => void this.#authenticate(context));
    connection.on("ready", () => clearTimeout(this.#late));
    connection.on("session", (accept, reject) => {
      if (this.#channels.size >= MAX_CHANNELS) reject();
      else this.#open(accept());
    });
  }

  /** Ends the connection, the polite way first. */
  end(): void {
    this.#connection?.end();
    this.#destroy();
  }

  async finished(): Promise<void> {
    clearTimeout(this.#late);
    await Promise.allSettled(this.#channels);
    closeCiphers(this.#connection);
  }

  async #authenticate(context: AuthContext): Promise<void> {
    try {
      const shown = await judge(this.#options.gate, context);
      if (shown === undefined) return;
      if (shown.accepted) {
        this.#shown = shown;
        return;
      }
      // Every client asks first whether it gets in with nothing at all.
      if (shown.method === "none") return;
      this.#options.refuse(`Refused ${shown.method} of user "${shown.user}"`);
      if (++this.#tries >= this.#options.maxAuthTries) this.end();
    } catch (error) {
      this.#options.fault(error);
      this.end();
    }
  }

  #open(session: Session): void {
    session.on("env", (accept) => accept?.());
    for (const event of ["pty", "x11", "auth-agent"] as const) {
      session.on(event, (_accept, reject) => reject?.());
    }
    for (const event of ["exec", "shell"] as const) {
      session.on(event, (accept) => {
        const channel = accept?.();
        if (channel === undefined) return;
        this.#options.refuse(`Refused ${event}: only the sftp subsystem is served`);
        channel.on("error", () => {});
        channel.stderr.write("This server has no shell: use sftp, or scp without -O\r\n");
        channel.exit(1);
        channel.end();
      });
    }
    session.on("subsystem", (accept, reject, { name }) => {
      if (name !== "sftp" || this.#shown === undefined) {
        this.#options.refuse(`Refused subsystem "${name}": only sftp is served`);
        return reject?.();
      }
      const channel = accept?.();
      if (channel !== undefined) this.#serve(channel, this.#shown);
    });
  }

  #serve(channel: ServerChannel, shown: Shown): void {
    channel.on("error", () => {});
    const serving = this.#options.sftp(toChannel(channel), {
      shown,
      clientVersion: this.#clientVersion,
    })
      .catch((error) => this.#options.fault(error))
      .finally(() => {
        this.#channels.delete(serving);
        // OpenSSH waits for both: without a status scp reports failure, without the end sftp hangs.
        channel.exit(0);
        channel.end();
      });
    this.#channels.add(serving);
  }
}

function toChannel(channel: ServerChannel): Channel {
  return {
    chunks: () => chunksOf(channel),
    write(bytes) {
      if (channel.destroyed || channel.write(bytes)) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          channel.off("drain", done);
          channel.off("close", done);
          resolve();
        };
        channel.on("drain", done);
        channel.on("close", done);
      });
    },
  };
}

/** Unlike the stream's own iterator it leaves the stream open at its end: the exit status is still to be sent. */
async function* chunksOf(channel: ServerChannel): AsyncGenerator<Uint8Array> {
  let ended = false;
  let wake = (): void => {};
  channel.on("readable", () => wake());
  for (const event of ["end", "close", "error"] as const) {
    channel.on(event, () => {
      ended = true;
      wake();
    });
  }
  for (;;) {
    const chunk: Uint8Array | null = channel.read();
    if (chunk !== null) yield chunk;
    else if (ended) return;
    else await new Promise<void>((resolve) => wake = resolve);
  }
}

/** The library lets go of its ciphers without ending them, and the platform keeps those until they are ended. */
export function closeCiphers(connection: Pick<Connection, "_protocol"> | undefined): void {
  const { _cipher: cipher, _decipher: decipher } = connection?._protocol ?? {};
  for (const open of [cipher?._cipherInstance, decipher?._decipherInstance]) {
    try {
      open?.final();
    } catch {
      // It was in the middle of a block, which nobody waits for any more.
    }
  }
}
