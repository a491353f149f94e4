/**
 * One SSH connection. The library does key exchange, authentication and channels; of its own SFTP nothing is used: it
 * knows no extensions, loses bytes of names, and never ends a channel.
 *
 * @module
 */
// @ts-types="./ssh2.d.ts"
import {
  type AuthContext,
  type Connection,
  Server,
  type ServerChannel,
  type Session,
  type SshError,
} from "ssh2";
import { type Place, PLACE_LOST, type Transport } from "../../../core/net/transport.ts";
import { type Gate, judge, type Shown } from "./auth.ts";
import { HAS_CHACHA } from "./chacha.ts";
import { OpenChannel } from "./channel.ts";
import { DISCONNECT, encodeDisconnect, encodePlainPacket } from "./codec/disconnect.ts";
import type { PacketGuard } from "./guard.ts";
import { closeCiphers, guardPackets, sendDisconnect } from "./library.ts";
import type { Channel } from "./session.ts";
import { NoSshError, WireStream } from "./wire_stream.ts";

/** What is offered: what the platform does, and does in little time. */
const ALGORITHMS = {
  // Without group exchange, which the library has for clients only, nistp521, which the platform lacks, and the longer
  // groups, which keep everybody waiting for up to a second.
  kex: [
    ...["curve25519-sha256", "curve25519-sha256@libssh.org"],
    ...["ecdh-sha2-nistp256", "ecdh-sha2-nistp384"],
    ...["diffie-hellman-group14-sha256", "diffie-hellman-group16-sha512"],
  ],
  // The fastest first: here chacha20-poly1305 takes a third of the time of aes128-gcm. The client's order decides.
  cipher: [
    ...(HAS_CHACHA ? ["chacha20-poly1305@openssh.com"] : []),
    ...["aes128-ctr", "aes192-ctr", "aes256-ctr"],
    ...["aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes128-gcm", "aes256-gcm"],
  ],
  // The library's zlib does not run on this platform.
  compress: ["none"],
};
const KEEPALIVE_MS = 30_000;
const KEEPALIVE_MISSES = 3;
/** Questions whether a login would do, and failures, after which a client is turned away whatever it asks. */
const MAX_AUTH_REQUESTS = 50;
/** Pieces of data that may wait for the sessions of one connection: each costs far more than its bytes. */
const MAX_WAITING_CHUNKS = 65_536;
/** Refusals of one connection that are noted: more of them would push those of others out of the journal. */
const MAX_NOTES = 20;
/** Longest text of a client that is kept as a reason. */
const MAX_REASON_CHARS = 300;

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
  readonly place: Place;
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
  const attendant = new Attendant(options, stream);
  const server = new Server({
    hostKeys: [options.hostKey],
    ident: options.ident,
    algorithms: ALGORITHMS,
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
  options.place.lost.addEventListener("abort", () => attendant.giveUp(), { once: true });
  server.injectSocket(stream);
  await closed;
  options.signal.removeEventListener("abort", stop);
  await attendant.finished();
}

/** Answers what one client asks for before and beside its `sftp` channels. */
class Attendant {
  readonly #options: SshOptions;
  readonly #stream: WireStream;
  readonly #channels = new Set<OpenChannel>();
  readonly #serving = new Set<Promise<void>>();
  /** Chunks of data that wait for the session of a channel, by its number. */
  readonly #chunks = new Map<number, number>();
  #waiting = 0;
  /** For the login, and later for a key exchange. */
  #late: ReturnType<typeof setTimeout>;
  #connection: Connection | undefined;
  #guard: PacketGuard | undefined;
  #clientVersion = "";
  #shown: Shown | undefined;
  #asked = 0;
  #tries = 0;
  #notes = 0;
  #isOver = false;

  constructor(options: SshOptions, stream: WireStream) {
    this.#options = options;
    this.#stream = stream;
    this.#late = this.#limit("Nobody logged in in time");
    stream.on("drain", () => this.#wake());
    stream.once("close", () => {
      for (const channel of this.#channels) channel.leave();
    });
  }

  attend(connection: Connection, clientVersion: string): void {
    this.#connection = connection;
    this.#clientVersion = clientVersion;
    this.#guard = guardPackets(connection, {
      moved: () => this.#stream.moved,
      refused: (note) => this.#note(note),
      ended: (reason) => this.#fail(reason),
      received: (channel) => this.#hold(channel),
      exchanging: () => {
        if (this.#shown !== undefined) this.#late = this.#limit("Keys were not exchanged in time");
      },
    });
    connection.on("error", (error) => this.#fault(error));
    connection.on("authentication", (context) => void this.#authenticate(context));
    connection.on("ready", () => {
      clearTimeout(this.#late);
      this.#options.place.keep();
    });
    connection.on("handshake", () => {
      if (this.#shown !== undefined) clearTimeout(this.#late);
      this.#wake();
    });
    connection.on("session", (accept) => this.#open(accept()));
  }

  /** Ends the connection, the polite way first. */
  end(): void {
    this.#isOver = true;
    this.#connection?.end();
    this.#stream.finish();
  }

  async finished(): Promise<void> {
    clearTimeout(this.#late);
    await Promise.allSettled(this.#serving);
    closeCiphers(this.#connection);
  }

  #limit(reason: string): ReturnType<typeof setTimeout> {
    clearTimeout(this.#late);
    return setTimeout(() => this.#fail(reason), this.#options.handshakeMs);
  }

  /** Notes what was refused while the connection goes on. */
  #note(reason: string): void {
    if (++this.#notes > MAX_NOTES) return;
    const more = this.#notes === MAX_NOTES ? "; more of this connection is not noted" : "";
    this.#options.refuse(`${reason}${more}`);
  }

  /** Ends the connection for what the client did, and says so. */
  #fail(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.refuse(reason);
    this.#disconnect(DISCONNECT.protocolError, reason);
  }

  /** Ends the connection of a client that has not logged in, for another one. */
  giveUp(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#disconnect(DISCONNECT.tooManyConnections, PLACE_LOST);
  }

  #disconnect(code: number, reason: string): void {
    if (this.#connection !== undefined) sendDisconnect(this.#connection, code, reason);
    else this.#stream.write(encodePlainPacket(encodeDisconnect(code, reason)));
    this.#stream.finish();
  }

  #fault({ level, message, code }: SshError): void {
    // A connection that breaks off, or whose other end is gone, is the client's own affair.
    const isLost = level === "socket" || level === "client-timeout";
    if (!this.#isOver && !isLost) {
      const text = message.slice(0, MAX_REASON_CHARS);
      this.#options.refuse(typeof code === "number" ? `The client ended it: ${text}` : text);
    }
    this.#isOver = true;
    this.#stream.finish();
  }

  async #authenticate(context: AuthContext): Promise<void> {
    if (++this.#asked > MAX_AUTH_REQUESTS) return this.#fail("Too many attempts to log in");
    try {
      const shown = await judge(this.#options.gate, context);
      if (shown === undefined) return;
      if (shown.accepted) {
        this.#shown = shown;
        return;
      }
      // Every client asks first whether it gets in with nothing at all.
      if (shown.method === "none") return;
      this.#note(`Refused ${shown.method} of user "${shown.user}"`);
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
        this.#note(`Refused ${event}: only the sftp subsystem is served`);
        channel.on("error", () => {});
        channel.resume();
        channel.stderr.write("This server has no shell: use sftp, or scp without -O\r\n");
        channel.exit(1);
        channel.end();
      });
    }
    session.on("subsystem", (accept, reject, { name }) => {
      if (name !== "sftp" || this.#shown === undefined) {
        this.#note(`Refused subsystem "${name}": only sftp is served`);
        return reject?.();
      }
      const channel = accept?.();
      if (channel === undefined) return;
      const opened = this.#serve(channel, this.#shown);
      session.on("close", () => opened.leave());
    });
  }

  #serve(channel: ServerChannel, shown: Shown): OpenChannel {
    const { id } = channel.incoming;
    channel.on("error", () => {});
    const opened = new OpenChannel(channel, {
      mustWait: () => this.#stream.writableNeedDrain || this.#guard?.isExchanging === true,
      together: (write) => this.#stream.together(write),
      taken: () => this.#release(id),
    });
    this.#chunks.set(id, 0);
    this.#channels.add(opened);
    const serving = this.#options.sftp(opened, { shown, clientVersion: this.#clientVersion })
      .catch((error) => this.#options.fault(error))
      .finally(() => {
        this.#release(id);
        this.#chunks.delete(id);
        this.#channels.delete(opened);
        this.#serving.delete(serving);
        // What still comes is for nobody.
        channel.resume();
        // OpenSSH waits for both: without a status scp reports failure, without the end sftp hangs.
        channel.exit(0);
        channel.end();
      });
    this.#serving.add(serving);
    return opened;
  }

  #wake(): void {
    for (const channel of this.#channels) channel.wake();
  }

  /** Counts a chunk of data that waits; with too many, reading pauses. */
  #hold(id: number): void {
    const held = this.#chunks.get(id);
    if (held === undefined) return;
    this.#chunks.set(id, held + 1);
    if (++this.#waiting > MAX_WAITING_CHUNKS) this.#stream.pause();
  }

  #release(id: number): void {
    this.#waiting -= this.#chunks.get(id) ?? 0;
    this.#chunks.set(id, 0);
    if (this.#stream.isPaused() && this.#waiting <= MAX_WAITING_CHUNKS / 2) this.#stream.resume();
  }
}
